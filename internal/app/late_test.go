package app

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/screen"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/story"
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

// Where only the device or the manager's menu can give it back, the screen does not promise more.
func TestScreenTellsWhoGivesLateMoneyBack(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		late payment.Late
		says string
	}{
		"lateByHand": {payment.Late{Amount: money.MustParse("10"), ByHand: true}, "estorne na maquininha"},
		"lateInMenu": {payment.Late{Amount: money.MustParse("10"), ByHand: true, InMenu: true}, "cancele a venda no menu do TEF (ADM)"},
	} {
		s := &service{Desks: httpapi.Desks{Screen: screen.New(false)}}
		s.tellOfLate(payment.Move{After: payment.Transaction{State: payment.StateCancelled, Late: c.late}})
		said := s.Screen.State().Notifications
		if len(said) != 1 || said[0].Own.Kind != kind || strings.Contains(said[0].Text, "será devolvido") || !strings.Contains(said[0].Text, c.says) {
			t.Errorf("%+v", said)
		}
	}
}

// What was cancelled in the menu is named where it is known: it had been given back before.
func TestScreenTellsOfCancellationsInTheMenu(t *testing.T) {
	t.Parallel()
	files, err := store.OpenLogs(filepath.Join(t.TempDir(), "logs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	logs, err := logbook.Open(files, logbook.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer logs.Close()
	sale := payment.Transaction{State: payment.StateReversed, Request: payment.Request{Reference: "venda-7", Amount: money.MustParse("10")}}
	for kind, candidates := range map[string][]payment.Transaction{"menuUnmatched": nil, "menuAgain": {sale}} {
		s := &service{Desks: httpapi.Desks{Screen: screen.New(false), Story: story.New(logs, nil)}}
		s.tellOfUnmatched(payment.Administration{}, payment.Administered{Amount: sale.Request.Amount}, candidates)
		said := s.Screen.State().Notifications
		if len(said) != 1 || said[0].Own.Kind != kind || strings.Contains(said[0].Text, "Não se sabe") != (kind == "menuUnmatched") {
			t.Errorf("%+v", said)
		}
	}
}
