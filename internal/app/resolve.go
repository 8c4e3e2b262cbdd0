package app

import (
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// Resolve ends an attempt that its acquirer can't be asked about any more, by a person's word. No instance may be
// running.
func Resolve(c Config, id int64, made bool, note string) (t payment.Transaction, err error) {
	unlock, err := datafolder.Open(c.Data)
	if err != nil {
		return t, err
	}
	defer unlock() //nolint:errcheck // nothing was written through it
	s, err := store.Open(c.Data)
	if err != nil {
		return t, unreadable(c.Data, err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ledger, err := s.Ledger()
	if err != nil {
		return t, unreadable(c.Data, err)
	}
	t, err = payment.Resolve(ledger, id, made, logbook.Redact(note))
	switch {
	case errors.Is(err, payment.ErrNotFound):
		return t, fmt.Errorf("nenhuma transação tem o número %d", id)
	case errors.Is(err, payment.ErrResolved):
		return t, fmt.Errorf("a transação %d já está resolvida", id)
	}
	return t, err
}
