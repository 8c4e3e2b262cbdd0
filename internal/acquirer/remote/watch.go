package remote

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// Watch shows a prompt that can be cancelled and meanwhile looks at what becomes of the payment. Over means that it came to its
// end, whatever the person did; otherwise the person called it off, or its time was up.
func Watch[T any](ctx context.Context, c payment.Charge, p payment.Prompt, until time.Time, look func(context.Context) (T, bool)) (seen T, over bool, err error) {
	var none T
	watching, stop := context.WithDeadline(ctx, until)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer stop() // takes the question off the screen
		seen, over = look(watching)
	}()
	action, err := c.Ask(watching, p)
	tooLate := errors.Is(watching.Err(), context.DeadlineExceeded)
	stop()
	<-done
	switch {
	case over:
		return seen, true, nil
	case ctx.Err() != nil:
		return none, false, ctx.Err()
	case err == nil && action.Kind == payment.ActCancel, tooLate:
		return none, false, nil
	case err == nil:
		err = errors.New("the screen answered what was not asked")
	}
	return none, false, err
}

// Poll is how often the other side is looked at: at first, and once the haste is over.
type Poll struct{ Fast, Slow, Haste, MostWait time.Duration }

// Until looks until there is an end or the context ends. One that is out of reach is asked again: the customer may be paying
// right now.
func Until[T any](ctx context.Context, p Poll, look func(context.Context) (T, bool, error)) (T, bool) {
	var none T
	for began := time.Now(); ; {
		wait := p.Fast
		if time.Since(began) >= p.Haste {
			wait = p.Slow
		}
		if Sleep(ctx, wait) != nil {
			return none, false
		}
		seen, over, err := look(ctx)
		if err == nil && over {
			return seen, true
		}
		var problem Problem
		if errors.As(err, &problem) && problem.Wait() > 0 && Sleep(ctx, min(problem.Wait(), p.MostWait)) != nil {
			return none, false
		}
	}
}
