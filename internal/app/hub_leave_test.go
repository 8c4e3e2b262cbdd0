//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// A hub that is left reads what it lacks before the link ends; one that does not read is not waited for long, and the log says it. What it had
// read before a restart of the service it says when it asks for the position.
func TestLeavingAHubThatLacksPayments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		within                 time.Duration
		reads, restarts, tells bool
	}{
		"it reads": {within: time.Hour, reads: true}, "it does not": {within: time.Millisecond},
		"it has read before a restart": {within: time.Hour, restarts: true, tells: true}, "it does not say so": {within: time.Millisecond, restarts: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hub := tunneltest.New(t)
			config := apptest.Config(t)
			config.Platform, config.Autopilot = "android", true // a platform that callers may restart
			config.Timeouts.HubLook, config.Timeouts.HubRead = time.Millisecond, c.within
			s := apptest.Start(t, config)
			local := newCaller(t, "http://"+s.API.String()).as(apptest.User, apptest.Password)
			_, err := app.JoinHub(t.Context(), config.Data, tunnel.Invitation{Address: hub.URL, Code: tunneltest.Code, Pin: hub.Pin(), Version: config.Version})
			must(t, err)
			conn := waittest.Receive(t, "the terminal dials", hub.Accepted)
			local.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10,"referenceId":"a"}`)
			var page tunnel.LedgerPage
			read := func() {
				status, body := through(t, conn, "", "GET", tunnel.LedgerPath+"?after=0&limit=500", "")
				if err := json.Unmarshal([]byte(body), &page); err != nil || status != http.StatusOK || !strings.Contains(body, `"reference":"a"`) {
					t.Errorf("%d %s: %v", status, body, err)
				}
			}
			if c.restarts {
				read()
				local.ok(t, "POST", "/restart", "")
			}
			if c.tells {
				through(t, conn, "", "GET", fmt.Sprintf("%s?epoch=%s&after=%d", tunnel.PositionPath, page.Epoch, page.Last), "")
			}
			must(t, tunnel.Remove(config.Data))
			if c.reads {
				read()
			}
			waittest.Receive(t, "the link ends", conn.Context().Done())
			waittest.Until(t, "the terminal has left", func() bool { return strings.Contains(local.ok(t, "GET", "/metrics", ""), "maquininha_hub_joined 0") })
			if said := strings.Contains(local.ok(t, "GET", "/logs?search=pode+n%C3%A3o+ter+lido", ""), "pode não ter lido"); said == (c.reads || c.tells) {
				t.Errorf("the log says that the hub lacks something: %v", said)
			}
		})
	}
}
