package httpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Everything a terminal records is in the hub once, and is answered from there while the terminal is away.
func TestRecords(t *testing.T) {
	h := newHub(t)
	x := h.join(t, "", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "live") })
	at := "/terminals/" + x.id
	x.change(func() {
		x.steps = []tunnel.Step{step(1, 1, "a", "pending", "10.50"), step(2, 2, "b", "pending", "1"), step(3, 1, "a", "approved", "10.50"), step(4, 3, "", "refused", "2")}
		// The log has forgotten its beginning, and something in between.
		x.entries = []tunnel.LogEntry{entry(40, "São Paulo"), entry(41, "=1+1"), entry(50, "nul \x00 nul")}
	})
	read := func(epoch string, kind records.Kind, want int64) {
		t.Helper()
		waittest.Until(t, "the records are here", func() bool {
			c, err := h.records.Cursor(t.Context(), x.id, epoch, kind)
			return err == nil && c.Number == want
		})
	}
	read(hubtest.Epoch(x.id), records.Ledger, 4)
	read(hubtest.Epoch(x.id), records.Log, 50)
	if a := h.call(t, "GET", at+"/transaction/a", ""); a.body != "live" || a.header.Get("X-Maquininha-As-Of") != "" {
		t.Errorf("while the terminal is there: %s %v", a.body, a.header)
	}
	// Another hour, another data folder: numbers begin anew, and nothing mixes.
	link, _ := h.board.Find(x.id)
	anew := step(1, 1, "c", "approved", "5")
	anew.At = anew.At.Add(time.Hour)
	x.PutBack(epochTwo, []tunnel.Step{anew}, nil)
	link.Close() //nolint:errcheck // a test
	read(epochTwo, records.Ledger, 1)
	waittest.Until(t, "it is known that all is here", func() bool { return !h.board.Presence(x.id).Caught.IsZero() })
	x.stop()

	for _, c := range []struct {
		path   string
		status int
		want   []string
	}{
		{"/transaction/a", 200, []string{`"status":"approved"`, `"referenceId":"a"`}},
		{"/transaction/unknown", 503, []string{"Terminal fora do ar"}}, // never 404: it may have been paid since
		{"/transaction?status=approved", 200, []string{`"referenceId":"a"`, `"referenceId":"c"`}},
		{"/transaction?limit=0", 400, []string{"limit"}},
		{"/logs?search=sao+paulo", 200, []string{"São Paulo"}},
		{"/logs?level=loud", 400, []string{"level deve ser um de: fatal,"}},
		{"/logs?source=x", 400, []string{"source deve ser um de: app,"}},
		{"/logs?dateFrom=x", 400, []string{"dateFrom não é uma data ISO 8601"}},
		{"/sale", 503, []string{"Terminal fora do ar"}},
	} {
		a := h.call(t, "GET", at+c.path, "")
		if a.status != c.status || a.status == 200 == (a.header.Get("X-Maquininha-As-Of") == "") {
			t.Errorf("%s: %d %s %v", c.path, a.status, a.body, a.header)
		}
		for _, text := range c.want {
			if !strings.Contains(a.body, text) {
				t.Errorf("%s: %s lacks %s", c.path, a.body, text)
			}
		}
		if a.status == 200 && !json.Valid([]byte(a.body)) {
			t.Errorf("%s: %s", c.path, a.body)
		}
	}

	page := h.call(t, "GET", "/api/v1/transactions?limit=3", "").json(t)
	rest := h.call(t, "GET", "/api/v1/transactions?limit=3&after="+page["next"].(string), "").json(t)
	is(t, "transactions in two pages", []int{len(page["transactions"].([]any)), len(rest["transactions"].([]any))}, []int{3, 1})
	is(t, "the end of the list", rest["next"], nil)
	closing := h.call(t, "GET", "/api/v1/closings", "").json(t)["total"].(map[string]any)
	is(t, "what was paid", closing["net"], 15.5)
	is(t, "what is pending", closing["pending"], map[string]any{"count": 1, "amount": 1})
	if a := h.call(t, "GET", "/api/v1/terminals/"+x.id+"/history/"+hubtest.Epoch(x.id)+"/1", ""); strings.Count(a.body, `"number"`) != 2 {
		t.Errorf("the history of an attempt: %s", a.body)
	}
	gaps := h.call(t, "GET", "/api/v1/gaps?terminal="+x.id, "")
	if !strings.Contains(gaps.body, `"first":1,"last":39`) || !strings.Contains(gaps.body, `"first":42,"last":49`) || strings.Count(gaps.body, `"kind"`) != 2 {
		t.Errorf("gaps: %s", gaps.body)
	}
	one := h.call(t, "GET", "/api/v1/gaps?limit=1", "").json(t)
	other := h.call(t, "GET", "/api/v1/gaps?limit=1&after="+one["next"].(string), "").json(t)
	is(t, "gaps in two pages", []any{one["gaps"].([]any)[0].(map[string]any)["first"], other["gaps"].([]any)[0].(map[string]any)["first"], other["next"]}, []any{42, 1, nil})
	sheet := h.call(t, "GET", "/api/v1/transactions.csv?status=approved", "")
	if sheet.header.Get("Content-Type") != "text/csv; charset=utf-8" || strings.Count(sheet.body, "\r\n") != 3 || !strings.Contains(sheet.body, ";10,50;a;") || strings.Contains(sheet.body, x.id) {
		t.Errorf("the sheet: %s", sheet.body)
	}
	if a := h.call(t, "GET", "/api/v1/logs.csv", ""); !strings.Contains(a.body, ";'=1+1;") || !strings.Contains(a.body, "nul \uFFFD nul") {
		t.Errorf("the log's sheet: %s", a.body)
	}
	if a := h.call(t, "GET", "/api/v1/closings.csv", ""); !strings.Contains(a.body, ";15,50;") && !strings.Contains(a.body, ";10,50;") {
		t.Errorf("the closing's sheet: %s", a.body)
	}
}

// A day ends when it ends in the shop: in the zone that is asked for, or in that of the terminal's own clock where the hub answers in its place.
func TestDaysOfAZone(t *testing.T) {
	h := newHub(t)
	x := h.join(t, "", nil)
	early, late := step(1, 1, "a", "approved", "10"), step(2, 2, "b", "approved", "5")
	early.At, late.At = time.Date(2026, 3, 10, 2, 30, 0, 0, time.UTC), time.Date(2026, 3, 10, 3, 30, 0, 0, time.UTC)
	x.Tell(func(state *tunnel.State, steps *[]tunnel.Step, entries *[]tunnel.LogEntry) {
		*steps = []tunnel.Step{early, late}
		*entries = []tunnel.LogEntry{{ID: 1, At: early.At, Level: "info", Source: "app", Message: "x"}}
		state.Clock = time.Now().In(time.FixedZone("", -4*3600))
	})
	waittest.Until(t, "the records are here", func() bool {
		c, err := h.records.Cursor(t.Context(), x.id, hubtest.Epoch(x.id), records.Ledger)
		logged, missing := h.records.Cursor(t.Context(), x.id, hubtest.Epoch(x.id), records.Log)
		known, seen := h.fleet.Known(t.Context(), x.id)
		return err == nil && c.Number == 2 && missing == nil && logged.Number == 1 && seen == nil && !known.Condition.Clock.IsZero()
	})
	for zone, want := range map[string]float64{"America/Sao_Paulo": 10, "America/Manaus": 15, "UTC": 0, "America/Noronha": 0} {
		total := h.call(t, "GET", "/api/v1/closings?since=2026-03-09&until=2026-03-09&zone="+zone, "").json(t)["total"].(map[string]any)
		is(t, "paid on the ninth in "+zone, total["net"], want)
		if a := h.call(t, "GET", "/api/v1/transactions.csv?since=2026-03-09&until=2026-03-09&zone="+zone, ""); strings.Contains(a.body, ";10,00;a;") != (want > 0) {
			t.Errorf("%s: %s", zone, a.body)
		}
	}
	// Times are of the zone that the days are of, and the sheet says so.
	for asked, want := range map[string][2]string{
		"zone=America/Manaus": {"(America/Manaus)", "2026-03-09 22:30:00"}, "zone=UTC": {"(UTC)", "2026-03-10 02:30:00"}, "terminal=" + x.id: {"(UTC-04:00)", "2026-03-09 22:30:00"},
	} {
		for sheet, columns := range map[string][]string{"transactions": {"Data", "Atualizada em"}, "logs": {"Data"}} {
			a := h.call(t, "GET", "/api/v1/"+sheet+".csv?"+asked, "")
			for _, column := range columns {
				if head, _, _ := strings.Cut(a.body, "\r\n"); !strings.Contains(head, column+" "+want[0]) {
					t.Errorf("%s with %s: %s", sheet, asked, head)
				}
			}
			if !strings.Contains(a.body, want[1]+";") {
				t.Errorf("%s with %s has no %s: %s", sheet, asked, want[1], a.body)
			}
		}
	}
	total := h.call(t, "GET", "/api/v1/closings?since=2026-03-09&until=2026-03-09&terminal="+x.id, "").json(t)["total"].(map[string]any)
	is(t, "paid on the ninth by the terminal's own clock", total["net"], 15)
	if a := h.call(t, "GET", "/api/v1/transactions.csv?since=2026-03-10&terminal="+x.id, ""); strings.Contains(a.body, ";b;") {
		t.Errorf("since the tenth by the terminal's own clock: %s", a.body)
	}
	x.Stop()
	waittest.Until(t, "it has gone", func() bool { return !h.board.Presence(x.id).Online })
	// At 3:30 of Greenwich the terminal still had the ninth.
	for day, want := range map[string]int{"2026-03-09": 2, "2026-03-10": 0} {
		a := h.call(t, "GET", "/terminals/"+x.id+"/transaction?since="+day, "")
		is(t, "listed since "+day, []int{a.status, strings.Count(a.body, "referenceId")}, []int{200, want})
	}
}

// A stolen terminal may say anything: nothing of it is kept that could be counted, and others go on.
func TestHostileRecords(t *testing.T) {
	h := newHub(t)
	x := h.join(t, "", nil)
	bad := step(1, 1, "a", "approved", "1e99")
	for _, s := range []tunnel.Step{bad, step(1, 1, "a", "paid", "1"), step(1, 0, "a", "approved", "1"), step(1, 1, "a\x00", "approved", "1")} {
		x.change(func() { x.steps = []tunnel.Step{s} })
	}
	y := h.join(t, "", nil)
	y.change(func() { y.steps = []tunnel.Step{step(1, 1, "b", "approved", "1")} })
	waittest.Until(t, "another terminal's records are here", func() bool {
		c, err := h.records.Cursor(t.Context(), y.id, hubtest.Epoch(y.id), records.Ledger)
		return err == nil && c.Number == 1
	})
	if c, err := h.records.Cursor(t.Context(), x.id, hubtest.Epoch(x.id), records.Ledger); err != nil || c.Number != 0 {
		t.Errorf("what can't be counted is kept: %v %v", c, err)
	}
	x.change(func() { x.steps = []tunnel.Step{step(1, 1, "a", "approved", "1")} })
	waittest.Until(t, "what is good is read after all", func() bool {
		c, err := h.records.Cursor(t.Context(), x.id, hubtest.Epoch(x.id), records.Ledger)
		return err == nil && c.Number == 1
	})
}

// While the database is away terminals are reached, and what they record meanwhile is read later, once.
func TestDatabaseAway(t *testing.T) {
	h := newHub(t)
	x := h.join(t, "", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "live") })
	h.away.Store(true)
	x.change(func() {
		x.steps = []tunnel.Step{step(1, 1, "a", "approved", "1"), step(2, 2, "b", "approved", "1"), step(3, 3, "c", "approved", "1")}
	})
	waittest.Until(t, "the hub has heard of it", func() bool { return !h.board.Presence(x.id).ToldAt.IsZero() })
	if a := h.call(t, "GET", "/terminals/"+x.id+"/transaction/a", ""); a.body != "live" {
		t.Errorf("%d %s", a.status, a.body)
	}
	h.away.Store(false)
	waittest.Until(t, "all is read", func() bool {
		c, err := h.records.Cursor(t.Context(), x.id, hubtest.Epoch(x.id), records.Ledger)
		return err == nil && c.Number == 3
	})
	if all := h.call(t, "GET", "/api/v1/transactions", ""); strings.Count(all.body, `"attempt"`) != 3 {
		t.Errorf("%s", all.body)
	}
}
