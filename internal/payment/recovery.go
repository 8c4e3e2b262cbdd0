package payment

import (
	"context"
	"fmt"
	"time"
)

// recoveryPause is how long an acquirer that can't settle yet is left alone.
const recoveryPause = 5 * time.Second

// settle asks the acquirer what became of a pending transaction and keeps the answer. ErrUnknown: it can't
// tell now; the recovery goes on asking.
func (d *Desk) settle(t Transaction) (Transaction, error) {
	d.settling.Lock()
	defer d.settling.Unlock()
	// Another may have settled it while this one waited.
	t, err := d.ledger.Get(t.ID)
	if err != nil || t.Status != Pending {
		return t, err
	}
	ctx, cancel := context.WithTimeout(d.ctx, settleWait)
	defer cancel()
	outcome, err := d.acquirer.Settle(ctx, t)
	if err != nil {
		d.wakeRecovery()
		return Transaction{}, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	if t.Phase == Reversing {
		return d.save(t.settleReversal(outcome))
	}
	return d.save(t.settle(outcome))
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

// settlePending tries every pending transaction but the live one; false means some are left.
func (d *Desk) settlePending() bool {
	pending, err := d.live.others(d.ledger.Pending)
	if err != nil {
		return false
	}
	clean := true
	for _, t := range pending {
		if _, err := d.settle(t); err != nil {
			clean = false
		}
	}
	return clean
}
