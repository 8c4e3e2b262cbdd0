//go:build !race || everything

package httpapi_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/waittest"
)

func TestSameReferenceMovesNoMoneyTwice(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	const body = `{"tPag":"03","amount":10.50,"referenceId":"r","installments":2,"installmentType":"seller","details":{"n":1}}`
	first := m.call("POST", "/transaction", body).transaction()
	m.script(`{"next":"refuse"}`) // whoever asks the acquirer again gets this
	for _, again := range []string{body, `{"tPag":"03","amount":10.5,"referenceId":"r","installments":2,"installmentType":"seller","details":{"other":true}}`} {
		if diff := cmp.Diff(first, m.call("POST", "/transaction", again).is(200, "Transação aprovada").transaction()); diff != "" {
			t.Errorf("%s: not the stored result:\n%s", again, diff)
		}
	}
	for _, other := range []string{
		`{"tPag":"04","amount":10.50,"referenceId":"r","installments":2,"installmentType":"seller"}`,
		`{"tPag":"99","amount":10.50,"referenceId":"r","installments":2,"installmentType":"seller"}`,
		`{"tPag":"03","amount":10.51,"referenceId":"r","installments":2,"installmentType":"seller"}`,
		`{"tPag":"03","amount":10.50,"referenceId":"r","installments":3,"installmentType":"seller"}`,
		`{"tPag":"03","amount":10.50,"referenceId":"r","installments":2,"installmentType":"buyer"}`,
		`{"tPag":"03","amount":10.50,"referenceId":"r"}`,
	} {
		m.call("POST", "/transaction", other).is(409, "Referência já utilizada em outra transação")
	}
	if all := m.listed(""); len(all) != 1 {
		t.Errorf("%d transactions, want 1", len(all))
	}
	m.call("POST", "/emulator/reset", nil).ok()
	m = m.again()
	if diff := cmp.Diff(first, m.call("POST", "/transaction", body).transaction()); diff != "" {
		t.Errorf("after a restart: not the stored result:\n%s", diff)
	}
}

func TestSameReferenceManyTimesAtOnce(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	const body = `{"tPag":"03","amount":10,"referenceId":"once"}`
	var calls []*heldCall
	for range 16 {
		calls = append(calls, m.keepOpen("POST", "/transaction", body))
	}
	approved := map[string]int{}
	for _, c := range calls {
		switch a := c.answer(); a.status {
		case 200:
			approved[a.transaction().NSU]++
		case 503:
			a.is(503, busyMessage)
		default:
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	if all := m.listed(""); len(all) != 1 || len(approved) != 1 {
		t.Errorf("%d charges, NSUs %v; want one of each", len(all), approved)
	}
}

// The person's choice is not the caller's content: 99 again is the same request, whatever was chosen.
func TestSameReferenceLeftOpenToThePerson(t *testing.T) {
	t.Parallel()
	m := start(t)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"99","amount":8,"referenceId":"open"}`)
	m.awaitStep("choose")
	m.call("POST", "/emulator/payment", `{"outcome":"approve","tPag":"17"}`).ok()
	first := pay.answer().transaction()
	if diff := cmp.Diff(first, m.call("POST", "/transaction", `{"tPag":"99","amount":8,"referenceId":"open"}`).transaction()); diff != "" {
		t.Error(diff)
	}
	m.call("POST", "/transaction", `{"tPag":"17","amount":8,"referenceId":"open"}`).is(409, "Referência já utilizada em outra transação")
}

func TestReferenceMeansItsNewestAttempt(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.script(`{"next":"refuse","message":"primeira"}`)
	m.script(`{"next":"cancel"}`)
	const body = `{"tPag":"03","amount":5,"referenceId":"r"}`
	m.call("POST", "/transaction", body).is(403, "primeira")
	m.call("POST", "/transaction", body).is(403, "Transação cancelada")
	if p := m.find("r"); p.Details.Status != "cancelled" {
		t.Errorf("found %+v", p)
	}
	p := m.call("POST", "/transaction", `{"tPag":"04","amount":6,"referenceId":"r"}`).is(200, "Transação aprovada").transaction() // other content is no matter
	if diff := cmp.Diff(p, m.find("r")); diff != "" {
		t.Error(diff)
	}
	var statuses []string
	for _, p := range m.listed("") {
		statuses = append(statuses, p.Details.Status)
	}
	if diff := cmp.Diff([]string{"refused", "cancelled", "approved"}, statuses); diff != "" {
		t.Errorf("every attempt is listed, oldest first:\n%s", diff)
	}
}

func TestUnknownReference(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.charge("known")
	for _, reference := range []string{"unknown", "Known", "known%20", "know", "%25"} {
		m.call("GET", "/transaction/"+reference, nil).is(404, "Transação não encontrada")
		m.call("POST", "/transaction/"+reference+"/reversal", nil).is(404, "Transação não encontrada")
	}
}

func TestTransactionWithoutReferenceIsOnlyListed(t *testing.T) {
	t.Parallel()
	directOnly(t, "the hub gives references")
	m := start(t, autopilot)
	for _, body := range []string{`{"tPag":"03","amount":5}`, `{"tPag":"03","amount":5,"referenceId":null}`} {
		for range 2 { // and each is its own
			if p := m.call("POST", "/transaction", body).transaction(); p.Details.ReferenceID != nil {
				t.Errorf("a reference appeared: %s", *p.Details.ReferenceID)
			}
		}
	}
	if all := m.listed(""); len(all) != 4 {
		t.Errorf("%d listed, want 4", len(all))
	}
	m.call("GET", "/transaction/null", nil).is(404, "Transação não encontrada")
	m.call("GET", "/transaction/", nil).is(404, "Rota não encontrada")
}

func TestReferencesOfAnyCharacters(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	references := []string{
		"a/b", "/", "a//b", "ação çã", "100%", "%2F", "a?b=c#d", "a+b", "a b", " ", "'; DROP TABLE x; --", `"\`, "😀", "reversal", "a/reversal", "linha\nlinha", "..", ".", "a/../b",
		"é", "e\u0301", strings.Repeat("longa", 51), "{referenceId}", "*", "~!@$&()=:;,",
	}
	for _, reference := range references {
		body, err := json.Marshal(map[string]any{"tPag": "03", "amount": 3, "referenceId": reference})
		if err != nil {
			t.Fatal(err)
		}
		if a := m.call("POST", "/transaction", string(body)); a.status != 200 {
			t.Errorf("%q: %d %s", reference, a.status, a.body)
		}
	}
	for _, reference := range references {
		path := "/transaction/" + strings.ReplaceAll(url.PathEscape(reference), ".", "%2E")
		a := m.call("GET", path, nil)
		if a.status != 200 {
			t.Errorf("%q was kept, but GET %s answers %d %s", reference, path, a.status, a.body)
			continue
		}
		if p := a.transaction(); p.Details.ReferenceID == nil || *p.Details.ReferenceID != reference {
			t.Errorf("%s found %+v", path, p)
		}
		if p := m.call("POST", path+"/reversal", nil).is(200, "Estorno aprovado").transaction(); *p.Details.ReferenceID != reference {
			t.Errorf("%s reversed %q", path, *p.Details.ReferenceID)
		}
	}
}

func TestReversal(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	before := m.charge("r")
	p := m.call("POST", "/transaction/r/reversal", nil).is(200, "Estorno aprovado").transaction()
	d := p.Details
	if d.Status != "reversed" || d.Reversal == nil || d.Reversal.NSU == "" || d.Reversal.NSU == before.NSU || p.NSU != before.NSU {
		t.Errorf("reversed: %+v", p)
	}
	if d.Reversal != nil && (d.Reversal.At.Before(d.CreatedAt) || d.Reversal.At.After(time.Now())) || d.UpdatedAt.Before(before.Details.UpdatedAt) {
		t.Errorf("times of a reversal: %+v", d)
	}
	if diff := cmp.Diff(p, m.find("r")); diff != "" {
		t.Errorf("answered and stored differ:\n%s", diff)
	}
	if p := m.find("r"); p.Message != "Estorno aprovado" {
		t.Errorf("message %q", p.Message)
	}
	m.call("POST", "/transaction/r/reversal", nil).is(409, "Transação já estornada")
	m.call("POST", "/transaction", `{"tPag":"03","amount":10.50,"referenceId":"r"}`).is(409, "Referência já utilizada em outra transação")
	if all := m.listed(""); len(all) != 1 || all[0].Details.Status != "reversed" {
		t.Errorf("listed %+v", all)
	}
}

func TestReversalThatCannotBe(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.script(`{"next":"refuse"}`)
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"refused"}`).is(403, "Transação negada")
	m.script(`{"next":"cancel"}`)
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"cancelled"}`).is(403, "Transação cancelada")
	for _, reference := range []string{"refused", "cancelled"} {
		m.call("POST", "/transaction/"+reference+"/reversal", nil).is(409, "Transação não pode ser estornada")
	}
	before := m.charge("r")
	for _, c := range []struct{ next, message string }{
		{`{"next":"refuse"}`, "Estorno negado"},
		{`{"next":"refuse","message":"Prazo vencido"}`, "Prazo vencido"},
		{`{"next":"cancel"}`, "Estorno cancelado"},
		{`{"next":"offline"}`, "Adquirente fora do ar"},
	} {
		m.script(c.next)
		m.call("POST", "/transaction/r/reversal", nil).is(403, c.message)
		now := m.find("r")
		now.Details.UpdatedAt = before.Details.UpdatedAt
		if diff := cmp.Diff(before, now); diff != "" {
			t.Errorf("%s: the transaction does not stand:\n%s", c.next, diff)
		}
	}
	m.call("POST", "/transaction/r/reversal", nil).is(200, "Estorno aprovado")
}

func TestPersonSettlesTheReversal(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.charge("r")
	m = m.again(func(c *appConfig) { c.AutopilotDelay = time.Hour })
	for _, c := range []struct {
		outcome, message string
		status           int
	}{
		{`{"outcome":"refuse"}`, "Estorno negado", 403}, {`{"outcome":"cancel"}`, "Estorno cancelado", 403}, {`{"outcome":"approve"}`, "Estorno aprovado", 200},
	} {
		reversal := m.keepOpen("POST", "/transaction/r/reversal", nil)
		waittest.Until(t, "the reversal on the screen", func() bool {
			s := m.lookAtScreen()
			return s.Payment != nil && s.Payment.Kind == "reversal" && s.Payment.Step != "waiting"
		})
		if s := m.lookAtScreen(); !s.Busy || s.View != "payment" || s.Payment.Amount != "10.50" || *s.Payment.ReferenceID != "r" {
			t.Errorf("screen %+v", s)
		}
		reversal.held()
		m.call("POST", "/emulator/payment", c.outcome).ok()
		reversal.answer().is(c.status, c.message)
	}
}

func TestTransactionListing(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	if got := strings.TrimSpace(string(m.call("GET", "/transaction", nil).ok().body)); got != "[]" {
		t.Errorf("before: %s", got)
	}
	m.charge("a")
	m.call("POST", "/transaction", `{"tPag":"03","amount":0.51,"referenceId":"b"}`).is(403, "Saldo insuficiente")
	m.call("POST", "/transaction", `{"tPag":"03","amount":0.57,"referenceId":"c"}`).is(403, "Transação cancelada")
	time.Sleep(3 * time.Millisecond) // times are shown to the millisecond
	d := m.charge("d")
	m.charge("e")
	m.call("POST", "/transaction/a/reversal", nil).ok()
	at := d.Details.CreatedAt
	for query, want := range map[string]string{
		"": "abcde", "limit=2": "de", "limit=1": "e", "limit=100000": "abcde", "status=approved": "de", "status=refused": "b", "status=cancelled": "c",
		"status=reversed": "a", "status=pending": "", "status=approved&limit=1": "e", "limit=3&status=refused": "b",
		"since=" + at.UTC().Format("2006-01-02T15:04:05.000Z"): "de", "since=" + at.Local().Format("2006-01-02T15:04:05.000"): "de",
		"since=" + at.In(time.FixedZone("", -3*3600)).Format("2006-01-02T15:04:05.000Z07:00"): "de",
		"since=" + at.Local().AddDate(0, 0, -1).Format("2006-01-02"):                          "abcde", "since=2999-01-01": "", "unknown=1": "abcde",
	} {
		got := ""
		for _, p := range m.listed(query) {
			got += *p.Details.ReferenceID
		}
		if got != want {
			t.Errorf("?%s: %q, want %q", query, got, want)
		}
	}
	for _, c := range []struct{ query, names string }{
		{"limit=0", "limit"},
		{"limit=-1", "limit"},
		{"limit=100001", "limit"},
		{"limit=x", "limit"},
		{"limit=", "limit"},
		{"since=ontem", "since"},
		{"since=2026-02-30", "since"},
		{"status=paid", "status"},
		{"status=APPROVED", "status"},
		{"status=approved,refused", "status"},
	} {
		m.call("GET", "/transaction?"+c.query, nil).isInvalid(c.names)
	}
}
