package payment

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// recoveryPause is how long an acquirer that can't settle yet is left alone.
const recoveryPause = 5 * time.Second

// settle asks the acquirer what became of a pending transaction and keeps the answer. ErrUnknown: it can't
// tell now; the recovery goes on asking.
func (d *Desk) settle(t Transaction) (Transaction, error) {
	return d.settleUnless(t, func() bool { return false })
}

// settleIdle is settle for a transaction that no operation works on; one that is live is left alone.
func (d *Desk) settleIdle(t Transaction) (Transaction, error) {
	return d.settleUnless(t, func() bool { return d.live.id == t.ID })
}

func (d *Desk) settleUnless(t Transaction, live func() bool) (Transaction, error) {
	d.settling.Lock()
	defer d.settling.Unlock()
	if d.ctx.Err() != nil {
		return Transaction{}, ErrUnknown // the next start settles it
	}
	// Another may have settled it, or begun to work on it, while this one waited.
	d.live.mu.Lock()
	skip := live()
	t, err := d.ledger.Get(t.ID)
	d.live.mu.Unlock()
	switch {
	case skip:
		return Transaction{}, ErrUnknown
	case err != nil:
		d.wakeRecovery()
		return Transaction{}, fmt.Errorf("%w: reading the attempt: %w", ErrUnknown, err)
	case t.Status != Pending:
		return t, nil
	}
	outcome, err := d.askAcquirer(t)
	if err != nil {
		d.wakeRecovery()
		return Transaction{}, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	if t.Phase == Reversing {
		return d.save(t.settleReversal(outcome))
	}
	return d.save(t.settle(outcome))
}

// askAcquirer turns a driver's panic into an error: it must take neither the recovery nor the terminal with it.
func (d *Desk) askAcquirer(t Transaction) (o Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeout(d.ctx, settleWait)
	defer cancel()
	return d.acquirer.Settle(ctx, t)
}

func (d *Desk) wakeRecovery() {
	select {
	case d.recover <- struct{}{}:
	default:
	}
}

// recovery settles what is pending, at start and whenever an operation ended without an answer.
func (d *Desk) recovery() {
	for {
		select {
		case <-d.ctx.Done():
			return
		case <-d.recover:
		}
		for !d.settlePending() {
			select {
			case <-d.ctx.Done():
				return
			case <-time.After(recoveryPause):
			}
		}
	}
}

// settlePending tries every pending transaction once; false means some are left, if only the live one.
func (d *Desk) settlePending() bool {
	pending, err := d.ledger.Pending()
	if err != nil {
		return false
	}
	clean := true
	for _, t := range pending {
		settled, err := d.settleIdle(t)
		switch {
		case err != nil:
			clean = false
		case d.recovered != nil:
			d.recovered(settled)
		}
	}
	return clean
}
