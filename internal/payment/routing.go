package payment

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// allMethods are what a person may choose from, in the order of the screen.
var allMethods = []Method{Credit, Debit, Pix}

const (
	// clearWait is how long an operation that was left behind holds up the next: what is not settled by then may take
	// long, and the terminal has other things to do meanwhile.
	clearWait  = 15 * time.Second
	clearPause = time.Second
)

// waysOf are the ways a payment could go.
func (d *Desk) waysOf(m Method) (ways []Way) {
	for _, w := range d.ways {
		if len(w.Methods) > 0 && m == AnyMethod || slices.Contains(w.Methods, m) {
			ways = append(ways, w)
		}
	}
	return ways
}

func (d *Desk) wayNamed(name string) (Way, bool) {
	i := slices.IndexFunc(d.ways, func(w Way) bool { return w.Name == name })
	if i < 0 {
		return Way{}, false
	}
	return d.ways[i], true
}

// free are those of the ways on which nothing is left unresolved; it is tried to resolve what is. A caller that hangs up
// meanwhile has no operation: nothing was sent.
func (d *Desk) free(ctx context.Context, ways []Way, g *dialogue) ([]Way, error) {
	began := time.Now()
	for {
		var free []Way
		var left time.Time // when the last of what is left was
		for _, w := range ways {
			since, err := d.clear(w)
			switch {
			case err != nil:
				return nil, err
			case since.IsZero():
				free = append(free, w)
			case since.After(left):
				left = since
			}
		}
		switch {
		case len(free) > 0:
			return free, nil
		// The ledger's time is the wall's: after a clock was set back it may lie ahead. Our own wait is bounded without it.
		case time.Since(left) >= clearWait, time.Since(began) >= clearWait:
			return nil, ErrUnresolved
		}
		g.show(Prompt{Step: StepResolving})
		select {
		case <-time.After(clearPause):
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-d.ctx.Done():
			return nil, operation.ErrStopping
		}
	}
}

// clear settles what is left of earlier operations that went this way, and returns since when something still is; zero:
// nothing is.
func (d *Desk) clear(w Way) (since time.Time, err error) {
	unresolved, err := d.ledger.Unresolved()
	if err != nil {
		return since, errors.Join(operation.ErrNotSaved, err)
	}
	for _, t := range unresolved {
		if t.Acquirer != w.Name {
			continue
		}
		settled, err := d.settle(t)
		var full *unkept
		switch {
		case errors.As(err, &full):
			return since, errors.Join(operation.ErrNotSaved, full.err) // no time will help but the disk's
		case err != nil:
			return t.UpdatedAt, nil
		}
		d.tell(t, settled)
		d.count()
	}
	return time.Time{}, nil
}

// choose is the way a payment goes, and what its acquirer is asked for: the person's choice where the caller left it
// open. An acquirer that has every method asks for itself. An empty method means that the person called it off.
func (d *Desk) choose(ways []Way, m Method, g *dialogue) (Way, Method, error) {
	if m != AnyMethod || len(ways) == 1 && len(ways[0].Methods) == len(allMethods) {
		return ways[0], m, nil
	}
	offered := slices.DeleteFunc(slices.Clone(allMethods), func(m Method) bool { return wayOf(ways, m) == nil })
	if len(offered) == 1 {
		return *wayOf(ways, offered[0]), offered[0], nil
	}
	action, err := g.ask(d.ctx, Prompt{Step: StepChoose, Methods: offered, Cancellable: true})
	if err != nil || action.Kind != ActChoose {
		return Way{}, "", err
	}
	return *wayOf(ways, action.Method), action.Method, nil
}

func wayOf(ways []Way, m Method) *Way {
	i := slices.IndexFunc(ways, func(w Way) bool { return slices.Contains(w.Methods, m) })
	if i < 0 {
		return nil
	}
	return &ways[i]
}
