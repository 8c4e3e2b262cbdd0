package pix

import (
	"context"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// LateMoney looks for what was paid on a charge after its end: the payer's bank may have read it just before it expired or
// was withdrawn, and settles a moment later.
func (a *Acquirer) LateMoney(ctx context.Context, t payment.Transaction) (payment.Late, error) {
	c, err := a.see(ctx, t)
	if isNotFound(err) {
		return payment.Late{}, nil
	}
	if err != nil {
		return payment.Late{}, err
	}
	late := payment.Late{Amount: money.Zero}
	for _, p := range c.received {
		if rest := p.kept(); rest.Sign() > 0 {
			late.EndToEndID, late.Amount = p.e2eid, late.Amount.Add(rest)
		}
	}
	return late, nil
}

// kept is what neither went back nor is on its way.
func (p received) kept() money.Decimal {
	rest := p.amount
	for _, r := range p.refunds {
		if r.status != notMade {
			rest = rest.Sub(r.amount)
		}
	}
	return rest
}

// ReturnLate gives back what came in after the end. Its refunds have the ids of the undoing, so that a kill between asking
// for one and knowing of it asks for none twice.
func (a *Acquirer) ReturnLate(ctx context.Context, t payment.Transaction) error {
	c, err := a.see(ctx, t)
	if err != nil {
		return err
	}
	return a.giveBack(ctx, t, c)
}
