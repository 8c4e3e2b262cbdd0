package tef

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// Sweep resolves what the manager left in the folder since the last operation, such as the late answer to one that
// was given up: the next operation would do it too.
func (a *Acquirer) Sweep(ctx context.Context) error {
	leave, err := a.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return a.sweep(ctx, a.claimed)
}

// claimed spares an approval that is on its way to the ledger, and one that can't be undone as long as its own settlement is to find it.
func (a *Acquirer) claimed(r intpos.Message) bool {
	switch {
	case a.config.Profile.spoken(r) != approved:
		return false
	case intpos.Same(r.Get(intpos.ID), a.open):
		return true
	case a.config.Profile.mustConfirm(r):
		return false
	case a.config.Awaited == nil:
		return true
	}
	awaited, err := a.config.Awaited(a.config.Profile.tokenOf(r).operation())
	return awaited || err != nil
}

func nobody(intpos.Message) bool { return false }

// sweep decides what is left of earlier operations but for what is spared. Before a new one nothing is: by then the
// ledger has had its say on all others.
func (a *Acquirer) sweep(ctx context.Context, spare func(intpos.Message) bool) error {
	if err := a.payDebts(ctx); err != nil {
		return err
	}
	r, found, err := a.leftover(ctx)
	if err != nil || !found || spare(r) {
		return err
	}
	if err := a.resolve(r); err != nil {
		return err
	}
	if err := a.discard(r); err != nil {
		return err
	}
	return a.payDebts(ctx)
}

// leftover is the response in the folder; one whose rest does not come is none.
func (a *Acquirer) leftover(ctx context.Context) (intpos.Message, bool, error) {
	for limit := time.Now().Add(wholeWait); ; {
		r, whole, there, err := a.resp.Read(a.files.Response)
		wait := there && !whole && (err == nil || errors.Is(err, intpos.ErrHeld))
		if !wait || !time.Now().Before(limit) {
			return r, whole, err
		}
		if err := pause(ctx); err != nil {
			return nil, false, err
		}
	}
}

// resolve has the operation that a response tells of confirmed or undone, by what the ledger has decided: an approval, or one
// that a refusal reports as still pending at the network. After it the response may go: what is owed by it is on disk.
func (a *Acquirer) resolve(r intpos.Message) error {
	of, w := a.config.Profile.tokenOf(r), a.config.Profile.spoken(r)
	if w == inconsistent || w == refused && of.Key == "" {
		return nil // nothing to decide on, or no way to tell: neither confirm nor undo
	}
	operation := of.operation()
	if w == refused {
		operation.Number = 0 // the id is the refused one's
	}
	decided, err := a.config.Decided(operation)
	if err == nil && !decided && w == approved && isMenu(r) {
		if !a.config.Profile.mustConfirm(r) {
			return a.oweLedger(r)
		}
		// A receipt that was printed again may come with the key of its sale, which stands.
		operation.Number = 0
		if stands, err := a.config.Decided(operation); err != nil || stands {
			return err
		}
	}
	switch {
	case err != nil:
		return fmt.Errorf("looking up what was decided: %w", err)
	case !decided && w == approved && !a.config.Profile.mustConfirm(r):
		return a.oweLedger(r) // undoing would do nothing
	case !decided:
		return a.owe(intpos.Undo, of)
	case w == approved && !a.config.Profile.mustConfirm(r):
		return nil
	}
	return a.owe(intpos.Confirm, of)
}

func isMenu(r intpos.Message) bool { return strings.EqualFold(r.Get(intpos.Command), intpos.Admin) }

// discard deletes a response unless another has taken its place.
func (a *Acquirer) discard(r intpos.Message) error {
	return a.discardIf(func(now intpos.Message) bool { return slices.Equal(now, r) })
}

func (a *Acquirer) discardIf(match func(intpos.Message) bool) error {
	now, whole, _, err := a.resp.Read(a.files.Response)
	if err != nil || !whole || !match(now) {
		return err
	}
	_, err = a.resp.Remove(a.files.Response)
	return err
}
