package payment

import (
	"context"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// allMethods are what a person may choose from, in the order of the screen.
var allMethods = []Method{Credit, Debit, Pix}

const (
	// resolveWait is how long an operation that was left behind holds up the next: what is not settled by then may take
	// long, and the terminal has other things to do meanwhile.
	resolveWait  = 15 * time.Second
	resolvePause = time.Second
)

// ways are the acquirers a payment could go to.
type ways []Way

// taking are those that take a method.
func (ws ways) taking(m Method) (taking ways) {
	for _, w := range ws {
		if len(w.Methods) > 0 && m == AnyMethod || slices.Contains(w.Methods, m) {
			taking = append(taking, w)
		}
	}
	return taking
}

// elsewhere tells of an operation that needs no page, whichever of them it goes to.
func (ws ways) elsewhere(k Kind) bool {
	return !slices.ContainsFunc(ws, func(w Way) bool { return !slices.Contains(w.Elsewhere, k) })
}

func (ws ways) named(name string) (Way, bool) {
	i := slices.IndexFunc(ws, func(w Way) bool { return w.Name == name })
	if i < 0 {
		return Way{}, false
	}
	return ws[i], true
}

// awaitResolved settles what earlier operations left on the ways, and returns those on which nothing is left. A caller that
// hangs up meanwhile has no operation: nothing was sent. errCalledOff: one that calls it off has.
func (d *Desk) awaitResolved(ctx context.Context, candidates ways, g *dialogue) (ways, error) {
	began := time.Now()
	for {
		if g.off() {
			return nil, errCalledOff
		}
		var resolved ways
		var newest time.Time // of what is left
		for _, w := range candidates {
			since, err := d.recovery.settleWay(w)
			switch {
			case err != nil:
				return nil, err
			case since.IsZero():
				resolved = append(resolved, w)
			case since.After(newest):
				newest = since
			}
		}
		switch {
		case len(resolved) > 0:
			return resolved, nil
		// The ledger's time is the wall's: after a clock was set back it may lie ahead. Our own wait is bounded without it.
		case time.Since(newest) >= resolveWait, time.Since(began) >= resolveWait:
			return nil, ErrUnresolved
		}
		g.show(Prompt{Step: StepResolving})
		select {
		case <-time.After(resolvePause):
		case <-g.calledOff:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-d.tasks.ctx.Done():
			return nil, operation.ErrStopping
		}
	}
}

// choose is the way a payment goes, and what its acquirer is asked for: the person's choice where the caller left it
// open. An acquirer that has every method asks for itself. An empty method means that the person called it off.
func (d *Desk) choose(from ways, m Method, g *dialogue) (Way, Method, error) {
	if m != AnyMethod || len(from) == 1 && len(from[0].Methods) == len(allMethods) {
		return from[0], m, nil
	}
	offered := slices.DeleteFunc(slices.Clone(allMethods), func(m Method) bool { return len(from.taking(m)) == 0 })
	if len(offered) == 1 {
		return from.taking(offered[0])[0], offered[0], nil
	}
	action, err := g.ask(d.tasks.ctx, Prompt{Step: StepChoose, Methods: offered, Cancellable: true})
	if err != nil || action.Kind != ActChoose {
		return Way{}, "", err
	}
	return from.taking(action.Method)[0], action.Method, nil
}
