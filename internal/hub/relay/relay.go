// Package relay passes requests on to terminals, over the connections that these dialled, and their answers back.
//
// Invariants: what a terminal answers reaches the caller as it is; a request is sent once at most; who hangs up on one side is gone on
// the other; an error of the way says so in a header, and whether anything was sent; the paths that only the hub may read
// (tunnel.PositionPath and its like) are nobody else's.
package relay

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Headers of the hub's own.
const (
	HubHeader       = "X-Maquininha-Hub"   // absent or broken: an error of the way
	AsOfHeader      = "X-Maquininha-As-Of" // the answer is from the hub's records, complete up to then
	ReferenceHeader = "X-Reference-Id"     // the reference that the hub gave a payment without one
)

// Caller is who asks.
type Caller struct {
	fleet.Actor
	NeedsReferences bool // payments without a reference are refused instead of given one
	Stranger        bool // it has shown no credentials: the terminal decides what it may see
}

// Links finds the way to who is connected; a *links.Board does, and *peers.Peers where there are several hubs.
type Links interface {
	Route(ctx context.Context, terminal string) (http.RoundTripper, bool)
	Presence(terminal string) links.Presence
}

// Config is what a relay stands on.
type Config struct {
	Links      Links
	Records    Records
	Operations Operations
}

// Relay passes requests on.
type Relay struct {
	Config
	running running
}

// New returns a relay.
func New(c Config) *Relay { return &Relay{Config: c, running: newRunning()} }

// Target is where a request goes: a terminal, and the path there as it was sent. The caller was found to see the terminal.
type Target struct {
	Terminal fleet.Terminal
	Caller   Caller
	Path     string // escaped, with the slash it begins with

	// Sees tells whether the caller still sees the terminal. It is asked before each piece of a stream, which may last for days: the key may
	// have been revoked since, or the terminal moved. Nil: it does.
	Sees func() bool
}

// Public tells of what a terminal may answer without credentials, and so a hub passes it on.
func Public(method, path string) bool {
	switch method {
	case http.MethodOptions:
		return true
	case http.MethodGet, http.MethodHead:
		return path == "/" || path == "/docs" || strings.HasPrefix(path, "/docs/") || path == "/openapi.bundle.yaml"
	}
	return false
}

// Serve answers a request to a terminal; asked is the same one as it outlives its caller.
func (y *Relay) Serve(w http.ResponseWriter, r, asked *http.Request, to Target) {
	steps, ok := segments(to.Path)
	switch {
	case !ok, strings.HasPrefix(steps[0]+"/", "hub/"): // what the hub alone may ask a terminal for, however it is written
		fail(w, http.StatusNotFound, "Rota não encontrada")
		return
	case steps[0] == "operations":
		y.serveOperation(w, r, to, steps[1:])
		return
	}
	kind := kindOf(r.Method, steps)
	link, connected := y.Links.Route(asked.Context(), to.Terminal.ID)
	switch {
	case kind != other && wantsOperation(r):
		y.operate(w, r, to, kind, link)
	case connected && kind == payment:
		y.pay(w, r, to, link)
	case connected && (kind == question || kind == reversal || steps[len(steps)-1] == "stream"): // who hangs up is not waited for
		y.forward(w, r, to, link, "")
	case connected:
		y.forward(w, asked, to, link, "")
	case r.Method == http.MethodOptions:
		preflight(w, r) // so that a page can read what the request itself is answered with
	case !y.answerFromRecords(w, r, to, steps):
		to.absent(w)
	}
}

// segments takes a path apart, as the terminal's own router does.
func segments(path string) ([]string, bool) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return nil, false
	}
	parts := strings.Split(rest, "/")
	for i, p := range parts {
		var err error
		if parts[i], err = url.PathUnescape(p); err != nil {
			return nil, false
		}
	}
	return parts, true
}

// kind is what a request wants, of what may be wanted without waiting for it.
type kind int

const (
	other kind = iota
	payment
	reversal
	question
	print
)

func kindOf(method string, steps []string) kind {
	if method != http.MethodPost {
		return other
	}
	switch {
	case len(steps) == 1 && steps[0] == "transaction":
		return payment
	case len(steps) == 3 && steps[0] == "transaction" && steps[2] == "reversal":
		return reversal
	case steps[0] == "ask" && (len(steps) == 1 || len(steps) == 2 && steps[1] == "form"):
		return question
	case len(steps) == 2 && steps[0] == "print":
		return print
	}
	return other
}

// forward sends a request on, and the answer back as it comes. reference is the one that the hub gave.
func (y *Relay) forward(w http.ResponseWriter, r *http.Request, to Target, link http.RoundTripper, reference string) {
	body := &heardBody{ReadCloser: r.Body}
	if r.Body != nil && r.Body != http.NoBody {
		r = r.WithContext(r.Context()) // the caller's own keeps its body
		r.Body = body
	}
	proxy := httputil.ReverseProxy{
		Transport: answering{link, body}, BufferPool: buffers, ErrorLog: silent,
		Rewrite: func(p *httputil.ProxyRequest) {
			address(p.Out.URL, to.Path, p.In.URL.RawQuery)
			p.Out.Host = p.In.Host // by which the terminal tells pages of other origins
			strip(p.Out.Header)
			if to.Caller.Stranger {
				p.Out.Header.Set(tunnel.StrangerHeader, "1")
			}
		},
		ModifyResponse: func(resp *http.Response) error {
			guardOrigin(r, resp.Header)
			if reference != "" {
				expose(resp.Header, ReferenceHeader, reference)
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil {
				panic(http.ErrAbortHandler) // nobody is there to read an answer
			}
			if reference != "" {
				expose(w.Header(), ReferenceHeader, reference)
			}
			switch {
			case body.broke.Load():
				w.Header().Set("Connection", "close") // nobody can tell where the next request would begin
				fail(w, http.StatusBadRequest, "Requisição inválida: o corpo não chegou inteiro")
			case errors.Is(err, tunnel.ErrNotSent):
				y.lost(w, r, to, to.absent)
			default:
				y.lost(w, r, to, broken)
			}
		},
	}
	proxy.ServeHTTP(streamWriter{w, to.Sees}, r)
}

// lost answers what the terminal did not: a lookup from the records, anything else with an error of the way.
func (y *Relay) lost(w http.ResponseWriter, r *http.Request, to Target, otherwise func(http.ResponseWriter)) {
	steps, _ := segments(to.Path)
	if !y.answerFromRecords(w, r, to, steps) {
		otherwise(w)
	}
}

// address is where a request is found at the terminal: the path to the letter, under a host that says nothing.
func address(u *url.URL, path, query string) {
	*u = url.URL{Scheme: "http", Host: "terminal", RawQuery: query}
	u.Path, _ = url.PathUnescape(path) // the server has parsed it before
	u.RawPath = path
}

// strip takes out what is between the caller and the hub only.
func strip(h http.Header) {
	for _, name := range []string{"Authorization", "Cookie", "Connection", "Upgrade", tunnel.StrangerHeader} {
		h.Del(name)
	}
}

const (
	absentWords  = "Terminal fora do ar"
	revokedWords = "Terminal revogado"
	lostWords    = "Conexão com o terminal perdida; consulte pelo referenceId"
)

// The same answer as an operation keeps it.
var absentBody = []byte(`{"code":503,"message":"` + absentWords + `"}` + "\n")

func absentHeaders() map[string]string {
	return map[string]string{HubHeader: "absent", "Content-Type": "application/json; charset=utf-8"}
}

// absent answers for a terminal that is not here. One that was revoked never comes back: nobody is told to repeat.
func (to Target) absent(w http.ResponseWriter) {
	if !to.Terminal.RevokedAt.IsZero() {
		fail(w, http.StatusGone, revokedWords)
		return
	}
	expose(w.Header(), HubHeader, "absent")
	fail(w, http.StatusServiceUnavailable, absentWords)
}

func broken(w http.ResponseWriter) {
	expose(w.Header(), HubHeader, "broken")
	fail(w, http.StatusBadGateway, lostWords)
}

// fail is the hub's own refusal in the terminal's place: pages of other origins may read it, as they may the terminal's.
func fail(w http.ResponseWriter, status int, message string) {
	AllowPages(w.Header())
	reply.Error(w, status, message)
}

// AllowPages lets pages of other origins read an answer, as a terminal does.
func AllowPages(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS")
}

// preflight lets a page of another origin ask what it wants to ask, as a terminal does.
func preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	AllowPages(h)
	h.Set("Access-Control-Allow-Headers", "*")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked) // a bare * does not cover Authorization
	}
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	h.Add("Vary", "Access-Control-Request-Headers")
	w.WriteHeader(http.StatusNoContent)
}

// expose lets pages of other origins read a header too. What no header can hold is left out: a reference may be any text.
func expose(h http.Header, name, value string) {
	if strings.ContainsFunc(value, unicode.IsControl) {
		return
	}
	h.Set(name, value)
	if shown := h.Get("Access-Control-Expose-Headers"); shown != "" {
		name = shown + ", " + name
	}
	h.Set("Access-Control-Expose-Headers", name)
}

// heardBody remembers that the caller's body broke off, which is no fault of the link.
type heardBody struct {
	io.ReadCloser
	broke atomic.Bool
}

func (b *heardBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		b.broke.Store(true)
	}
	return n, err
}

var silent = log.New(io.Discard, "", 0)

// buffers are what answers are copied through.
var buffers = &bufferPool{}

type bufferPool struct{ pool sync.Pool }

func (b *bufferPool) Get() []byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return *buf
	}
	return make([]byte, 32<<10)
}

func (b *bufferPool) Put(buf []byte) { b.pool.Put(&buf) }
