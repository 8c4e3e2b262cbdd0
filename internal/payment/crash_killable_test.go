//go:build !race || everything

package payment_test

import (
	"context"
	"errors"
	"sync"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

var errDead = errors.New("the process is dead")

// life is how many more steps a process takes before the power goes. A dead one has no effect on anything.
type life struct {
	mu   sync.Mutex
	left int // negative: for ever
}

// step reports whether the process still lives after this one.
func (l *life) step() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left > 0 {
		l.left--
	}
	return l.left != 0
}

func (l *life) dead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.left == 0
}

func (l *life) set(steps int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left = steps
}

// killable does something that dies with its process, before it is done or just after.
func killable[T any](l *life, do func() (T, error)) (T, error) {
	var none T
	if !l.step() {
		return none, errDead
	}
	v, err := do()
	if !l.step() {
		return none, errDead
	}
	return v, err
}

// killableLedger and killableBank are the real ones, as a process that may die sees them.
type killableLedger struct {
	*store.Ledger
	*life
}

func (m killableLedger) Begin(t payment.Transaction) (int64, error) {
	return killable(m.life, func() (int64, error) { return m.Ledger.Begin(t) })
}

func (m killableLedger) Append(t payment.Transaction, note string) error {
	_, err := killable(m.life, func() (struct{}, error) { return struct{}{}, m.Ledger.Append(t, note) })
	return err
}

func (m killableLedger) Get(id int64) (t payment.Transaction, err error) {
	if m.dead() {
		return t, errDead
	}
	return m.Ledger.Get(id)
}

func (m killableLedger) Unresolved() ([]payment.Transaction, error) {
	if m.dead() {
		return nil, errDead
	}
	return m.Ledger.Unresolved()
}

type killableBank struct {
	*emulator.Acquirer
	*life
}

func (m killableBank) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	return killable(m.life, func() (payment.Outcome, error) { return m.Acquirer.Pay(ctx, c) })
}

func (m killableBank) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	return killable(m.life, func() (payment.Outcome, error) { return m.Acquirer.Reverse(ctx, c) })
}

func (m killableBank) Confirm(ctx context.Context, t payment.Transaction) error {
	_, err := killable(m.life, func() (struct{}, error) { return struct{}{}, m.Acquirer.Confirm(ctx, t) })
	return err
}

func (m killableBank) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	return killable(m.life, func() (payment.Outcome, error) { return m.Acquirer.Settle(ctx, t) })
}
