package relay

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
)

// hostile is a terminal that answers whatever it likes, within what a link lets through.
type hostile struct {
	status int
	header http.Header
	body   []byte
}

func (h hostile) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		io.Copy(io.Discard, r.Body) //nolint:errcheck // it is not what counts
		r.Body.Close()
	}
	return &http.Response{StatusCode: h.status, Header: h.header.Clone(), Body: io.NopCloser(bytes.NewReader(h.body)), ContentLength: -1, Request: r}, nil
}

func (h hostile) Route(context.Context, string) (http.RoundTripper, bool) { return h, true }
func (h hostile) Presence(string) (p links.Presence)                      { return p }

// Whatever a terminal answers, the caller gets it as it is, and what the hub itself says is not lost in it.
func FuzzForwarded(f *testing.F) {
	f.Add(200, "Content-Type", "text/event-stream", []byte("data: 1\n\n"))
	f.Add(204, "Access-Control-Expose-Headers", "X-Motivo", []byte(nil))
	f.Add(304, "X-Reference-Id", "another", []byte("{}"))
	f.Add(599, "Connection", "X-Reference-Id, close", []byte("\xff"))
	f.Add(200, "Trailer", "X-Reference-Id", []byte("x"))
	f.Fuzz(func(t *testing.T, status int, name, value string, body []byte) {
		if status < 200 || status > 599 || !validHeader(name, value) {
			t.Skip("the link refuses it")
		}
		link := hostile{status, http.Header{http.CanonicalHeaderKey(name): {value}}, body}
		y := New(Config{Links: link})
		to := Target{Terminal: fleet.Terminal{ID: "x"}, Caller: Caller{Actor: fleet.Actor{ID: "k"}}}
		for _, c := range []struct{ method, path, sent string }{{"GET", "/status", ""}, {"POST", "/transaction", `{"amount":1}`}, {"GET", "/logs/stream", ""}} {
			to.Path = c.path
			r := httptest.NewRequestWithContext(t.Context(), c.method, "/terminals/x"+c.path, strings.NewReader(c.sent))
			w := httptest.NewRecorder()
			y.Serve(w, r, r, to)
			if w.Code != status || !bytes.Equal(w.Body.Bytes(), body) && status != http.StatusNoContent && status != http.StatusNotModified {
				t.Errorf("%s: %d %q", c.path, w.Code, w.Body)
			}
			if given := w.Header()[ReferenceHeader]; c.sent != "" && (len(given) != 1 || len(given[0]) < 20 || !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), ReferenceHeader)) {
				t.Errorf("the reference that the hub gave: %q", given)
			}
		}
	})
}

// validHeader tells of what HTTP/2 lets through.
func validHeader(name, value string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", r)
	}) && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
}
