package app

import (
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/screen"
)

// The screen says once that money came late, once that it went back, and nothing of other steps.
func TestScreenTellsOfLateMoney(t *testing.T) {
	t.Parallel()
	s := &service{Desks: httpapi.Desks{Screen: screen.New(false)}}
	over := payment.Transaction{State: payment.StateCancelled, Request: payment.Request{Reference: "venda-7"}}
	came := over
	came.Late = payment.Late{EndToEndID: "E1", Amount: money.MustParse("10"), At: over.UpdatedAt}
	back := came
	back.Late.ReturnedAt = back.CreatedAt.Add(1)
	for _, m := range []payment.Move{{Before: over, After: over}, {Before: over, After: came}, {Before: came, After: came}, {Before: came, After: back}} {
		s.tellOfLate(m)
	}
	said := s.Screen.State().Notifications // newest first
	if len(said) != 2 {
		t.Fatalf("%+v", said)
	}
	for i, want := range []screen.Own{{Kind: "lateReturned", Amount: "10.00", Reference: "venda-7"}, {Kind: "late", Amount: "10.00", Reference: "venda-7"}} {
		if said[i].Own == nil || *said[i].Own != want || said[i].Title == "" || said[i].Text == "" {
			t.Errorf("%+v", said[i])
		}
	}
}

// Where only the device can give it back, the screen does not promise more.
func TestScreenTellsWhoGivesLateMoneyBack(t *testing.T) {
	t.Parallel()
	s := &service{Desks: httpapi.Desks{Screen: screen.New(false)}}
	came := payment.Transaction{State: payment.StateCancelled, Late: payment.Late{Amount: money.MustParse("10"), ByHand: true}}
	s.tellOfLate(payment.Move{After: came})
	said := s.Screen.State().Notifications
	if len(said) != 1 || said[0].Own.Kind != "lateByHand" || strings.Contains(said[0].Text, "será devolvido") || !strings.Contains(said[0].Text, "estorne na maquininha") {
		t.Errorf("%+v", said)
	}
}
