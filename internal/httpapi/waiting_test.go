package httpapi_test

import (
	"context"
	"io"
	"net/http"

	"github.com/maquininha/maquininha/internal/waittest"
)

// heldCall is a request that stays open until something happens at the terminal.
type heldCall struct {
	m      *terminal
	what   string
	sent   *http.Request
	hangUp context.CancelFunc
	came   chan arrival
}

type arrival struct {
	answer *answer
	err    error
}

// holdOpen posts a command that is held.
func (m *terminal) holdOpen(path, body string) *heldCall {
	m.t.Helper()
	return m.keepOpen("POST", path, body)
}

// keepOpen sends a request and lets the test go on.
func (m *terminal) keepOpen(method, path string, body any) *heldCall {
	m.t.Helper()
	ctx, cancel := context.WithCancel(m.t.Context())
	req := m.request(method, path, body).WithContext(ctx)
	h := &heldCall{m: m, what: method + " " + path, hangUp: cancel, came: make(chan arrival, 1), sent: req.Clone(m.t.Context())}
	h.sent.Body = http.NoBody
	if req.GetBody != nil {
		h.sent.Body, _ = req.GetBody()
	}
	go func() {
		resp, err := m.client.Do(req)
		if err != nil {
			h.came <- arrival{err: err}
			return
		}
		defer resp.Body.Close()
		got, err := io.ReadAll(resp.Body)
		h.came <- arrival{&answer{t: m.t, what: h.what, status: resp.StatusCode, header: resp.Header, body: got}, err}
	}()
	m.t.Cleanup(cancel)
	return h
}

// answer waits until the request is answered.
func (h *heldCall) answer() *answer {
	h.m.t.Helper()
	defer h.hangUp()
	got := waittest.Receive(h.m.t, h.what+" being answered", h.came)
	if got.err != nil {
		h.m.t.Fatalf("%s: %v", h.what, got.err)
	}
	h.m.matchesDescription(h.sent, got.answer)
	return got.answer
}

// held checks that nothing has been answered so far.
func (h *heldCall) held() {
	h.m.t.Helper()
	select {
	case got := <-h.came:
		if got.err != nil {
			h.m.t.Fatalf("%s: %v", h.what, got.err)
		}
		h.m.t.Fatalf("%s: answered %d too early: %s", h.what, got.answer.status, got.answer.body)
	default:
	}
}
