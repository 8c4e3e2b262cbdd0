package httpapi

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/logbook"
)

const (
	// keptExchanges is how many the emulator's panel can look back on.
	keptExchanges = 50
	// shownBytes is how much of a body is shown.
	shownBytes = 4 << 10
	// keptBytes is how much of it is kept until then: a card number that lies across the cut is known as one.
	keptBytes = 2 * shownBytes
	// shownQuery is how much of a query is shown.
	shownQuery = 512
)

// exchanges are the last requests and their answers, for the emulator's panel. They are kept only while a page of
// the screen is open: nobody else looks at them, and callers that measure the emulator pay nothing.
type exchanges struct {
	mu    sync.Mutex
	kept  []*exchange // oldest first
	count int
}

// exchange is one request and, once it has come, its answer.
type exchange struct {
	all    *exchanges
	number int
	at     time.Time
	method string
	path   string

	// The rest changes while it runs, under the lock of all.
	over    bool
	took    time.Duration
	status  int // 0: none sent
	request excerpt
	answer  excerpt
}

// records says whether the exchange is kept: a page is open that can show it, and the route is not one that is polled.
func (api *API) records(r *http.Request) bool {
	if api.Emulator == nil || !api.Screen.Foreground.HasPages() || r.Method == http.MethodOptions {
		return false
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return true
	}
	return !api.polled[r.URL.Path] && !api.public(r) && !strings.HasPrefix(r.URL.Path, "/logs/") && r.URL.Path != "/operation/stream" &&
		!strings.HasPrefix(r.URL.Path, "/emulator/printer/jobs/")
}

// record keeps an exchange for the panel, if that lists such; end is for when it is answered.
func (api *API) record(w http.ResponseWriter, r *http.Request) (_ http.ResponseWriter, end func()) {
	if !api.records(r) {
		return w, func() {}
	}
	e := api.exchanges.begin(r)
	return e.tap(w, r), e.end
}

func polledPaths(table []route) map[string]bool {
	paths := map[string]bool{}
	for _, rt := range table {
		if rt.flags&poll != 0 {
			_, path, _ := strings.Cut(rt.pattern, " ")
			paths[path] = true
		}
	}
	return paths
}

// begin keeps an exchange whose answer is yet to come.
func (x *exchanges) begin(r *http.Request) *exchange {
	e := &exchange{all: x, at: time.Now(), method: r.Method[:min(len(r.Method), 16)], path: shortPath(r) + shortQuery(r)}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.count++
	e.number = x.count
	if len(x.kept) == keptExchanges {
		x.kept = append(x.kept[:0], x.kept[1:]...)
	}
	x.kept = append(x.kept, e)
	return e
}

// shortQuery is the query with its question mark, as shortPath is the path.
func shortQuery(r *http.Request) string {
	query := r.URL.RawQuery
	if query == "" {
		return ""
	}
	if meant, err := url.QueryUnescape(query); err == nil {
		if masked := logbook.Redact(meant); masked != meant {
			query = masked
		}
	}
	if query = logbook.Redact(query); len(query) > shownQuery {
		query = strings.ToValidUTF8(query[:shownQuery], "") + "…"
	}
	return "?" + query
}

// end is for when the answer is ready.
func (e *exchange) end() {
	e.all.mu.Lock()
	defer e.all.mu.Unlock()
	e.over, e.took = true, time.Since(e.at)
	if e.status == 0 {
		e.status = statusGone
	}
}

// tap copies what is read and written into the exchange.
func (e *exchange) tap(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
	if r.Body != http.NoBody {
		r.Body = tappedBody{r.Body, e}
	}
	return tappedWriter{w, e}
}

type tappedBody struct {
	io.ReadCloser
	e *exchange
}

func (b tappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.e.all.mu.Lock()
	defer b.e.all.mu.Unlock()
	b.e.request.add(p[:n])
	return n, err
}

type tappedWriter struct {
	http.ResponseWriter
	e *exchange
}

// Unwrap lets http.ResponseController flush, hijack and set deadlines.
func (w tappedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w tappedWriter) WriteHeader(status int) {
	w.e.answered(status, nil)
	w.ResponseWriter.WriteHeader(status)
}

func (w tappedWriter) Write(b []byte) (int, error) {
	w.e.answered(http.StatusOK, b)
	return w.ResponseWriter.Write(b)
}

func (e *exchange) answered(status int, body []byte) {
	e.all.mu.Lock()
	defer e.all.mu.Unlock()
	if e.status == 0 && status >= http.StatusOK {
		e.status = status
	}
	e.answer.add(body)
}

// excerpt is the beginning of a body.
type excerpt struct {
	kept []byte
	size int64
}

func (x *excerpt) add(b []byte) {
	x.size += int64(len(b))
	x.kept = append(x.kept, b[:min(len(b), keptBytes-len(x.kept))]...)
}

// text is the excerpt without card numbers, and whether the body was longer; nil when it is no text, or empty.
func (x *excerpt) text() (text *string, cut bool) {
	body := string(x.kept)
	if cut = x.size > shownBytes; cut {
		body = wholeRunes(body)
	}
	if body == "" || !utf8.ValidString(body) || strings.ContainsFunc(body, unprintable) {
		return nil, false
	}
	if body = logbook.Redact(body); cut {
		body = wholeRunes(body[:min(len(body), shownBytes)])
	}
	return &body, cut
}

func unprintable(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }

// wholeRunes takes off the beginning of a letter that a cut has left at the end.
func wholeRunes(s string) string {
	for i := len(s) - 1; i >= 0 && i >= len(s)-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return s[:i]
			}
			break
		}
	}
	return s
}

type exchangeBody struct {
	N                int      `json:"n"`
	At               stamp    `json:"at"`
	Method           string   `json:"method"`
	Path             string   `json:"path"`
	Status           *int     `json:"status"`
	DurationMs       *float64 `json:"durationMs"`
	Request          *string  `json:"request"`
	Answer           *string  `json:"answer"`
	RequestTruncated bool     `json:"requestTruncated"`
	AnswerTruncated  bool     `json:"answerTruncated"`
}

func (api *API) emulatorRequests(*http.Request) (any, error) { return api.exchanges.newestFirst(), nil }

func (x *exchanges) newestFirst() []exchangeBody {
	x.mu.Lock()
	kept := make([]exchange, len(x.kept)) // what is in them is only ever appended to
	for i, e := range x.kept {
		kept[i] = *e
	}
	x.mu.Unlock()
	bodies := make([]exchangeBody, len(kept))
	for i, e := range kept {
		b := exchangeBody{N: e.number, At: stampOf(e.at), Method: e.method, Path: e.path}
		b.Request, b.RequestTruncated = e.request.text()
		if e.over {
			status, took := e.status, float64(e.took.Microseconds())/1000
			b.Status, b.DurationMs = &status, &took
			b.Answer, b.AnswerTruncated = e.answer.text()
		}
		bodies[len(bodies)-1-i] = b
	}
	return bodies
}
