//go:build unix

package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// through sends a request to the terminal as its hub does, with whatever credentials.
func through(t *testing.T, c *tunnel.Conn, authorization, method, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://terminal"+path, strings.NewReader(body))
	must(t, err)
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	resp, err := c.RoundTrip(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(t, err)
	return resp.StatusCode, string(text)
}

// A terminal that joins a hub while it runs is reached through it, without its password, over restarts, until it is revoked or leaves;
// callers of its own network notice nothing.
func TestHub(t *testing.T) {
	t.Parallel()
	hub := tunneltest.New(t)
	c := apptest.Config(t)
	c.Platform, c.Timeouts.HubLook = "android", time.Millisecond // a platform that callers may restart
	s := apptest.Start(t, c)
	local := newCaller(t, "http://"+s.API.String()).as(apptest.User, apptest.Password)
	joined := func() string {
		var lines []string
		for line := range strings.Lines(local.ok(t, "GET", "/metrics", "")) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.HasPrefix(name, "maquininha_hub_") {
				lines = append(lines, name[len("maquininha_hub_"):]+" "+value)
			}
		}
		slices.Sort(lines)
		return strings.Join(lines, ", ")
	}
	becomes := func(want string) {
		t.Helper()
		waittest.Until(t, want, func() bool { return joined() == want })
	}
	becomes("connected 0, joined 0, refused 0")
	invitation := tunnel.Invitation{Address: hub.URL, Code: "abcd-2345", Pin: hub.Pin(), Version: c.Version}
	_, err := app.JoinHub(t.Context(), c.Data, invitation)
	must(t, err)
	if _, err := app.JoinHub(t.Context(), c.Data, invitation); !errors.Is(err, app.ErrJoined) {
		t.Errorf("joining twice: %v", err)
	}
	conn := waittest.Receive(t, "the terminal dials", hub.Accepted)
	becomes("connected 1, joined 1, refused 0")

	news := make(chan struct{}, 1)
	conn.OnNews(func() error {
		news <- struct{}{}
		return nil
	})
	// told waits until the hub is told of a position.
	told := func(what string, holds func(tunnel.Position) bool) {
		t.Helper()
		for {
			waittest.Receive(t, what, news)
			status, body := through(t, conn, "", "GET", tunnel.PositionPath, "")
			var p tunnel.Position
			if err := json.Unmarshal([]byte(body), &p); err != nil || status != http.StatusOK {
				t.Fatalf("%d %s", status, body)
			}
			if holds(p) {
				return
			}
		}
	}
	told("the first news", func(p tunnel.Position) bool { return p.Epoch != "" && !p.State.SaleOpen })

	for range 15 { // more than wrong passwords are forgiven
		for _, authorization := range []string{"", "Basic xyz"} {
			if status, body := through(t, conn, authorization, "GET", "/status", ""); status != http.StatusOK {
				t.Fatalf("through the hub: %d %s", status, body)
			}
		}
	}
	stranger, err := http.NewRequestWithContext(t.Context(), "GET", "http://terminal/status", nil)
	must(t, err)
	stranger.Header.Set(tunnel.StrangerHeader, "1")
	if resp, err := conn.RoundTrip(stranger); err != nil || resp.Body.Close() != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a caller whom the hub does not vouch for: %v, %v", resp, err)
	}
	if status, _ := local.as("x", "y").call(t, "GET", "/status", ""); status != http.StatusUnauthorized {
		t.Errorf("a caller of the shop's network without the password: %d", status)
	}
	if status, body := through(t, conn, "", "POST", "/sale", `{"customerName":"Ana"}`); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	told("news of the sale", func(p tunnel.Position) bool { return p.State.SaleOpen })
	if status, body := through(t, conn, "", "POST", "/restart", ""); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	if status, body := through(t, conn, "", "GET", "/sale", ""); status != http.StatusOK || !strings.Contains(body, "Ana") {
		t.Errorf("on the same link after a restart: %d %s", status, body)
	}
	if status, body := through(t, conn, "", "POST", "/sale/cancel", ""); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	told("news after a restart", func(p tunnel.Position) bool { return !p.State.SaleOpen })

	hub.Revoke()
	conn.Close()
	becomes("connected 0, joined 1, refused 1")
	waittest.Until(t, "the log says why", func() bool { return strings.Contains(local.ok(t, "GET", "/logs?search=revogou", ""), "revogou") })
	must(t, tunnel.Remove(c.Data))
	becomes("connected 0, joined 0, refused 0")
	_, err = app.JoinHub(t.Context(), c.Data, invitation)
	must(t, err)
	conn = waittest.Receive(t, "the terminal dials the hub that it has joined again", hub.Accepted)

	// The answers of what is held come through before the link is closed.
	held := make(chan answer, 1)
	go func() {
		r, err := http.NewRequestWithContext(context.Background(), "POST", "http://terminal/ask", strings.NewReader(question))
		if err != nil {
			held <- answer{err: err}
			return
		}
		resp, err := conn.RoundTrip(r)
		if err != nil {
			held <- answer{err: err}
			return
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		held <- answer{resp.StatusCode, string(text), err}
	}()
	waittest.Until(t, "the question is asked", func() bool { return strings.Contains(local.ok(t, "GET", "/operation", ""), "question") })
	s.Stop()
	stopped(t, "the question", held)
	waittest.Receive(t, "the link is closed", conn.Context().Done())
}
