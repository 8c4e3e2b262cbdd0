package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// settleMenus settles what was left of visits to a menu; the error is the last of them.
func (r *recovery) settleMenus() error {
	open, err := r.ledger.OpenAdministrations()
	if err != nil {
		return err
	}
	for _, a := range open {
		if failed := r.settleMenu(a); failed != nil {
			err = failed
		}
	}
	return err
}

// menuOpenSince is since when something is left of a visit to the menu of a way; zero: nothing is.
func (r *recovery) menuOpenSince(w Way) (since time.Time, err error) {
	open, err := r.ledger.OpenAdministrations()
	if err != nil {
		return since, errors.Join(operation.ErrNotSaved, err)
	}
	for _, a := range open {
		if a.Acquirer != w.Name {
			continue
		}
		switch err := r.settleMenu(a); {
		case errors.Is(err, operation.ErrNotSaved):
			return since, err
		case err != nil:
			return a.Since, nil
		}
	}
	return since, nil
}

// inTurn does something while no settlement is under way.
func (r *recovery) inTurn(do func() error) error {
	select {
	case r.settling <- struct{}{}:
		defer func() { <-r.settling }()
		return do()
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}

// settleMenu finds out what became of a visit that ended without an answer, unless an operation works on it.
func (r *recovery) settleMenu(a Administration) error {
	return r.inTurn(func() error { return r.settleMenuNow(a) })
}

func (r *recovery) settleMenuNow(a Administration) error {
	a, err := r.ledger.Administration(a.Number) // another may have settled it meanwhile
	switch {
	case err != nil:
		return err
	case a.State == AdministrationDone:
		return nil
	case r.menu() == a.Number:
		return errInWork
	}
	way, configured := r.ways.named(a.Acquirer)
	administrator, can := way.Acquirer.(Administrator)
	if !configured || !can {
		return fmt.Errorf("%w: %q", ErrNoAcquirer, a.Acquirer)
	}
	if a.State == AdministrationDecided {
		if err := r.confirmMenu(a, way); err != nil {
			return err
		}
		return r.endMenu(context.Background(), a, Outcome{Verdict: Accepted})
	}
	switch _, err := r.ledger.Numbered(a.Number); {
	case err == nil:
		return r.endMenu(context.Background(), a, Outcome{Verdict: Accepted}) // it is a reversal now, and goes the way of those
	case !errors.Is(err, ErrNotFound):
		return err
	}
	var w Administered
	err = r.guarded(func(ctx context.Context) (err error) {
		w, err = administrator.SettleAdministration(ctx, a)
		return err
	})
	r.heard(way.Name, err)
	if err != nil {
		return err
	}
	return r.conclude(context.Background(), a, way, w)
}
