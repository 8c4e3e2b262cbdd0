package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/totp"
)

const (
	// mostWrongCodes are taken of a person within wrongCodesFor, at all hubs together: who has stolen a password must not try all codes.
	mostWrongCodes = 10
	wrongCodesFor  = 15 * time.Minute
)

// HasFactor tells whether a code is asked for beside the password.
func (p Person) HasFactor() bool { return len(p.Factor) > 0 }

// prove takes a code of the person's second factor, once. Who has none need prove nothing.
func (d *Desk) prove(ctx context.Context, p Person, code string) error {
	switch {
	case !p.HasFactor():
		return nil
	case code == "":
		return ErrNeedsFactor
	}
	secret, err := d.factors.Open(p.Factor, p.ID)
	if err != nil {
		return err
	}
	// Counted before the code is looked at: many at once must not all be looked at.
	now := Now()
	if err := d.book.TryFactor(ctx, p.ID, now, now.Add(-wrongCodesFor), mostWrongCodes); err != nil {
		return notFoundIs(ErrTooManyCodes, err)
	}
	period := totp.Secret(secret).Find(code, time.Now())
	if period == 0 {
		return ErrWrongFactor
	}
	return notFoundIs(ErrWrongFactor, d.book.UseFactor(ctx, p.ID, period))
}

func notFoundIs(meant, err error) error {
	if errors.Is(err, ErrNotFound) {
		return meant
	}
	return err
}

// SetFactor gives a person the second factor of a secret that he has in his telephone, as a code of it shows, and ends the sessions. current is
// a code of the factor before. Nobody sets another's.
func (d *Desk) SetFactor(ctx context.Context, a Actor, id, secret, code, current string) error {
	p, err := d.own(ctx, a, id)
	if err != nil {
		return err
	}
	wanted, err := totp.ParseSecret(secret)
	if err != nil {
		return ErrBadFactor
	}
	period := wanted.Find(code, time.Now())
	if period == 0 {
		return ErrBadFactor // before the code of the old one is used up
	}
	if err := d.prove(ctx, p, current); err != nil {
		return err
	}
	return d.writeFactor(ctx, a, p, d.factors.Seal(wanted, p.ID), period, "Segundo fator da pessoa %q definido")
}

// DropFactor takes a second factor away and ends the sessions: one's own by a code of it, another's as an administrator, for who has lost his
// telephone.
func (d *Desk) DropFactor(ctx context.Context, a Actor, id, current string) error {
	p, err := d.person(ctx, a, id)
	if err != nil {
		return err
	}
	if !p.HasFactor() {
		return ErrNotFound
	}
	if a.ID == id {
		if err := d.prove(ctx, p, current); err != nil {
			return err
		}
	}
	return d.writeFactor(ctx, a, p, nil, 0, "Segundo fator da pessoa %q retirado")
}

func (d *Desk) writeFactor(ctx context.Context, a Actor, p Person, sealed []byte, period int64, what string) error {
	defer d.forgetSessions(p.ID)
	return d.book.SetFactor(ctx, p.ID, sealed, period, NewChange(a, p.Place, p.ID, fmt.Sprintf(what, p.Name)))
}

// own is the person who asks.
func (d *Desk) own(ctx context.Context, a Actor, id string) (Person, error) {
	p, err := d.person(ctx, a, id)
	if err == nil && a.ID != id {
		err = ErrForbidden
	}
	return p, err
}
