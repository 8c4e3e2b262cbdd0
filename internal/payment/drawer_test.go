package payment_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// drawer is a ledger in memory that can be told to fail.
type drawer struct {
	mu    sync.Mutex
	rows  []payment.Transaction
	steps map[int64][]payment.Event
	menus []payment.Administration
	// fail is asked before every operation, named begin, append, get, newest or unresolved; nil never fails.
	fail func(op string, t payment.Transaction) error
	// listed is called after the pending ones were read, before they are returned.
	listed func()
}

func (l *drawer) failing(op string, t payment.Transaction) error {
	l.mu.Lock()
	fail := l.fail
	l.mu.Unlock()
	if fail == nil {
		return nil
	}
	return fail(op, t)
}

func (l *drawer) setFail(fail func(string, payment.Transaction) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail = fail
}

func (l *drawer) Begin(t payment.Transaction) (int64, error) {
	if err := l.failing("begin", t); err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t.ID = int64(len(l.rows) + 1)
	l.rows = append(l.rows, t)
	l.note(t, "")
	return t.ID, nil
}

// note adds to the history, under the lock.
func (l *drawer) note(t payment.Transaction, why string) {
	if l.steps == nil {
		l.steps = map[int64][]payment.Event{}
	}
	l.steps[t.ID] = append(l.steps[t.ID], payment.Event{At: t.UpdatedAt, Operation: t.Operation(), State: t.State, Note: why})
}

func (l *drawer) Append(t payment.Transaction, why string) error {
	if err := l.failing("append", t); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[t.ID-1] = t
	l.note(t, why)
	return nil
}

func (l *drawer) Get(id int64) (payment.Transaction, error) {
	if err := l.failing("get", payment.Transaction{ID: id}); err != nil {
		return payment.Transaction{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows[id-1], nil
}

func (l *drawer) Newest(reference string) (payment.Transaction, error) {
	if err := l.failing("newest", payment.Transaction{}); err != nil {
		return payment.Transaction{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range slices.Backward(l.rows) {
		if t.Request.Reference == reference {
			return t, nil
		}
	}
	return payment.Transaction{}, payment.ErrNotFound
}

func (l *drawer) Numbered(number int64) (payment.Transaction, error) {
	for _, t := range l.all() {
		if number > 0 && (t.Number == number || slices.ContainsFunc(t.Reversals, func(r payment.Reversal) bool { return r.Number == number })) {
			return t, nil
		}
	}
	return payment.Transaction{}, payment.ErrNotFound
}

func (l *drawer) LastNumber() (last int64, err error) {
	for _, t := range l.all() {
		last = max(last, t.Number, t.LastReversal().Number)
	}
	return last, nil
}

func (l *drawer) Unresolved() (pending []payment.Transaction, err error) {
	if err := l.failing("unresolved", payment.Transaction{}); err != nil {
		return nil, err
	}
	for _, t := range l.all() {
		if !t.Resolved() {
			pending = append(pending, t)
		}
	}
	if l.listed != nil {
		l.listed()
	}
	return pending, nil
}

func (l *drawer) List(_ context.Context, _ payment.Filter, each func(payment.Transaction) error) error {
	for _, t := range l.all() {
		if err := each(t); err != nil {
			return err
		}
	}
	return nil
}

func (l *drawer) KeepAdministration(a payment.Administration) error {
	if err := l.failing("keep", payment.Transaction{Number: a.Number}); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.menus = append(slices.DeleteFunc(l.menus, func(old payment.Administration) bool { return old.Number == a.Number }), a)
	return nil
}

func (l *drawer) Administration(number int64) (payment.Administration, error) {
	all, _ := l.Administrations(time.Time{})
	if i := slices.IndexFunc(all, func(a payment.Administration) bool { return a.Number == number }); i >= 0 {
		return all[i], nil
	}
	return payment.Administration{}, payment.ErrNotFound
}

func (l *drawer) OpenAdministrations() ([]payment.Administration, error) {
	all, err := l.Administrations(time.Time{})
	return slices.DeleteFunc(all, func(a payment.Administration) bool { return a.State == payment.AdministrationDone }), err
}

func (l *drawer) Administrations(time.Time) ([]payment.Administration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.menus), nil
}

func (l *drawer) all() []payment.Transaction {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.rows)
}
