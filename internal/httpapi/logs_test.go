package httpapi_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type logEntry struct {
	ID, Level, Source, Message string
	Details                    *string
	CreatedAt                  string
}

func (e logEntry) at(t testing.TB) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, e.CreatedAt)
	if err != nil {
		t.Fatalf("createdAt of %+v: %v", e, err)
	}
	return at
}

// entries are those that a query, already escaped, leaves.
func (m *terminal) entries(query string) (found []logEntry) {
	m.t.Helper()
	m.call("GET", "/logs?"+query, nil).ok().into(&found)
	if found == nil {
		m.t.Errorf("GET /logs?%s answers null", query)
	}
	return found
}

func messagesOf(entries []logEntry) []string {
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = e.Message
	}
	return texts
}

// flood sends commands as fast as they go, without looking at what comes back.
func (m *terminal) flood(n int, body string) {
	m.t.Helper()
	for range n {
		resp, err := m.client.Do(m.request("POST", "/sale/cancel", body))
		if err != nil {
			m.t.Errorf("flooding: %v", err)
			return
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

func TestEveryCommandIsLogged(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	for _, c := range []struct {
		method, path string
		body         any
		status       int
	}{
		{"POST", "/sale", nil, 200},
		{"POST", "/sale", nil, 409},
		{"PATCH", "/sale", `{"customerName":"Ana"}`, 200},
		{"POST", "/sale/item", `{"id":"a/b","code":"1","description":"x","quantity":1,"unitPrice":1,"total":1}`, 200},
		{"POST", "/sale/item/a%2Fb/cancel", nil, 200},
		{"DELETE", "/sale/item/a%2Fb", nil, 200},
		{"POST", "/sale/payment", `{"id":"1","value":-1}`, 400},
		{"POST", "/sale/finalize", nil, 200},
		{"POST", "/ask", `{"question":{"type":"DATE"}}`, 200},
		{"POST", "/ask/form", `{"questions":[]}`, 400},
		{"POST", "/ask/cancel", nil, 200},
		{"POST", "/print/text", `[{"text":{"value":"x"}}]`, 200},
		{"POST", "/print/image", []byte("x"), 500},
		{"POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"r"}`, 200},
		{"POST", "/transaction", `{"tPag":"03","amount":0.51}`, 403},
		{"POST", "/transaction/r/reversal", nil, 200},
		{"POST", "/display/clear", nil, 200},
		{"POST", "/restart", nil, 403},
	} {
		if a := m.call(c.method, c.path, c.body); a.status != c.status {
			t.Fatalf("%s %s: %d %s", c.method, c.path, a.status, a.body)
		}
		newest := m.entries("source=http&limit=1")
		line := regexp.MustCompile(fmt.Sprintf(`^%s %s.* %d .*\d+(\.\d+)? ?ms$`, c.method, regexp.QuoteMeta(c.path), c.status))
		if len(newest) != 1 || !line.MatchString(newest[0].Message) {
			t.Errorf("%s %s: newest entry %+v, want method, path, status %d and duration", c.method, c.path, newest, c.status)
		}
	}
}

func TestLogFilters(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()                                         // info http
	m.call("POST", "/sale", nil).is(409, "Já existe uma venda ativa!")        // warning http
	m.call("GET", "/sale", nil).ok()                                          // trace http
	m.call("GET", "/nowhere", nil).is(404, "Rota não encontrada")             // warning router
	m.call("POST", "/print/image", []byte("x")).is(500, "Erro ao imprimir")   // error http
	m.call("POST", "/print/text", `[{"text":{"value":"x","size":500}}]`).ok() // warning app

	all := m.entries("")
	for i := 1; i < len(all); i++ {
		if idNumber(t, all[i-1].ID) <= idNumber(t, all[i].ID) || all[i-1].at(t).Before(all[i].at(t)) {
			t.Errorf("not newest first: %+v before %+v", all[i-1], all[i])
		}
	}
	levels := []string{"fatal", "error", "warning", "info", "trace", "path", "debug"}
	sources := []string{"app", "router", "http"}
	some := map[string]bool{"level=error": true, "level=warning": true, "level=info": true, "source=app": true, "source=router": true, "source=http": true}
	check := func(query string, keep func(logEntry) bool) {
		t.Helper()
		want := slices.DeleteFunc(slices.Clone(all), func(e logEntry) bool { return !keep(e) })
		if diff := cmp.Diff(messagesOf(want), messagesOf(m.entries(query))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
		if some[query] && len(want) == 0 {
			t.Errorf("%s leaves nothing: the test shows nothing", query)
		}
	}
	for _, level := range levels {
		check("level="+level, func(e logEntry) bool { return e.Level == level })
		for _, source := range sources {
			check("level="+level+"&source="+source, func(e logEntry) bool { return e.Level == level && e.Source == source })
		}
	}
	for _, source := range sources {
		check("source="+source, func(e logEntry) bool { return e.Source == source })
	}
	check("limit=2", func(e logEntry) bool { return idNumber(t, e.ID) >= idNumber(t, all[1].ID) })
	check("limit=100000", func(logEntry) bool { return true })
	check("unknown=1", func(logEntry) bool { return true })
	for _, e := range all {
		if !slices.Contains(levels, e.Level) || !slices.Contains(sources, e.Source) || e.Message == "" || e.ID == "" {
			t.Errorf("entry %+v", e)
		}
	}
}

func idNumber(t testing.TB, id string) int {
	t.Helper()
	n, err := strconv.Atoi(id)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestLogSearch(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/sale", nil).is(409, "Já existe uma venda ativa!")
	m.call("GET", "/transaction/100%25_Maçã", nil).is(404, "Transação não encontrada")
	m.call("GET", "/transaction/Maca-100X", nil).is(404, "Transação não encontrada")
	for _, c := range []struct {
		search string
		want   int
	}{
		{"JÁ EXISTE UMA VENDA", 1}, // in the details
		{"ja existe uma venda", 1},
		{"Já existe", 1},
		{"já existe uma venda ATIVA!", 1},
		{"POST /SALE", 2}, // in the message
		{"post /sale 409", 1},
		{"100%25_", 1}, // as the path has it
		{"100%", 1},
		{"100_", 0},
		{"1%0", 0},
		{"%", 1},
		{"_", 1},
		{"TRANSACAO NAO ENCONTRADA", 2},
		{"nada disso", 0},
		{"'; DROP TABLE", 0},
		{`\`, 0},
	} {
		query := "source=http&search=" + url.QueryEscape(c.search)
		if got := m.entries(query); len(got) != c.want {
			t.Errorf("search %q: %d entries, want %d: %q", c.search, len(got), c.want, messagesOf(got))
		}
	}
	if got := m.entries("level=warning&limit=1&search=nao+encontrada"); len(got) != 1 || !strings.Contains(got[0].Message, "Maca-100X") {
		t.Errorf("search, level and limit together: %+v", got)
	}
}

func TestLogDates(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	time.Sleep(3 * time.Millisecond) // entries are told apart by the millisecond
	m.call("PATCH", "/sale", nil).ok()
	time.Sleep(3 * time.Millisecond)
	m.call("POST", "/sale/finalize", nil).ok()
	all := m.entries("level=info&source=http")
	if len(all) != 3 {
		t.Fatalf("entries %q", messagesOf(all))
	}
	at := all[1].at(t).Local()
	const ms = "2006-01-02T15:04:05.000"
	india := time.FixedZone("", 5*3600+1800)
	for _, c := range []struct {
		query string
		want  int
	}{
		{"dateFrom=" + at.Format(ms+"Z07:00"), 2},
		{"dateTo=" + at.Format(ms+"Z07:00"), 2},
		{"dateFrom=" + at.UTC().Format(ms+"Z07:00") + "&dateTo=" + at.UTC().Format(ms+"Z07:00"), 1},
		{"dateFrom=" + at.In(india).Format(ms+"Z07:00"), 2},
		{"dateFrom=" + at.In(india).Format(ms+"Z0700"), 2},
		{"dateTo=" + at.In(india).Format(ms+"Z07:00"), 2},
		{"dateFrom=" + at.Format(ms), 2}, // no zone: the device's
		{"dateTo=" + at.Format(ms), 2},
		{"dateFrom=" + strings.Replace(at.Format(ms), ".", ",", 1), 2},
		{"dateFrom=" + at.Add(time.Millisecond).Format(ms), 1},
		{"dateTo=" + at.Add(-time.Millisecond).Format(ms), 1},
		{"dateFrom=" + at.Format("20060102T150405.000"), 2}, // the basic form
		{"dateFrom=" + at.UTC().Format("20060102T150405.000Z"), 2},
		{"dateFrom=" + at.Add(-time.Minute).Format("2006-01-02T15:04"), 3},
		{"dateTo=" + at.Add(time.Hour).Format("2006-01-02T15"), 3},
		{"dateFrom=" + at.UTC().Add(-time.Minute).Format("2006-01-02T15:04Z"), 3},
		{"dateFrom=" + at.UTC().Add(-time.Hour).Format("2006-01-02T15Z"), 3},
		{"dateFrom=" + at.AddDate(0, 0, -1).Format("2006-01-02"), 3},
		{"dateTo=" + at.AddDate(0, 0, 1).Format("2006-01-02"), 3}, // a date alone includes its day
		{"dateTo=" + all[0].at(t).Local().Format("2006-01-02"), 3},
		{"dateFrom=" + all[2].at(t).Local().Format("2006-01-02"), 3},
		{"dateFrom=" + at.AddDate(0, 0, -1).Format("20060102"), 3},
		{"dateTo=" + all[2].at(t).Local().AddDate(0, 0, -1).Format("2006-01-02"), 0},
		{"dateFrom=" + all[0].at(t).Local().AddDate(0, 0, 1).Format("2006-01-02"), 0},
		{"dateFrom=2999-01-01&dateTo=2000-01-01", 0},
	} {
		query := "level=info&source=http&" + strings.ReplaceAll(c.query, "+", "%2B")
		a := m.call("GET", "/logs?"+query, nil)
		var got []logEntry
		if a.status == 200 {
			a.into(&got)
		}
		if a.status != 200 || len(got) != c.want {
			t.Errorf("%s: %d with %d entries, want %d: %.200s", query, a.status, len(got), c.want, a.body)
		}
	}
}

func TestBadLogFilters(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, path := range []string{"/logs", "/logs/zip/download"} {
		for _, c := range []struct{ query, names string }{
			{"level=loud", "level"},
			{"level=INFO", "level"},
			{"level=info,error", "level"},
			{"source=web", "source"},
			{"source=HTTP", "source"},
			{"dateFrom=ontem", "dateFrom"},
			{"dateTo=2026-13-01", "dateTo"},
			{"dateTo=2026-02-30", "dateTo"},
			{"dateFrom=14/03/2026", "dateFrom"},
			{"dateFrom=2026-03-14T25:00:00", "dateFrom"},
			{"dateFrom=1773480000", "dateFrom"},
			{"limit=0", "limit"},
			{"limit=-1", "limit"},
			{"limit=100001", "limit"},
			{"limit=dez", "limit"},
			{"limit=1.5", "limit"},
			{"limit=", "limit"},
			{"limit=99999999999999999999", "limit"},
			{"search=%zz", ""},
		} {
			m.call("GET", path+"?"+c.query, nil).isInvalid(c.names)
		}
	}
}

// unzipped reads the one file of the archive.
func (m *terminal) unzipped(query string) []string {
	m.t.Helper()
	a := m.call("GET", "/logs/zip/download?"+query, nil).ok()
	for name, want := range map[string]string{"Content-Type": "application/zip", "Content-Disposition": `attachment; filename="service_logs.zip"`} {
		if got := a.header.Values(name); len(got) != 1 || got[0] != want {
			m.t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	archive, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
	if err != nil {
		m.t.Fatal(err)
	}
	if len(archive.File) != 1 || archive.File[0].Name != "service_logs.log" {
		m.t.Fatalf("the archive holds %+v", archive.File)
	}
	file, err := archive.File[0].Open()
	if err != nil {
		m.t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		m.t.Fatal(err)
	}
	if len(text) == 0 {
		return nil
	}
	if text[len(text)-1] != '\n' {
		m.t.Error("the last line does not end")
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestLogArchive(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", "{\n\"customerName\":\n").isInvalid("") // its details have lines of their own
	m.call("POST", "/sale", nil).ok()
	m.call("GET", "/nowhere", nil).is(404, "Rota não encontrada")
	m.call("PATCH", "/sale", nil).ok()
	all := m.entries("")
	oldestFirst := slices.Clone(all)
	slices.Reverse(oldestFirst)
	check := func(query string, want []logEntry) {
		t.Helper()
		lines := m.unzipped(query)
		if len(lines) != len(want) {
			t.Errorf("%q: %d lines, want %d:\n%s", query, len(lines), len(want), strings.Join(lines, "\n"))
			return
		}
		for i, e := range want {
			if !strings.Contains(lines[i], e.Message) || !strings.Contains(strings.ToLower(lines[i]), e.Level) || !strings.Contains(lines[i], e.Source) || !strings.Contains(lines[i], e.CreatedAt[:19]) {
				t.Errorf("%q line %d is %q, want %+v", query, i, lines[i], e)
			}
		}
	}
	only := func(keep func(logEntry) bool) []logEntry {
		return slices.DeleteFunc(slices.Clone(oldestFirst), func(e logEntry) bool { return !keep(e) })
	}
	check("", oldestFirst)
	check("level=warning", only(func(e logEntry) bool { return e.Level == "warning" }))
	check("source=router", only(func(e logEntry) bool { return e.Source == "router" }))
	check("search=nowhere", oldestFirst) // no filter of the archive
	check("dateFrom="+strings.ReplaceAll(all[0].CreatedAt, "+", "%2B"), only(func(e logEntry) bool { return !e.at(t).Before(all[0].at(t)) }))
	check("dateTo=2001-01-01", nil)
	check("limit=2", oldestFirst[len(oldestFirst)-2:]) // the same two as GET /logs?limit=2
}

func TestReadingLogsAsksForCredentials(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, path := range []string{"/logs", "/logs/zip/download", "/logs/stream"} {
		if a := m.call("GET", path, nil, header{"Authorization", ""}); a.status != http.StatusUnauthorized {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}
