package clitest

import (
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// At reads a moment of the processes' zone.
func At(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.ParseInLocation("2006-01-02 15:04:05.999", text, Zone(t))
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

// Approved is a payment by credit card.
func Approved(at time.Time, amount, reference string) payment.Transaction {
	return Stand(payment.Transaction{
		Request: payment.Request{Method: payment.Credit, Amount: money.MustParse(amount), Reference: reference, Installments: 1, Plan: payment.Single},
		Outcome: payment.Outcome{NSU: "000123", Authorization: "A1B2C3", Brand: "01", AcquirerCNPJ: "11222333000181"}, CreatedAt: at, UpdatedAt: at,
	}, payment.Approved)
}

// Stand puts a transaction into a state that the caller is told as status.
func Stand(tx payment.Transaction, status payment.Status) payment.Transaction {
	tx.State = map[payment.Status]payment.State{
		payment.Approved: payment.StateConfirmed, payment.Reversed: payment.StateReversed, payment.Refused: payment.StateRefused,
		payment.Cancelled: payment.StateCancelled, payment.Pending: payment.StateUnknown,
	}[status]
	return tx
}

// Keep writes transactions as the service would.
func Keep(t *testing.T, dir string, all ...payment.Transaction) {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ledger, err := s.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	for _, tx := range all {
		if _, err := ledger.Begin(tx); err != nil {
			t.Fatal(err)
		}
	}
}
