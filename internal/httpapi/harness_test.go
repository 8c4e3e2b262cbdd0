package httpapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/apptest/behindhub"
	"github.com/maquininha/maquininha/internal/docpage/docpagetest"
	"github.com/maquininha/maquininha/internal/httpapi/apidoc"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "8") //nolint:errcheck // it is there; most tests wait, and need no processor of their own for it
	goleak.VerifyTestMain(behindhub.Tests{M: m})
}

const (
	testUser     = apptest.User
	testPassword = apptest.Password
)

// terminal is the whole service on real sockets with a real store, and a caller that holds every exchange
// against the description. The caller may come through a hub.
type terminal struct {
	t      testing.TB
	base   string
	path   string // before the terminal's own: the hub's
	user   string
	secret string
	config app.Config
	client *http.Client
	stop   func()
}

// start runs a terminal until the test ends. The people are absent unless a test asks for the autopilot.
func start(t testing.TB, options ...func(*app.Config)) *terminal {
	t.Helper()
	c := apptest.Config(t)
	c.Autopilot, c.AutopilotDelay = true, time.Hour // stands in as foreground, but never acts
	c.Timeouts.Stop = waittest.Limit                // who is answered when it stops has time to hear it
	for _, o := range options {
		o(&c)
	}
	m := &terminal{t: t, user: testUser, secret: testPassword, config: c}
	if behindhub.Wanted() {
		m.startBehindHub()
		return m
	}
	s := apptest.Start(t, c)
	m.base, m.client, m.stop = "http://"+s.API.String(), s.Client, s.Stop
	return m
}

// again starts a terminal on the data of one that has stopped.
func (m *terminal) again(options ...func(*app.Config)) *terminal {
	m.t.Helper()
	m.stop()
	return start(m.t, append([]func(*app.Config){func(c *app.Config) { *c = m.config }}, options...)...)
}

func autopilot(c *app.Config)  { c.AutopilotDelay = time.Millisecond }
func android(c *app.Config)    { c.Platform = "android" }
func production(c *app.Config) { c.Mode = app.Production }
func human(c *app.Config)      { c.Autopilot = false }

// longBodyTimeout takes in what it refuses, however long a busy machine takes to send it.
func longBodyTimeout(c *app.Config) { c.Timeouts.API.Rest = waittest.Limit }

// shortBodyTimeout answers at once where a body was promised and does not come.
func shortBodyTimeout(c *app.Config) { c.Timeouts.API.Rest = 50 * time.Millisecond }

// lasting leaves how an operation ended on the screen until a test has looked at it.
func lasting(c *app.Config) { c.Play = &app.Play{ResultsStay: time.Hour} }

// silentBank is one that says nothing until it is reset.
func silentBank(c *app.Config) { c.Play = &app.Play{Silence: time.Hour} }

// answer is what came back.
type answer struct {
	t      testing.TB
	what   string
	status int
	header http.Header
	body   []byte
}

type header struct{ name, value string }

// call sends a request with the right credentials; body may be nil, a string, bytes, or anything JSON can write.
func (m *terminal) call(method, path string, body any, headers ...header) *answer {
	m.t.Helper()
	req := m.request(method, path, body, headers...)
	sent := req.Clone(req.Context())
	var sentBody []byte
	if req.GetBody != nil {
		b, _ := req.GetBody()
		sentBody, _ = io.ReadAll(b)
	}
	a := m.answer(req)
	sent.Body = io.NopCloser(bytes.NewReader(sentBody))
	m.matchesDescription(sent, a)
	return a
}

// answer sends a request and reads what comes back, whole.
func (m *terminal) answer(req *http.Request) *answer {
	m.t.Helper()
	what := req.Method + " " + strings.TrimPrefix(req.URL.RequestURI(), m.path)
	resp, err := m.client.Do(req)
	if err != nil {
		m.t.Fatalf("%s: %v", what, err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		m.t.Fatalf("%s: reading the answer: %v", what, err)
	}
	return &answer{t: m.t, what: what, status: resp.StatusCode, header: resp.Header, body: got}
}

func (m *terminal) request(method, path string, body any, headers ...header) *http.Request {
	m.t.Helper()
	var reader io.Reader
	contentType := "application/json"
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	case []byte:
		reader, contentType = bytes.NewReader(b), "application/octet-stream"
	default:
		text, err := json.Marshal(b)
		if err != nil {
			m.t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(m.t.Context(), method, m.base+path, reader)
	if err != nil {
		m.t.Fatal(err)
	}
	req.SetBasicAuth(m.user, m.secret)
	if reader != nil {
		req.Header.Set("Content-Type", contentType)
	}
	for _, h := range headers {
		if h.value == "" {
			req.Header.Del(h.name)
		} else {
			req.Header.Set(h.name, h.value)
		}
	}
	return req
}

// is checks status and message, and that an error is exactly {code, message}.
func (a *answer) is(status int, message string) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: status %d, want %d: %s", a.what, a.status, status, a.body)
	}
	if got := a.json()["message"]; got != message {
		a.t.Fatalf("%s: message %q, want %q", a.what, got, message)
	}
	return a
}

// ok checks for a 200.
func (a *answer) ok() *answer {
	a.t.Helper()
	if a.status != http.StatusOK {
		a.t.Fatalf("%s: status %d, want 200: %s", a.what, a.status, a.body)
	}
	return a
}

func (a *answer) json() map[string]any {
	a.t.Helper()
	var v map[string]any
	a.into(&v)
	return v
}

func (a *answer) into(v any) {
	a.t.Helper()
	dec := json.NewDecoder(bytes.NewReader(a.body))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		a.t.Fatalf("%s: %v in %q", a.what, err, a.body)
	}
}

// description is the OpenAPI document the service publishes, loaded once.
var description = docpagetest.New(apidoc.Spec())

// matchesDescription holds the exchange against the description.
func (m *terminal) matchesDescription(req *http.Request, a *answer) {
	m.t.Helper()
	req = m.atTerminal(req)
	if a.status >= 400 {
		m.isError(a)
	}
	if describedHere {
		description.Compare(m.t, docpagetest.Exchange{What: a.what, Request: req, Status: a.status, Header: a.header, Body: a.body})
	}
}

// isError checks the one promise that every error keeps.
func (m *terminal) isError(a *answer) {
	m.t.Helper()
	v := a.json()
	code, isCode := v["code"].(json.Number)
	text, isText := v["message"].(string)
	if len(v) != 2 || !isCode || !isText || text == "" || code == "" {
		m.t.Errorf("%s: %d is not exactly {code, message}: %s", a.what, a.status, a.body)
	}
	if ct := a.header.Get("Content-Type"); !strings.HasPrefix(ct, "application/json") {
		m.t.Errorf("%s: error of type %q", a.what, ct)
	}
	if a.header.Get("Access-Control-Allow-Origin") != "*" {
		m.t.Errorf("%s: an error without CORS headers", a.what)
	}
}
