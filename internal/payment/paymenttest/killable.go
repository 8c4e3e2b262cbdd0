package paymenttest

import (
	"context"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// book is the real ledger as a process sees it that may be killed. It holds the driver to the order of things: the
// ledger first, then the other side.
type book struct {
	*store.Ledger
	*Process
	terminal *terminal
}

func (b book) Begin(t payment.Transaction) (int64, error) {
	return killable(b.Process, func() (int64, error) { return b.Ledger.Begin(t) })
}

func (b book) Append(t payment.Transaction, note string) error {
	_, err := killable(b.Process, func() (struct{}, error) {
		b.first(t)
		return struct{}{}, b.Ledger.Append(t, note)
	})
	return err
}

// first complains of what the other side should not know before the ledger does.
func (b book) first(t payment.Transaction) {
	m := b.terminal
	decided := t.Unacknowledged && (t.State == payment.StateConfirmed || t.State == payment.StateReturned || t.State == payment.StateReversed)
	_, err := b.Ledger.Administration(t.OperationNumber())
	if t.State == payment.StateSent && err != nil && m.fixture.Reached(t) { // what was made in a menu had left before
		m.t.Errorf("%s had left before the ledger had it as sent", t.Operation())
	}
	if decided && m.fixture.Confirmed != nil && m.fixture.Confirmed(t) {
		m.t.Errorf("%s was confirmed to the other side before the ledger had it as %s", t.Operation(), t.State)
	}
}

// Owe and Paid are what a driver keeps beside the attempts.
func (b book) Owe(acquirer, what string) error {
	_, err := killable(b.Process, func() (struct{}, error) { return struct{}{}, b.Ledger.Owe(acquirer, what) })
	return err
}

func (b book) Paid(acquirer, what string) error {
	_, err := killable(b.Process, func() (struct{}, error) { return struct{}{}, b.Ledger.Paid(acquirer, what) })
	return err
}

func (b book) KeepAdministration(a payment.Administration) error {
	_, err := killable(b.Process, func() (struct{}, error) { return struct{}{}, b.Ledger.KeepAdministration(a) })
	return err
}

func (b book) OpenAdministrations() ([]payment.Administration, error) {
	if err := b.Alive(); err != nil {
		return nil, err
	}
	return b.Ledger.OpenAdministrations()
}

func (b book) Get(id int64) (payment.Transaction, error) {
	if err := b.Alive(); err != nil {
		return payment.Transaction{}, err
	}
	return b.Ledger.Get(id)
}

func (b book) Newest(reference string) (payment.Transaction, error) {
	if err := b.Alive(); err != nil {
		return payment.Transaction{}, err
	}
	return b.Ledger.Newest(reference)
}

func (b book) Unresolved() ([]payment.Transaction, error) {
	if err := b.Alive(); err != nil {
		return nil, err
	}
	return b.Ledger.Unresolved()
}

func (b book) List(ctx context.Context, f payment.Filter, each func(payment.Transaction) error) error {
	if err := b.Alive(); err != nil {
		return err
	}
	return b.Ledger.List(ctx, f, each)
}

// repeated is the driver, asked everything twice that may be repeated.
type repeated struct {
	payment.Acquirer
	*Process
	terminal *terminal
}

func (r repeated) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	return killable(r.Process, func() (payment.Outcome, error) { return r.Acquirer.Pay(ctx, c) })
}

func (r repeated) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	return killable(r.Process, func() (payment.Outcome, error) { return r.Acquirer.Reverse(ctx, c) })
}

func (r repeated) Confirm(ctx context.Context, t payment.Transaction) error {
	_, err := killable(r.Process, func() (struct{}, error) { return struct{}{}, r.Acquirer.Confirm(ctx, t) })
	if err != nil {
		return err
	}
	again, cancel := context.WithTimeout(ctx, repeatWait)
	defer cancel()
	if err := r.Acquirer.Confirm(again, t); err != nil && r.Alive() == nil && ctx.Err() == nil {
		r.terminal.t.Errorf("confirming %s again: %v", t.Operation(), err)
	}
	return r.Alive()
}

// repeatWait is for an answer that was there a moment ago.
const repeatWait = 9 * time.Second

func (r repeated) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	first, err := killable(r.Process, func() (payment.Outcome, error) { return r.Acquirer.Settle(ctx, t) })
	if err != nil {
		return payment.Outcome{}, err
	}
	again, cancel := context.WithTimeout(context.WithoutCancel(ctx), repeatWait)
	defer cancel()
	second, err := r.Acquirer.Settle(again, t)
	switch {
	case r.Alive() != nil:
		return payment.Outcome{}, errDead
	case err != nil:
		r.terminal.t.Errorf("settling %s again: %v", t.Operation(), err)
	case (first.Verdict == payment.Accepted) != (second.Verdict == payment.Accepted):
		r.terminal.t.Errorf("%s was settled as %q and then as %q", t.Operation(), first.Verdict, second.Verdict)
	}
	return first, nil
}

// Administer and SettleAdministration are of a driver that has a menu; no other is asked.
func (r repeated) Administer(ctx context.Context, c payment.Charge) (payment.Administered, error) {
	return killable(r.Process, func() (payment.Administered, error) { return r.Acquirer.(payment.Administrator).Administer(ctx, c) })
}

// SettleAdministration is asked once: what it has undone it has forgotten.
func (r repeated) SettleAdministration(ctx context.Context, a payment.Administration) (payment.Administered, error) {
	return killable(r.Process, func() (payment.Administered, error) {
		return r.Acquirer.(payment.Administrator).SettleAdministration(ctx, a)
	})
}

// Sweep is the driver's, if it has one.
func (r repeated) Sweep(ctx context.Context) error {
	if err := r.Alive(); err != nil {
		return err
	}
	if s, ok := r.Acquirer.(payment.Sweeper); ok {
		return s.Sweep(ctx)
	}
	return nil
}

// LateMoney and ReturnLate are the driver's, if it has them.
func (r repeated) LateMoney(ctx context.Context, t payment.Transaction) (payment.Late, error) {
	receiver, ok := r.Acquirer.(payment.LateReceiver)
	if !ok {
		return payment.Late{}, r.Alive()
	}
	return killable(r.Process, func() (payment.Late, error) { return receiver.LateMoney(ctx, t) })
}

// ReturnLate is asked for twice: what went back must not go back again.
func (r repeated) ReturnLate(ctx context.Context, t payment.Transaction) error {
	receiver := r.Acquirer.(payment.LateReceiver) // or no money had come
	_, err := killable(r.Process, func() (struct{}, error) { return struct{}{}, receiver.ReturnLate(ctx, t) })
	if err != nil {
		return err
	}
	if err := receiver.ReturnLate(ctx, t); err != nil && r.Alive() == nil {
		r.terminal.t.Errorf("returning what came late to %s again: %v", t.Operation(), err)
	}
	return r.Alive()
}
