package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/metrics/metricstest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// scrape reads the metrics as Prometheus does.
func (m *terminal) scrape() metricstest.Samples {
	m.t.Helper()
	a := m.call("GET", "/metrics", nil).ok()
	if got := a.header.Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		m.t.Errorf("type %q", got)
	}
	samples, err := metricstest.Parse(string(a.body))
	if err != nil {
		m.t.Fatalf("%v in\n%s", err, a.body)
	}
	return samples
}

// counts compares some series with what was done; a series that is not there is NaN in the report, and 0 in Prometheus.
func (m *terminal) counts(want map[string]float64) {
	m.t.Helper()
	got := m.scrape()
	for series, n := range want {
		if value, there := got[series]; !there || value != n {
			m.t.Errorf("%s is %v (there: %v), want %v", series, value, there, n)
		}
	}
}

func requests(route, outcome string) string {
	return `maquininha_requests_total{route="` + route + `",outcome="` + outcome + `"}`
}

func payments(operation, method, outcome string) string {
	return `maquininha_payments_total{operation="` + operation + `",method="` + method + `",outcome="` + outcome + `"}`
}

func TestMetricsOfPayments(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.counts(map[string]float64{payments("payment", "credit", "approved"): 0, "maquininha_payments_unresolved": 0, "maquininha_busy_since_timestamp_seconds": 0})

	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"r"}`)
	m.awaitStep("card")
	m.call("POST", "/transaction", `{"tPag":"03","amount":1}`).is(503, busyMessage)
	m.call("POST", "/print/text", `[{"text":{"value":"a"}}]`).is(503, busyMessage)
	during := m.scrape()
	if since := during["maquininha_busy_since_timestamp_seconds"]; since < float64(time.Now().Add(-time.Hour).Unix()) || since > float64(time.Now().Unix()+1) {
		t.Errorf("busy since %v", since)
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	pay.answer().ok()

	for _, outcome := range []string{"refuse", "cancel"} {
		pay := m.keepOpen("POST", "/transaction", `{"tPag":"17","amount":1}`)
		m.awaitStep("pix")
		m.call("POST", "/emulator/payment", `{"outcome":"`+outcome+`"}`).ok()
		if a := pay.answer(); a.status != http.StatusForbidden {
			t.Errorf("%s: %d %s", outcome, a.status, a.body)
		}
	}
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"r"}`).ok() // answered from the ledger: no money moves
	for _, outcome := range []string{"refuse", "cancel", "approve"} {
		reversal := m.keepOpen("POST", "/transaction/r/reversal", nil)
		m.awaitStep("confirm")
		m.call("POST", "/emulator/payment", `{"outcome":"`+outcome+`"}`).ok()
		if a := reversal.answer(); (a.status == http.StatusOK) != (outcome == "approve") {
			t.Errorf("%s: %d %s", outcome, a.status, a.body)
		}
	}
	m.call("GET", "/transaction/4111111111111111", nil).is(404, "Transação não encontrada")

	m.counts(map[string]float64{
		payments("payment", "credit", "approved"): 1, payments("payment", "pix", "refused"): 1, payments("payment", "pix", "cancelled"): 1,
		payments("payment", "credit", "refused"): 0, payments("reversal", "credit", "approved"): 1, payments("reversal", "credit", "refused"): 1,
		payments("reversal", "credit", "cancelled"): 1,
		requests("POST /transaction", "ok"):         2, requests("POST /transaction", "refused"): 2, requests("POST /transaction", "busy"): 1,
		requests("POST /transaction/{referenceId}/reversal", "ok"): 1, requests("POST /transaction/{referenceId}/reversal", "refused"): 2, requests("POST /print/text", "busy"): 1,
		requests("GET /transaction/{referenceId}", "refused"):                    1,
		`maquininha_request_seconds_count{route="POST /transaction"}`:            5,
		`maquininha_request_seconds_bucket{route="POST /transaction",le="+Inf"}`: 5,
		`maquininha_print_failures_total{reason="no_printer"}`:                   0,
		"maquininha_busy_since_timestamp_seconds":                                0,
		`maquininha_build_info{version="1.2.3",build="7",mode="emulator",platform="` + m.call("GET", "/info", nil).json()["platform"].(string) + `"}`: 1,
	})
	after := m.scrape()
	if during["maquininha_busy_seconds_total"] <= 0 || after["maquininha_busy_seconds_total"] <= during["maquininha_busy_seconds_total"] {
		t.Errorf("busy for %v s, then %v s", during["maquininha_busy_seconds_total"], after["maquininha_busy_seconds_total"])
	}
	for _, series := range []string{
		`maquininha_store_bytes{store="data"}`, `maquininha_store_bytes{store="logs"}`, `maquininha_connections{side="callers"}`,
		"maquininha_uptime_seconds", "go_goroutines", "go_memstats_heap_alloc_bytes", "go_memstats_sys_bytes", `maquininha_log_entries_total{level="info"}`,
	} {
		if through := m.path != "" && strings.Contains(series, "connections"); after[series] <= 0 && !through { // a hub's callers have none here
			t.Errorf("%s is %v", series, after[series])
		}
	}
}

func TestMetricsOfAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot, silentBank)
	m.script(`{"next":"timeout"}`)
	m.call("POST", "/transaction", `{"tPag":"04","amount":4,"referenceId":"silent"}`).is(503, unknownOutcome)
	waittest.Until(t, "it to be counted", func() bool { return m.scrape()["maquininha_payments_unresolved"] == 1 })
	m.counts(map[string]float64{payments("payment", "debit", "unknown"): 1, payments("payment", "debit", "undone"): 0, requests("POST /transaction", "failed"): 1})
	m.call("POST", "/emulator/reset", nil).ok()
	waittest.Until(t, "the recovery", func() bool { return m.scrape()["maquininha_payments_unresolved"] == 0 })
	m.counts(map[string]float64{payments("payment", "debit", "unknown"): 1, payments("payment", "debit", "undone"): 1, payments("payment", "debit", "approved"): 0})
}

func TestMetricsOfPrints(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot, func(c *app.Config) { c.CardReceipt = "customer" })
	text := `[{"text":{"value":"a"}}]`
	m.call("POST", "/print/text", text).is(200, printedOK)
	m.charge("r") // its receipt, too
	m.call("POST", "/emulator/printer", `{"state":"paperOut"}`).ok()
	m.notPrinted(m.call("POST", "/print/text", text), "papel")
	m.notPrinted(m.printXML(fiscalDocument(t, "nfce.xml")), "papel")
	m.notPrinted(m.printXML("cupom"), "")
	m.notPrinted(m.call("POST", "/print/image", []byte("gif?")), "")
	m.call("POST", "/print/text", `[]`).is(400, "Nenhum texto enviado")
	m.counts(map[string]float64{
		`maquininha_prints_total{kind="text"}`: 1, `maquininha_prints_total{kind="receipt"}`: 1, `maquininha_prints_total{kind="xml"}`: 0,
		`maquininha_print_failures_total{reason="paper_out"}`: 2, `maquininha_print_failures_total{reason="document"}`: 2,
		`maquininha_print_failures_total{reason="other"}`: 0,
		requests("POST /print/text", "ok"):                1, requests("POST /print/text", "failed"): 1, requests("POST /print/text", "refused"): 1,
		requests("POST /print/xml", "failed"): 2, requests("POST /print/image", "failed"): 1,
	})
}

func TestMetricsOfQuestionsAndARestart(t *testing.T) {
	t.Parallel()
	m := start(t, android)
	answered := m.ask(`{"id":1}`)
	m.reply("x").ok()
	answered.answer().ok()
	byPerson := m.ask(`{"id":2}`)
	m.call("POST", "/emulator/answer", `{"cancel":true}`).ok()
	byPerson.answer().is(409, "Pergunta cancelada pelo usuário")
	byCaller := m.ask(`{"id":3}`)
	m.holdOpen("/ask", `{"question":{"id":9}}`).answer().is(409, "Já existe uma pergunta em exibição!")
	m.call("POST", "/ask/cancel", nil).ok()
	byCaller.answer().is(409, "Pergunta cancelada pelo PDV")
	gone := m.ask(`{"id":4}`)
	gone.hangUp()
	waittest.Until(t, "the caller to be missed", func() bool { return m.scrape()[requests("POST /ask", "gone")] == 1 })
	asked := func(outcome string) string { return `maquininha_questions_total{outcome="` + outcome + `"}` }
	m.counts(map[string]float64{
		asked("answered"): 1, asked("cancelled_by_person"): 1, asked("cancelled_by_caller"): 1, asked("gone"): 1, asked("stopped"): 0, asked("timed_out"): 0,
		requests("POST /ask", "ok"): 1, requests("POST /ask", "refused"): 3,
	})
	m.call("POST", "/restart", nil).ok()
	m.counts(map[string]float64{asked("answered"): 0, asked("gone"): 0}) // from zero, as after any restart
}

// Whoever watches must be known, makes no series, and leaves nothing in the log.
func TestMetricsAreBehindTheCredentials(t *testing.T) {
	t.Parallel()
	directOnly(t, "the terminal's own password")
	m := start(t)
	m.call("GET", "/metrics", nil, basic(testUser+":wrong")).is(401, "Credenciais ausentes ou inválidas")
	m.call("GET", "/metrics", nil, header{"Authorization", ""}).is(401, "Credenciais ausentes ou inválidas")
	m.call("POST", "/metrics", nil).is(405, "Método não permitido")
	before := m.scrape()
	for _, path := range []string{"/made-up", "/metrics/x", "/transaction/" + strings.Repeat("a", 300), "/transaction/b%22%7D%0A", "/sale/item/1"} {
		m.call("GET", path, nil)
	}
	m.call("BREW", "/status", nil)
	after := m.scrape()
	for series := range after {
		if _, known := before[series]; !known && !strings.Contains(series, `route="GET /transaction/{referenceId}"`) {
			t.Errorf("a caller made %s", series)
		}
	}
	if after["maquininha_unauthorized_total"] != 2 || after["maquininha_unrouted_total"]-before["maquininha_unrouted_total"] != 4 {
		t.Errorf("unauthorized %v, unrouted %v then %v", after["maquininha_unauthorized_total"], before["maquininha_unrouted_total"], after["maquininha_unrouted_total"])
	}
	if got := m.entries("search=GET+/metrics+200"); len(got) != 0 {
		t.Errorf("in the log: %v", got)
	}
}
