//go:build unix

package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// A hub that is left reads what it lacks before the link ends, and says that it has it when it is told of news; one that does not is not
// waited for long, and the log says it. A page that was given may have got lost on its way.
func TestLeavingAHubThatLacksPayments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		within                        time.Duration
		before, restarts, after, says bool
	}{
		"it reads": {within: time.Hour, after: true, says: true}, "it does not": {within: time.Millisecond, says: true},
		"it has read": {within: time.Hour, before: true, says: true}, "it has read before a restart": {within: time.Hour, before: true, restarts: true, says: true},
		"it does not say so": {within: time.Millisecond, before: true}, "it does not say so after a restart": {within: time.Millisecond, before: true, restarts: true},
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
			metric := func(line string) {
				t.Helper()
				waittest.Until(t, line, func() bool { return strings.Contains(local.ok(t, "GET", "/metrics", ""), "\n"+line+"\n") })
			}
			metric("maquininha_hub_connected 1") // the hub knows it a little sooner
			local.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10,"referenceId":"a"}`)
			var had atomic.Pointer[tunnel.LedgerPage]
			had.Store(&tunnel.LedgerPage{})
			if c.says {
				conn.OnNews(func() error {
					page := had.Load()
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://terminal%s?epoch=%s&after=%d", tunnel.PositionPath, page.Epoch, page.Last), http.NoBody)
					if err != nil {
						return nil // a mistake of the test's, which would be made again
					}
					if resp, err := conn.RoundTrip(r); err == nil { // otherwise the link is at its end
						resp.Body.Close()
					}
					return nil
				})
			}
			read := func() {
				status, body := through(t, conn, "", "GET", tunnel.LedgerPath+"?after=0&limit=500", "")
				var page tunnel.LedgerPage
				if err := json.Unmarshal([]byte(body), &page); err != nil || status != http.StatusOK || !strings.Contains(body, `"reference":"a"`) {
					t.Errorf("%d %s: %v", status, body, err)
				}
				had.Store(&page)
			}
			if c.before {
				read()
			}
			if c.restarts {
				local.ok(t, "POST", "/restart", "")
			}
			must(t, tunnel.Remove(config.Data))
			if c.after {
				read()
			}
			waittest.Receive(t, "the link ends", conn.Context().Done())
			metric("maquininha_hub_joined 0")
			lacks := !c.says || !c.before && !c.after
			if said := strings.Contains(local.ok(t, "GET", "/logs?search=pode+n%C3%A3o+ter+lido", ""), "pode não ter lido"); said != lacks {
				t.Errorf("the log says that the hub lacks something: %v", said)
			}
		})
	}
}
