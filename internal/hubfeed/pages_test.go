package hubfeed_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/tunnel"
)

func TestTheLedgerIsReadPageByPage(t *testing.T) {
	t.Parallel()
	m := open(t)
	if p := ledgerPage(t, m, ""); p.Epoch != "first" || p.Last != 0 || p.Steps == nil || len(p.Steps) != 0 {
		t.Errorf("empty: %+v", p)
	}
	m.pay(t, "a")
	m.pay(t, "a") // several attempts share a reference
	for query, want := range map[string]string{
		"": "1 2 3 4", "?after=0&limit=3": "1 2 3", "?after=3": "4", "?after=4": "", "?after=1&limit=1": "2", "?after=1&epoch=first": "2 3 4", "?after=1&epoch=other": "",
	} {
		if p := ledgerPage(t, m, query); numbers(p) != want || p.Last != 4 || p.Epoch != "first" {
			t.Errorf("%s: %s of %d in %s", query, numbers(p), p.Last, p.Epoch)
		}
	}
	s := ledgerPage(t, m, "?after=1&limit=1").Steps[0]
	if s.Attempt != 1 || s.Operation != "payment" || s.State != "confirmed" || s.Note != "why" || s.Reference != "a" || s.Method != "credit" ||
		s.Amount != "12.30" || s.Status != "approved" || s.NSU != "nsu a" || s.At.IsZero() {
		t.Errorf("%+v", s)
	}
	// The answer is what the interface says, byte for byte, and of now: the first step of an attempt has it too.
	if first := ledgerPage(t, m, "?limit=1").Steps[0]; string(first.Answer) != `{"message":"<a> & confirmed"}` || first.State != "sent" {
		t.Errorf("%s %s", first.State, first.Answer)
	}
}

// A hub takes what is before the first for lost.
func TestWhatIsLoggedMeanwhileIsNotLost(t *testing.T) {
	t.Parallel()
	m := open(t)
	looks := 0
	m.after = func() {
		if looks++; looks == 2 { // entries were looked for, and the oldest
			m.logAll(t, "a", "b")
		}
	}
	if p := logPage(t, m, ""); p.First != 1 || ids(p) != "" || looks != 2 {
		t.Errorf("%+v after %d looks", p, looks)
	}
}

func TestTheLogIsReadPageByPage(t *testing.T) {
	t.Parallel()
	m := open(t)
	if p := logPage(t, m, ""); p.First != 1 || p.Last != 0 || p.Entries == nil || len(p.Entries) != 0 {
		t.Errorf("empty: %+v", p)
	}
	m.logAll(t, "a", "b", "c")
	for query, want := range map[string]string{"": "1 2 3", "?limit=2": "1 2", "?after=2": "3", "?after=3": "", "?after=1&epoch=other": ""} {
		if p := logPage(t, m, query); ids(p) != want || p.First != 1 || p.Last != 3 || p.Epoch != "first" {
			t.Errorf("%s: %s, %+v", query, ids(p), p)
		}
	}
	if e := logPage(t, m, "?after=2").Entries[0]; e.Level != "info" || e.Source != "app" || e.Message != "c" || e.Details != "details of c" || e.At.IsZero() {
		t.Errorf("%+v", e)
	}
	large := strings.Repeat("ç", 30<<10)
	for range 40 {
		m.log.Add("info", "app", "large", large)
	}
	must(t, m.log.Flush(t.Context()))
	p := logPage(t, m, "?after=3&limit=1000")
	if n := len(p.Entries); n == 0 || n == 40 || n > 64 {
		t.Errorf("%d large entries in a page", n)
	}
}

// What the log has trimmed is seen by the oldest entry there is.
func TestTheLogTellsItsOldestEntry(t *testing.T) {
	t.Parallel()
	m := open(t)
	m.logAll(t, strings.Split(strings.Repeat("x ", 400), " ")...)
	must(t, m.logs.Trim(t.Context(), time.Time{}, 100))
	p := logPage(t, m, "?after=5&limit=2")
	if p.First <= 6 || p.Last != 401 || len(p.Entries) != 2 || p.Entries[0].ID != p.First {
		t.Errorf("%d to %d: %s", p.First, p.Last, ids(p))
	}
}

// A hub that has read what is not here, or what is otherwise here, is told another epoch: once, not at each question.
func TestWhatAHubHasReadEndsAnEpoch(t *testing.T) {
	t.Parallel()
	m := open(t)
	if p := ledgerPage(t, m, "?after=9"); p.Epoch != "first" {
		t.Errorf("nothing could be missed yet: %+v", p)
	}
	m.pay(t, "a")
	m.logAll(t, "a", "b")
	step, entry := ledgerPage(t, m, "").Steps[1], logPage(t, m, "").Entries[1]
	at := func(moment time.Time) string { return "&at=" + url.QueryEscape(moment.Format(time.RFC3339Nano)) }
	for _, query := range []string{
		"?after=2&epoch=first", "?after=2" + at(step.At), "?after=2" + at(step.At.UTC().Truncate(time.Microsecond)), "?after=2" + at(step.At.Round(time.Microsecond)),
		"?after=9&epoch=another", "?after=2&epoch=another" + at(step.At.Add(time.Second)),
	} {
		if p := ledgerPage(t, m, query); p.Epoch != "first" {
			t.Errorf("%s: %s", query, p.Epoch)
		}
	}
	for _, query := range []string{"?after=2", "?after=2" + at(entry.At), "?after=9&epoch=another"} {
		if p := logPage(t, m, query); p.Epoch != "first" {
			t.Errorf("log %s: %s", query, p.Epoch)
		}
	}
	epoch := "first"
	for _, c := range []struct{ path, query string }{
		{tunnel.LedgerPath, "?after=1000"},
		{tunnel.LedgerPath, "?after=2" + at(step.At.Add(time.Millisecond))},
		{tunnel.LogPath, "?after=1000"},
		{tunnel.LogPath, "?after=2" + at(entry.At.Add(-time.Millisecond))},
	} {
		m.pay(t, "more")
		m.logAll(t, "more")
		epoch = "after " + epoch
		for range 2 {
			status, page, text := get[struct {
				Epoch          string
				Steps, Entries []any
			}](t, m, c.path+c.query)
			if status != http.StatusOK || page.Epoch != epoch {
				t.Errorf("%s%s: %d %s", c.path, c.query, status, text)
			}
		}
	}
}

func TestWrongQuestionsAreRefused(t *testing.T) {
	t.Parallel()
	m := open(t)
	for _, path := range []string{tunnel.LedgerPath, tunnel.LogPath} {
		for query, word := range map[string]string{
			"after=-1": "after", "after=x": "after", "after=": "after", "after=9223372036854775808": "after", "limit=0": "limit", "limit=1001": "limit", "limit=": "limit",
			"at=ontem": "at", "at=": "at", "%": "malformados", "a;b": "malformados",
		} {
			if status, _, text := get[any](t, m, path+"?"+query); status != http.StatusBadRequest || !strings.Contains(text, `"code":400`) || !strings.Contains(text, word) {
				t.Errorf("%s?%s: %d %s", path, query, status, text)
			}
		}
	}
	for _, path := range []string{tunnel.PositionPath, tunnel.LedgerPath, tunnel.LogPath} {
		resp, err := http.Post(m.address+path, "application/json", strings.NewReader("{}"))
		must(t, err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("POST %s: %d", path, resp.StatusCode)
		}
	}
}

// Whatever is asked, the answer is a page or a refusal.
func FuzzQuestions(f *testing.F) {
	for _, seed := range []string{"", "after=1&limit=2", "after=9&epoch=first&at=2026-11-16T12:00:00.123456789-03:00", "limit=1001", "after=%zz", "at=2026", "epoch=&epoch=x"} {
		f.Add(seed)
	}
	m := open(f)
	m.pay(f, "a")
	m.logAll(f, "a")
	f.Fuzz(func(t *testing.T, query string) {
		for _, path := range []string{tunnel.LedgerPath, tunnel.LogPath} {
			r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: path, RawQuery: query}}
			w := &answer{header: http.Header{}}
			m.feed.ServeHTTP(w, r.WithContext(t.Context()))
			if w.status != http.StatusOK && w.status != http.StatusBadRequest || w.bytes == 0 {
				t.Errorf("%s?%q: %d", path, query, w.status)
			}
		}
	})
}

// answer is what was answered, without its text.
type answer struct {
	header        http.Header
	status, bytes int
}

func (a *answer) Header() http.Header { return a.header }
func (a *answer) WriteHeader(s int)   { a.status = s }
func (a *answer) Write(b []byte) (int, error) {
	a.bytes += len(b)
	return len(b), nil
}
