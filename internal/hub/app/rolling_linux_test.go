package app_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// tally is a terminal that counts how often it was sent each payment.
type tally struct {
	mu   sync.Mutex
	sent map[string]int
}

func (c *tally) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	c.sent[string(body)]++
	c.mu.Unlock()
	io.WriteString(w, r.Method+" "+r.RequestURI+" ") //nolint:errcheck // a test
}

func (c *tally) times(body string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent[body]
}

// Hubs are restarted one by one under traffic: no payment is sent twice, what was answered was sent, and what is said to be unsent was not.
func TestRollingRestart(t *testing.T) {
	database := hubtest.StartPostgres(t).Database(t)
	terminal := &tally{sent: map[string]int{}}
	f := startSeveral(t, 2, patient, func(int) string { return database }, terminal)
	for i := range f.hubs {
		f.answers(t, "the terminal answers", i)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var work sync.WaitGroup
	var paid, absent, broken, refused atomic.Int64
	for caller := range 4 {
		work.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				body := fmt.Sprintf(`{"amount":1,"referenceId":"%d-%d"}`, caller, n)
				resp, _, err := f.asks(context.Background(), "POST", f.at((caller+n)%2, "/transaction"), strings.NewReader(body))
				how := ""
				if err == nil {
					how = resp.Header.Get("X-Maquininha-Hub")
				}
				switch times := terminal.times(body); {
				case err == nil && resp.StatusCode == http.StatusOK:
					if paid.Add(1); times != 1 {
						t.Errorf("%s was paid, and sent %d times", body, times)
					}
				case how == "absent":
					if absent.Add(1); times != 0 {
						t.Errorf("%s was sent %d times, and said to be unsent", body, times)
					}
				case err == nil && how != "broken" && resp.StatusCode != http.StatusServiceUnavailable:
					t.Errorf("%s: %s", body, resp.Status)
				case times > 1:
					t.Errorf("%s was sent %d times", body, times)
				case err != nil:
					refused.Add(1) // by the hub that is down, for the most part
				default:
					broken.Add(1)
				}
			}
		})
	}
	more := func() {
		t.Helper()
		before := paid.Load()
		waittest.Until(t, "payments go on", func() bool { return paid.Load() > before+20 })
	}
	for round := range 4 {
		more()
		i := round % 2
		f.door.point(f.configs[1-i].Listen)
		f.hubs[i].stop()
		f.answers(t, "the terminal answers at the other hub", 1-i)
		f.hubs[i] = start(t, f.configs[i])
	}
	more()
	stop()
	work.Wait()
	t.Logf("%d paid, %d absent, %d broken, %d without a hub", paid.Load(), absent.Load(), broken.Load(), refused.Load())
}
