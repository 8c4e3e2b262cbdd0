//go:build !race || everything

package httpapi_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

const cardTaken = "Cartão apresentado com sucesso"

func (m *terminal) presentCard(body string) {
	m.t.Helper()
	m.call("POST", "/emulator/card", body).is(200, cardTaken)
}

func TestCardsPay(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, c := range []struct {
		card    string
		status  int
		message string
	}{
		{`{"entry":"tap"}`, 200, "Transação aprovada"},
		{`{"entry":"swipe","outcome":"approve","message":null,"tPag":null}`, 200, "Transação aprovada"},
		{`{"entry":"tap","outcome":"refuse"}`, 403, "Transação negada"},
		{`{"entry":"tap","outcome":"refuse","message":"Cartão bloqueado"}`, 403, "Cartão bloqueado"},
		{`{"entry":"tap","outcome":"offline"}`, 403, "Adquirente fora do ar"},
		{`{"entry":"tap","outcome":"cancel"}`, 403, "Transação cancelada"},
		{`{"entry":"tap","outcome":"timeout"}`, 503, "Situação da transação desconhecida; consulte pelo referenceId."},
	} {
		pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":12.30}`)
		m.awaitStep("card")
		m.presentCard(c.card)
		pay.answer().is(c.status, c.message)
	}
}

func TestInsertedCardAsksForItsPIN(t *testing.T) {
	t.Parallel()
	m := start(t)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":12.30}`)
	card := m.awaitStep("card").Payment
	m.presentCard(`{"entry":"insert","outcome":"refuse","message":"Senha inválida"}`)
	pin := m.awaitStep("pin").Payment
	if !pin.Cancellable || pin.Serial == card.Serial || pin.Method != "credit" {
		t.Errorf("at the PIN: %+v", pin)
	}
	m.call("POST", "/emulator/card", `{"entry":"tap"}`).is(409, "Nenhum pagamento em exibição!")
	pay.held()
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok() // the person types it; the card has its outcome
	pay.answer().is(403, "Senha inválida")
}

func TestNothingWaitsForACard(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/emulator/card", `{"entry":"tap"}`).is(409, "Nenhum pagamento em exibição!")
	before := time.Now().Truncate(time.Second) // expiresAt has whole seconds
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"17","amount":12.30}`)
	p := m.awaitStep("pix").Payment
	m.call("POST", "/emulator/card", `{"entry":"tap"}`).is(409, "Nenhum pagamento em exibição!")
	if p.ExpiresAt == nil || p.BRCode == nil || p.Method != "pix" {
		t.Fatalf("pix: %+v", p)
	}
	if at, err := time.Parse(time.RFC3339, *p.ExpiresAt); err != nil || at.Before(before.Add(5*time.Minute)) || at.After(time.Now().Add(5*time.Minute)) {
		t.Errorf("expires at %s", *p.ExpiresAt)
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	pay.answer().is(200, "Transação aprovada")
}

// What is answered and kept is what was agreed on at the terminal, not what was asked for.
func TestCardChoosesWhereTheCallerDidNot(t *testing.T) {
	t.Parallel()
	m := start(t)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"99","amount":80,"installments":3,"installmentType":"seller","referenceId":"a"}`)
	p := m.awaitStep("choose").Payment
	if p.TPag != "99" || p.Method != "any" || p.Installments != 3 || !slices.Equal(p.Methods, []string{"credit", "debit", "pix"}) || len(p.InstallmentOptions) != 0 {
		t.Errorf("choosing: %+v", p)
	}
	m.presentCard(`{"entry":"insert","tPag":"04"}`)
	if p := m.awaitStep("pin").Payment; p.TPag != "99" || p.Method != "debit" || p.Installments != 1 {
		t.Errorf("at the PIN: %+v", p)
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve","tPag":"17"}`).ok() // too late to choose
	var got struct {
		Details struct {
			TPag            string
			Installments    int
			InstallmentType string
		}
	}
	for _, a := range []*answer{pay.answer(), m.call("GET", "/transaction/a", nil), m.call("POST", "/transaction", `{"tPag":"99","amount":80,"installments":3,"installmentType":"seller","referenceId":"a"}`)} {
		a.is(200, "Transação aprovada").into(&got)
		if d := got.Details; d.TPag != "04" || d.Installments != 1 {
			t.Errorf("%s: %+v", a.what, d)
		}
	}
	m = m.again()
	m.call("GET", "/transaction/a", nil).ok().into(&got)
	if d := got.Details; d.TPag != "04" || d.Installments != 1 {
		t.Errorf("after a restart: %+v", d)
	}
}

func TestScreenShowsHowItEnded(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	for _, c := range []struct{ tPag, outcome, verdict, paid, message string }{
		{"03", `{"outcome":"approve"}`, "approved", "03", ""},
		{"04", `{"outcome":"refuse","message":"Saldo insuficiente"}`, "refused", "04", "Saldo insuficiente"},
		{"99", `{"outcome":"cancel","tPag":"17"}`, "cancelled", "17", ""},
	} {
		pay := m.keepOpen("POST", "/transaction", `{"tPag":"`+c.tPag+`","amount":7.10,"referenceId":"`+c.tPag+`"}`)
		waittest.Until(t, "a payment", func() bool {
			s := m.lookAtScreen()
			return s.Payment != nil && s.Payment.Cancellable && s.Result == nil
		})
		m.call("POST", "/emulator/payment", c.outcome).ok()
		pay.answer()
		m.showsResult("payment", c.verdict, c.paid, c.message)
	}
	reversal := m.keepOpen("POST", "/transaction/03/reversal", nil)
	if p := m.awaitStep("confirm").Payment; p.Method != "credit" || !p.Cancellable {
		t.Errorf("reversal: %+v", p)
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	reversal.answer().ok()
	m.showsResult("reversal", "approved", "03", "")
	m.call("POST", "/emulator/reset", nil).ok()
	if s := m.lookAtScreen(); s.Result != nil || s.View != "idle" {
		t.Errorf("after the reset: %+v", s)
	}
	lost := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":7.10}`)
	m.awaitStep("card")
	m.presentCard(`{"entry":"tap","outcome":"timeout"}`)
	lost.answer()
	m.showsResult("payment", "unknown", "03", "")
}

func (m *terminal) showsResult(kind, verdict, tPag, message string) {
	m.t.Helper()
	s := m.lookAtScreen()
	r := s.Result
	if s.View != "result" || r == nil || r.Kind != kind || r.Verdict != verdict || r.TPag != tPag || r.Amount != json.Number("7.10") {
		m.t.Fatalf("view %s, result %+v; want %s %s %s", s.View, r, kind, verdict, tPag)
	}
	if (r.Message == nil) != (message == "") || (r.Message != nil && *r.Message != message) {
		m.t.Errorf("message %v, want %q", r.Message, message)
	}
}
