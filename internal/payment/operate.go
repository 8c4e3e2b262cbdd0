package payment

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/maquininha/maquininha/internal/operation"
)

// operate runs an operation on the terminal that the gate has let in: it waits for the foreground, then goes on
// whether or not the caller stays.
func operate[T worded](ctx context.Context, d *Desk, g *dialogue, leave func(), run func() (T, error)) (T, error) {
	type answer struct {
		result T
		err    error
	}
	answers := make(chan answer, 1)
	d.began(ctx, g.shown)
	g.known()
	started := d.tasks.start(func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				// The attempt is on disk as pending; a driver's fault must not take the service with it.
				a.err = fmt.Errorf("%w: panic: %v\n%s", ErrUnknown, p, debug.Stack())
			}
			g.view.end(g, endOf(g.shown, a.result, a.err))
			leave()
			if a.err != nil && errors.Is(a.err, ctx.Err()) {
				d.left(ctx, g.shown)
			}
			if errors.Is(a.err, ErrUnknown) {
				d.recovery.wake() // now that nobody works on the attempt any more
				d.recovery.count()
			}
			answers <- a
		}()
		defer g.limit(g.shown.Request.Timeout)()
		g.show(Prompt{Step: StepWaiting})
		if a.err = d.awaitForeground(ctx, g); a.err != nil && !errors.Is(a.err, errCalledOff) {
			return
		}
		// From here money may move: a caller hanging up must not lose the outcome.
		a.result, a.err = run()
	})
	var none T
	if !started {
		leave()
		return none, operation.ErrStopping
	}
	select {
	case a := <-answers:
		return a.result, a.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

func (d *Desk) awaitForeground(caller context.Context, g *dialogue) error {
	if g.pageless {
		return nil
	}
	ctx, cancel := context.WithTimeout(caller, d.pace.foreground())
	defer cancel()
	defer context.AfterFunc(d.tasks.ctx, cancel)()
	defer g.whenOff(cancel)()
	err := d.foreground.Wait(ctx)
	switch {
	case err == nil:
		return nil
	case g.off():
		return errCalledOff
	case d.tasks.ctx.Err() != nil:
		return operation.ErrStopping
	case caller.Err() != nil:
		return caller.Err() // nothing was sent yet, and nobody waits for it any more
	}
	return ErrBackground
}
