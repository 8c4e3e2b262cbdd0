package payment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
)

// ErrNoMenu means that no acquirer of this terminal has a menu of its own.
var ErrNoMenu = errors.New("no acquirer has a menu of its own")

// AdministrationState is how far the ledger is with what was done in an acquirer's menu.
type AdministrationState string

// Until AdministrationSent nothing has left the terminal. AdministrationDecided has the decision on disk that it counts, of which the
// acquirer has yet to hear.
const (
	AdministrationSent    AdministrationState = "sent"
	AdministrationDecided AdministrationState = "decided"
	AdministrationDone    AdministrationState = "done"
)

// Administration is one time that a person was in an acquirer's own menu. What gives a payment back there becomes a reversal of that
// payment, with the same number.
type Administration struct {
	Number   int64 // as those of payments and reversals
	Acquirer string
	State    AdministrationState
	Token    string // of what was decided on; empty: nothing was
	Since    time.Time
}

// Administered is the acquirer's word on what was done in its menu.
type Administered struct {
	Outcome
	// Reverses tells the payment that was given back by its Outcome.Token; nil: none was.
	Reverses func(token string) Likeness
	Amount   money.Decimal // that went back; zero: it does not say
}

// Likeness is how much speaks for a payment being the one that is meant.
type Likeness int

// A payment that is Alike has the same numbers, which networks use again; one that is Exact also has the same moment.
const (
	Different Likeness = iota
	Alike
	Exact
)

func (a Administered) word() Outcome { return a.Outcome }

// MenuEnd is how the menu was left.
type MenuEnd struct {
	Outcome Outcome
	Err     error
}

// HasMenu tells whether OpenMenu can do anything.
func (d *Desk) HasMenu() bool { return d.ways.withMenu() != nil }

func (ws ways) withMenu() *Way {
	i := slices.IndexFunc(ws, func(w Way) bool { _, ok := w.Acquirer.(Administrator); return ok })
	if i < 0 {
		return nil
	}
	return &ws[i]
}

// OpenMenu opens the acquirer's own menu for the person who runs the shop. It returns once the terminal is held for it; the end comes
// later, whether or not anybody waits for it.
func (d *Desk) OpenMenu(ctx context.Context) (<-chan MenuEnd, error) {
	way := d.ways.withMenu()
	if way == nil {
		return nil, ErrNoMenu
	}
	ctx = context.WithoutCancel(ctx)
	g, leave, err := d.enter(ctx, Shown{Kind: Menu})
	if err != nil {
		return nil, err
	}
	g.pageless = true // whoever asked for it is there
	end := make(chan MenuEnd, 1)
	go func() {
		w, err := operate(ctx, d, g, leave, func() (Administered, error) {
			switch _, err := d.awaitResolved(ctx, ways{*way}, g); {
			case errors.Is(err, errCalledOff):
				return Administered{Outcome: Outcome{Verdict: Abandoned}}, nil
			case err != nil:
				return Administered{}, err
			}
			return d.administer(*way, g)
		})
		end <- MenuEnd{w.Outcome, err}
	}()
	return end, nil
}

// administer takes one visit of the menu to its end.
func (d *Desk) administer(way Way, g *dialogue) (Administered, error) {
	number, err := d.recovery.numbers.next()
	if err != nil {
		return Administered{}, err
	}
	a := Administration{Number: number, Acquirer: way.Name, State: AdministrationSent, Since: time.Now()}
	sent := false
	defer d.recovery.leaveMenu()
	w, err := way.Acquirer.(Administrator).Administer(d.tasks.ctx, Charge{
		Transaction: Transaction{Number: number, Acquirer: way.Name}, CalledOff: g.calledOff, Show: g.show, Ask: g.ask,
		Sending: func() error {
			if g.off() {
				return errCalledOff
			}
			sent = true
			return d.recovery.enterMenu(a)
		},
	})
	g.commit()
	switch {
	case errors.Is(err, errCalledOff):
		return Administered{Outcome: Outcome{Verdict: Abandoned}}, nil
	case err != nil && !sent && d.tasks.ctx.Err() != nil:
		return w, operation.ErrStopping
	case errors.Is(err, operation.ErrNotSaved):
		return w, err
	}
	d.recovery.heard(way.Name, err)
	if err == nil {
		err = d.recovery.inTurn(func() error { return d.recovery.conclude(g.caller, a, way, w) })
	}
	if err != nil {
		return Administered{}, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	return w, nil
}

// enterMenu keeps that the menu is about to be opened, and leaves it to the operation that does so until leaveMenu.
func (r *recovery) enterMenu(a Administration) error {
	r.mu.Lock() // or the recovery could find it in the ledger first
	defer r.mu.Unlock()
	if err := r.keep(a); err != nil {
		return err
	}
	r.inMenu = a.Number
	return nil
}

func (r *recovery) leaveMenu() {
	r.mu.Lock()
	r.inMenu = 0
	r.mu.Unlock()
}

func (r *recovery) menu() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inMenu
}

func (r *recovery) keep(a Administration) error {
	if err := r.ledger.KeepAdministration(a); err != nil {
		return errors.Join(operation.ErrNotSaved, err)
	}
	return nil
}

// conclude keeps the acquirer's word: as the reversal of the payment that was given back, as the return of one that came late or, where the
// ledger has neither, by itself.
func (r *recovery) conclude(caller context.Context, a Administration, way Way, w Administered) error {
	if w.Verdict != Accepted {
		return r.endMenu(caller, a, w.Outcome)
	}
	candidates, err := r.givenBack(way, w)
	late := len(candidates) == 1 && candidates[0].Late.Kept()
	switch {
	case err != nil:
		return err
	case len(candidates) == 1 && candidates[0].Status() == Approved:
		if err := r.reverseUnasked(caller, candidates[0].ID, a.Number, way, w.Outcome, NoteByMenu); err != nil {
			return err
		}
		return r.endMenu(caller, a, w.Outcome)
	case w.Reverses != nil && !late && r.menuUnmatched != nil:
		r.menuUnmatched(a, w, candidates)
	}
	a.State, a.Token = AdministrationDecided, w.Token
	if err := r.keep(a); err != nil {
		return err
	}
	// After the decision: what a kill lets the acquirer undo must not be told as returned.
	if late {
		t := &attempt{r.recorder, candidates[0], caller}
		if err := t.record(t.returnedLate(), NoteByMenu); err != nil {
			return err
		}
	}
	if r.confirmMenu(a, way) != nil {
		r.wake() // it is told again
		return nil
	}
	return r.endMenu(caller, a, w.Outcome)
}

// endMenu has nothing left to do about it.
func (r *recovery) endMenu(caller context.Context, a Administration, o Outcome) error {
	a.State = AdministrationDone
	if err := r.keep(a); err != nil {
		return err
	}
	if r.menuLeft != nil {
		r.menuLeft(caller, a, o)
	}
	return nil
}

func (r *recovery) confirmMenu(a Administration, way Way) error {
	err := r.guarded(func(ctx context.Context) error {
		return way.Acquirer.Confirm(ctx, Transaction{Number: a.Number, Acquirer: a.Acquirer, Outcome: Outcome{Verdict: Accepted, Token: a.Token}})
	})
	r.heard(way.Name, err)
	return err
}

// menuMemory is how far back a payment is looked for that was given back in the menu.
const menuMemory = 400 * 24 * time.Hour

// givenBack are the payments of the ledger that may be the one that was given back. Only a single one is it: numbers of networks come
// again, and no sale may be taken for given back that was not. One that is Exact is meant though it went back before, and no other is.
func (r *recovery) givenBack(way Way, w Administered) (candidates []Transaction, err error) {
	if w.Reverses == nil {
		return nil, nil
	}
	best := Alike
	consider := func(t Transaction, least Likeness, whole money.Decimal) error {
		if t.Acquirer != way.Name || w.Amount.Sign() != 0 && w.Amount.Cmp(whole) != 0 {
			return nil
		}
		switch like := w.Reverses(t.Outcome.Token); {
		case like < least:
		case like > best:
			best, candidates = like, []Transaction{t}
		case like == best:
			candidates = append(candidates, t)
		}
		return nil
	}
	err = r.ledger.List(r.ctx, Filter{Since: time.Now().Add(-menuMemory)}, func(t Transaction) error {
		switch {
		case t.Status() == Approved:
			return consider(t, Alike, t.Left())
		case t.Status() == Reversed:
			return consider(t, Exact, t.Request.Amount)
		case t.Late.Kept():
			return consider(t, Alike, t.Late.Amount)
		case t.Late.Came():
			return consider(t, Exact, t.Late.Amount)
		}
		return nil
	})
	return candidates, err
}

// NoteByMenu is in the history of a reversal that nobody asked the terminal for.
const NoteByMenu = "no menu do adquirente"

// reverseUnasked keeps a reversal that was made without the terminal's asking, step by step as any other.
func (r *recovery) reverseUnasked(caller context.Context, id, number int64, way Way, o Outcome, note string) error {
	a, err := r.read(id, false)
	if err != nil {
		return err
	}
	a.caller = caller
	if err := a.record(a.reversing(Reversal{Number: number, Amount: a.Left()}), note); err != nil {
		return err
	}
	if err := a.recordSent(); err != nil {
		return err
	}
	if err := a.recordAnswer(a.reversed(o), o, o.Message); err != nil {
		return err
	}
	_ = r.confirm(a, way) // the recovery tells it again
	return nil
}

// reversalUnsent tells of a reversal that was begun and cut off before it left. One that was made in a menu had left before.
func (r *recovery) reversalUnsent(a *attempt) (bool, error) {
	_, err := r.ledger.Administration(a.LastReversal().Number)
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return false, err
}
