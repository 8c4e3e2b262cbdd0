package pix

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// newCharge is the body that creates a charge.
type newCharge struct {
	Calendario struct {
		Expiracao int `json:"expiracao"`
	} `json:"calendario"`
	Valor struct {
		Original string `json:"original"`
	} `json:"valor"`
	Chave              string `json:"chave"`
	SolicitacaoPagador string `json:"solicitacaoPagador,omitempty"`
}

// create makes the charge, or finds the one that was made of it. A *remote.Refusal means that there is none, for sure.
func (a *Acquirer) create(ctx context.Context, t payment.Transaction) (charge, error) {
	txid := a.TxID(t)
	body := newCharge{Chave: a.config.Key, SolicitacaoPagador: a.config.Note}
	body.Calendario.Expiracao = int(a.config.Expiry / time.Second)
	body.Valor.Original = t.Request.Amount.Cents()
	raw, err := a.client.call(ctx, http.MethodPut, "/"+a.config.CreatePath+"/"+txid, body)
	if err == nil {
		var c charge
		if c, err = parseCharge(raw, txid); err == nil {
			return c, a.fits(c, t)
		}
	}
	if ctx.Err() != nil {
		return charge{}, err
	}
	if noEffect(err) && !refused(err) {
		return charge{}, refusalOf(err) // it never got there
	}
	// Refused perhaps only because an earlier try, of which no answer came, had made it.
	c, seen := a.see(ctx, t)
	if seen != nil {
		return charge{}, conclude(err, seen)
	}
	return c, a.fits(c, t)
}

// fits is an error when the charge under this attempt's id is not this attempt's.
func (a *Acquirer) fits(c charge, t payment.Transaction) error {
	if c.key != "" && c.key != a.config.Key {
		return errors.New("the PSP has a charge of another key under this id")
	}
	if c.amount.Cmp(t.Request.Amount) != 0 {
		return fmt.Errorf("the PSP has a charge of %s under the id of one of %s", c.amount, t.Request.Amount)
	}
	return nil
}

// see looks the charge up.
func (a *Acquirer) see(ctx context.Context, t payment.Transaction) (charge, error) {
	return a.look(ctx, t, maxTries)
}

func (a *Acquirer) look(ctx context.Context, t payment.Transaction, tries int) (charge, error) {
	txid := a.TxID(t)
	raw, err := a.client.repeat(ctx, tries, http.MethodGet, "/cob/"+txid, nil)
	if err != nil {
		return charge{}, err
	}
	return parseCharge(raw, txid)
}

// withdraw takes the charge back, so that nobody can pay it any more, and returns what became of it: it may have been
// paid in that very moment. An error means that it may still be paid. Where the bank withdraws nothing the charge is left to
// expire, at the time given, and is over only then.
func (a *Acquirer) withdraw(ctx context.Context, t payment.Transaction, expires time.Time) (charge, error) {
	txid := a.TxID(t)
	body := map[string]string{"status": removedByUs}
	for try := 1; ; try++ {
		var said charge
		raw, err := a.client.call(ctx, http.MethodPatch, "/cob/"+txid, body)
		if err == nil {
			said, err = parseCharge(raw, txid)
		}
		// A payment may have come in just before the removal; only a look tells.
		c, seen := a.see(ctx, t)
		switch {
		case seen == nil && c.final():
			return c, nil
		case seen != nil && err == nil && said.final():
			return said, nil // its word on the removal counts, even if it says no more
		case seen == nil && withdrawsNothing(err) && !time.Now().Before(expires):
			return c, nil // expired, and nobody has paid
		case seen == nil && withdrawsNothing(err) && time.Until(expires) > a.config.Pace.MaxBackoff:
			return charge{}, errStillPayable
		case seen == nil && withdrawsNothing(err):
			if err := remote.Sleep(ctx, time.Until(expires)); err != nil {
				return charge{}, err
			}
			try = 0
			continue
		case try == maxTries || ctx.Err() != nil:
			return charge{}, errors.Join(errors.New("the charge could not be withdrawn"), err, seen)
		}
		if err := remote.Sleep(ctx, min(a.config.Pace.Backoff<<(try-1), a.config.Pace.MaxBackoff)); err != nil {
			return charge{}, err
		}
	}
}

var errStillPayable = errors.New("the PSP withdraws no charges: this one can be paid until it expires")

// withdrawsNothing tells of a PSP that does not know the call.
func withdrawsNothing(err error) bool {
	var p *problem
	if !errors.As(err, &p) {
		return false
	}
	switch p.Status {
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	case http.StatusNotFound:
		return !p.notFound
	case http.StatusBadRequest:
		return !p.violated
	}
	return false
}

// final tells that nothing will happen to the charge any more. One concluded without a payment to show is not told
// to its end.
func (c charge) final() bool {
	return len(c.received) > 0 || c.status == removedByUs || c.status == removedByPSP
}
