package tef

import (
	"context"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/payment"
)

// Administer opens the manager's own menu: reprints, reports, cancellations. What the person does there only the answer tells.
func (a *Acquirer) Administer(ctx context.Context, c payment.Charge) (w payment.Administered, err error) {
	id, err := operationID(c.Transaction)
	if err != nil {
		return payment.Administered{Outcome: payment.Outcome{Verdict: payment.Declined, Message: err.Error()}}, nil
	}
	w.Outcome, err = a.operate(ctx, c, payment.Prompt{Step: payment.StepMenu}, a.config.menu(id), func(r intpos.Message) (payment.Outcome, error) {
		w, err = a.fromMenu(ctx, r)
		return w.Outcome, err
	})
	return w, err
}

// fromMenu is the word of an answer from the menu. Its file stays until Confirm, as that of a sale does.
func (a *Acquirer) fromMenu(ctx context.Context, r intpos.Message) (payment.Administered, error) {
	switch a.config.Profile.spoken(r) {
	case approved:
		a.open = r.Get(intpos.ID)
		return a.config.Profile.administered(r), nil
	case inconsistent:
		return payment.Administered{}, doubtful(r)
	}
	if a.resolve(r) == nil { // else the file stays, so that the next operation tries again
		_ = a.payDebts(ctx)
	}
	return payment.Administered{Outcome: refusal(payment.Transaction{}, r)}, nil
}

// administered is what an approval in the menu means.
func (p Profile) administered(r intpos.Message) payment.Administered {
	w := payment.Administered{Outcome: p.approval(deal{}, r)}
	w.PaidWith, w.Installments = "", 0 // of whatever was printed again
	if w.Receipt.Customer == w.Receipt.Merchant {
		w.Receipt.Merchant = "" // a report is for the shop alone: one paper is enough
	}
	nsu := r.Get(intpos.OriginalNSU)
	if nsu == "" {
		return w
	}
	network, then := r.Get(intpos.Network), readMoment(r.Get(intpos.OriginalTime))
	w.Amount, _ = p.parseAmount(r.Get(intpos.Amount)) // not every manager repeats it
	w.Reverses = func(kept string) payment.Likeness {
		t, err := parseToken(kept)
		same := t.NSU == nsu || intpos.Same(t.NSU, nsu)
		if err != nil || t.NSU == "" || !same || network != "" && t.Network != "" && t.Network != network {
			return payment.Different
		}
		return then.like(t.moment())
	}
	return w
}

// SettleAdministration finds the answer that nobody took, or makes sure that there will be none. What waits for a confirmation is
// undone, since nobody was told of it; what does not, stands.
func (a *Acquirer) SettleAdministration(ctx context.Context, m payment.Administration) (payment.Administered, error) {
	leave, err := a.enter(ctx)
	if err != nil {
		return payment.Administered{}, err
	}
	defer leave()
	t := payment.Transaction{Number: m.Number}
	r, found, err := a.own(ctx, t)
	if err == nil && !found {
		r, found, err = a.ruledOut(ctx, t)
	}
	switch {
	case err != nil:
		return payment.Administered{}, err
	case !found:
		return payment.Administered{Outcome: payment.Outcome{Verdict: payment.Abandoned}}, a.sweep(ctx, a.claimed)
	}
	return a.settleMenu(ctx, r)
}

func (a *Acquirer) settleMenu(ctx context.Context, r intpos.Message) (payment.Administered, error) {
	switch p := a.config.Profile; {
	case p.spoken(r) == approved && !p.mustConfirm(r):
		a.open = r.Get(intpos.ID)
		return p.administered(r), nil
	case p.spoken(r) == inconsistent && p.final(r):
		return payment.Administered{}, doubtful(r)
	}
	if err := a.resolve(r); err != nil {
		return payment.Administered{}, err
	}
	a.open = ""
	if err := a.discard(r); err != nil {
		return payment.Administered{}, err
	}
	return payment.Administered{Outcome: payment.Outcome{Verdict: payment.Abandoned}}, a.payDebts(ctx)
}
