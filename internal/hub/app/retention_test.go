package app_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/retention"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// A hub that is told to keep less forgets at its start what is older, says so in its metrics, and reads on from where it was.
func TestRetention(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			config := app.Config{Listen: place(), Data: filepath.Join(t.TempDir(), "data"), Database: kind(t)()}
			hub := start(t, config)
			key, url, c := hub.said("Chave de API"), hub.said("Página"), client(t, config.Data)
			line := strings.Fields(hub.welcome[strings.Index(hub.welcome, "maquininha join"):])
			terminal := hubtest.Join(t, tunnel.Invitation{Address: line[2], Code: line[3], Pin: line[5], Name: "Caixa 1"}, http.NotFoundHandler())
			sold(terminal, 1, 6)
			terminal.Tell(func(_ *tunnel.State, steps *[]tunnel.Step, entries *[]tunnel.LogEntry) {
				for i := range 4 {
					(*steps)[i].At, (*entries)[i].At = begun.Add(-72*time.Hour), begun.Add(-72*time.Hour)
				}
			})
			has := func(want int) func() bool {
				return func() bool {
					references, lines := known(t, c, url, key)
					return len(references) == want && len(lines) == want
				}
			}
			waittest.Until(t, "the hub has read six", has(6))
			hub.stop()
			config.Keep = app.Days(map[retention.Kind]int{retention.Transactions: 2, retention.Logs: 2})
			start(t, config)
			waittest.Until(t, "the old ones are gone", has(2))
			waittest.Until(t, "the hub has gone through everything", func() bool {
				_, body := ask(t, c, "GET", url+"/metrics", key)
				return !strings.Contains(body, "maquininha_hub_retention_last_seconds 0\n")
			})
			_, body := ask(t, c, "GET", url+"/metrics", key)
			for _, want := range []string{
				`maquininha_hub_forgotten_total{kind="transactions"} 4`, `maquininha_hub_forgotten_total{kind="logs"} 4`, `maquininha_hub_forgotten_total{kind="audit"} 0`,
				`maquininha_hub_retention_seconds{kind="logs"} 172800`, `maquininha_hub_retention_seconds{kind="audit"} 0`,
			} {
				if !strings.Contains(body, want+"\n") {
					t.Errorf("no %q in %s", want, body)
				}
			}
			sold(terminal, 7, 8)
			waittest.Until(t, "the hub reads on", has(4))
			if references, _ := known(t, c, url, key); !slices.Equal(references, []string{"r5", "r6", "r7", "r8"}) {
				t.Error(references)
			}
		})
	}
}
