//go:build unix

package app_test

import (
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

// A hub that is left reads what it lacks before the link ends; one that does not read is not waited for long, and the log says it.
func TestLeavingAHubThatLacksPayments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		within time.Duration
		reads  bool
	}{"it reads": {time.Hour, true}, "it does not": {time.Millisecond, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hub := tunneltest.New(t)
			config := apptest.Config(t)
			config.Autopilot, config.Timeouts.HubLook, config.Timeouts.HubRead = true, time.Millisecond, c.within
			s := apptest.Start(t, config)
			local := newCaller(t, "http://"+s.API.String()).as(apptest.User, apptest.Password)
			_, err := app.JoinHub(t.Context(), config.Data, tunnel.Invitation{Address: hub.URL, Code: tunneltest.Code, Pin: hub.Pin(), Version: config.Version})
			must(t, err)
			conn := waittest.Receive(t, "the terminal dials", hub.Accepted)
			local.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10,"referenceId":"a"}`)
			must(t, tunnel.Remove(config.Data))
			if c.reads {
				if status, body := through(t, conn, "", "GET", tunnel.LedgerPath+"?after=0&limit=500", ""); status != http.StatusOK || !strings.Contains(body, `"reference":"a"`) {
					t.Errorf("%d %s", status, body)
				}
			}
			waittest.Receive(t, "the link ends", conn.Context().Done())
			waittest.Until(t, "the terminal has left", func() bool { return strings.Contains(local.ok(t, "GET", "/metrics", ""), "maquininha_hub_joined 0") })
			if said := strings.Contains(local.ok(t, "GET", "/logs?search=pode+n%C3%A3o+ter+lido", ""), "pode não ter lido"); said == c.reads {
				t.Errorf("the log says that the hub lacks something: %v", said)
			}
		})
	}
}
