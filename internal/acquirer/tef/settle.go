package tef

import (
	"context"
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/payment"
)

// Confirm tells the manager that the operation stands.
func (a *Acquirer) Confirm(ctx context.Context, t payment.Transaction) error {
	leave, err := a.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	kept, err := accepted(t)
	if err != nil {
		return err
	}
	if !kept.Final {
		if err := a.tell(ctx, intpos.Confirm, kept); err != nil {
			return err
		}
	}
	a.open = ""
	return a.discardIf(func(r intpos.Message) bool { return intpos.Same(r.Get(intpos.ID), kept.ID) })
}

// accepted is what the ledger keeps of the operation to confirm.
func accepted(t payment.Transaction) (token, error) {
	if last := t.LastReversal(); last.Made() {
		return parseToken(last.Token)
	}
	return parseToken(t.Outcome.Token)
}

// own is the response to the transaction's operation, if it lies in the folder.
func (a *Acquirer) own(ctx context.Context, t payment.Transaction) (intpos.Message, bool, error) {
	id, err := operationID(t)
	if err != nil {
		return nil, false, err
	}
	r, found, err := a.leftover(ctx)
	return r, found && intpos.Same(r.Get(intpos.ID), id), err
}

// Settle finds the answer that nobody took, or makes sure that there will be none: an approval is undone, since
// nobody was told of it. One that can't be undone stands, and is reported so.
func (a *Acquirer) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	leave, err := a.enter(ctx)
	if err != nil {
		return payment.Outcome{}, err
	}
	defer leave()
	r, found, err := a.own(ctx, t)
	if err != nil {
		return payment.Outcome{}, err
	}
	if found {
		return a.settle(ctx, t, r)
	}
	if !t.Reversing() && t.Outcome.Token != "" {
		return a.settleKept(ctx, t)
	}
	r, found, err = a.ruledOut(ctx, t)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case found:
		return a.settle(ctx, t, r)
	}
	// It may be this one's, under an id that was not echoed.
	return payment.Outcome{Verdict: payment.Abandoned}, a.sweep(ctx, a.claimed)
}

// settle is the outcome by the response that lay in the folder.
func (a *Acquirer) settle(ctx context.Context, t payment.Transaction, r intpos.Message) (payment.Outcome, error) {
	o := payment.Outcome{Verdict: payment.Abandoned}
	switch w := a.config.Profile.read(t, r); {
	case w == approved && !a.config.Profile.mustConfirm(r):
		a.open = r.Get(intpos.ID)
		return a.config.Profile.approval(deal{method: settledMethod(t)}, r), nil
	case w == divergent && a.config.Profile.final(r), w == inconsistent && a.config.Profile.final(r):
		return payment.Outcome{}, doubtful(r) // money may have moved, and nothing can take it back: a person has to look
	case w == approved, w == divergent:
		if err := a.undo(ctx, a.config.Profile.tokenOf(r)); err != nil {
			return payment.Outcome{}, err
		}
	case w == refused:
		if err := a.resolve(r); err != nil {
			return payment.Outcome{}, err
		}
		if err := a.payDebts(ctx); err != nil {
			return payment.Outcome{}, err
		}
		o = refusal(t, r)
	default:
		// It is never confirmed, so the network takes it back; what names it is kept for whoever looks for it there.
		o.Message, o.NSU, o.Token = sayInconsistent, r.Get(intpos.NSU), a.config.Profile.tokenOf(r).String()
	}
	a.open = ""
	return o, a.discard(r)
}

// settledMethod is all that is known after a crash of what the person chose.
func settledMethod(t payment.Transaction) payment.Method {
	if t.Method() == payment.AnyMethod {
		return ""
	}
	return t.Method()
}

// settleKept undoes an approval that the ledger has but did not decide on.
func (a *Acquirer) settleKept(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	kept, err := parseToken(t.Outcome.Token)
	if err != nil {
		return payment.Outcome{}, err
	}
	if kept.Final {
		o := t.Outcome
		o.Verdict = payment.Accepted
		return o, nil
	}
	return payment.Outcome{Verdict: payment.Abandoned}, a.tell(ctx, intpos.Undo, kept)
}

// ruledOut makes sure that no answer will come, and looks for it once more. What the manager has taken and never answered is undone by our
// id, which is all there is to name it: a charge of which it said nothing would stay open there.
func (a *Acquirer) ruledOut(ctx context.Context, t payment.Transaction) (r intpos.Message, found bool, err error) {
	id, err := operationID(t)
	if err != nil {
		return nil, false, err
	}
	taken, err := a.ruleOut(ctx, id)
	if err != nil {
		return nil, false, err
	}
	if r, found, err = a.own(ctx, t); err != nil || found || !taken {
		return r, found, err
	}
	of := token{ID: id}
	if a.config.Profile.OwnKey {
		of.Key = id
	}
	if err := a.undo(ctx, of); err != nil && !errors.Is(err, errSilent) { // which is told again with the other debts
		return nil, false, err
	}
	return nil, false, nil
}

// ruleOut returns once the manager neither has the operation nor will get it: its request was still there and is
// withdrawn, or the manager answers that it is ready for another, and may have taken the request before.
func (a *Acquirer) ruleOut(ctx context.Context, id string) (taken bool, err error) {
	request, whole, _, err := a.req.Read(a.files.Request)
	if err != nil {
		return false, err
	}
	withdrawn, err := a.req.Remove(a.files.Request)
	if err != nil {
		return false, fmt.Errorf("withdrawing the request: %w", err)
	}
	if withdrawn && whole && intpos.Same(request.Get(intpos.ID), id) {
		taken, err := a.acknowledged(ctx, nil, request, lastMoment)
		if err != nil || !taken {
			return false, err
		}
	}
	err = a.send(ctx, alive(id))
	if errors.Is(err, errSilent) {
		err = errInactive
	}
	return true, err
}
