package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// From a payment at a terminal to a program that is told of it, over a hub that was stopped meanwhile; then of the printer, and that the
// terminal has gone; and of one that was revoked.
func TestWebhooksAreTold(t *testing.T) {
	t.Parallel()
	told := make(chan string, 100)
	var refuses atomic.Bool
	refuses.Store(true)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuses.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		text, _ := io.ReadAll(r.Body)
		told <- string(text)
	}))
	t.Cleanup(receiver.Close)
	config := app.Config{Listen: place(), Plain: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data"), Version: "9.9", Networks: "127.0.0.0/8", Absence: time.Millisecond}
	hub := start(t, config)
	key := hub.said("Chave de API")
	line := regexp.MustCompile(`maquininha join (\S+) (\S+) --pin (\S+)`).FindStringSubmatch(hub.welcome)
	call := func(method, path, body string, want int) (answer map[string]any) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+hub.Plain().String()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		id, secret, _ := strings.Cut(key, ":")
		r.SetBasicAuth(id, secret)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != want {
			t.Fatalf("%s %s: %d %s", method, path, resp.StatusCode, text)
		}
		if json.Unmarshal(text, &answer) != nil { // a list, or nothing
			answer = map[string]any{"text": string(text)}
		}
		return answer
	}
	hook := call("POST", "/api/v1/webhooks", fmt.Sprintf(`{"name":"Retaguarda","url":%q}`, receiver.URL), 201)["id"].(string)
	terminal := hubtest.Join(t, tunnel.Invitation{Address: line[1], Code: line[2], Pin: line[3], Name: "Caixa 1"}, http.NotFoundHandler())
	terminal.Tell(func(_ *tunnel.State, steps *[]tunnel.Step, _ *[]tunnel.LogEntry) {
		for n, status := range []string{"pending", "approved", "approved"} {
			*steps = append(*steps, tunnel.Step{
				Number: int64(n + 1), Attempt: 1, At: time.Now(), Operation: "payment", State: "x", Reference: "pedido-1", Method: "credit", Amount: "10.50", Status: status,
				Answer: json.RawMessage(`{}`),
			})
		}
	})
	deliveries := func(state string) string {
		return call("GET", "/api/v1/webhooks/"+hook+"/deliveries?state="+state, "", 200)["text"].(string)
	}
	waittest.Until(t, "it was tried in vain", func() bool {
		return strings.Contains(deliveries("pending"), `"status":503`) && strings.Contains(deliveries("pending"), "pedido-1")
	})
	if _, text := ask(t, http.DefaultClient, "GET", "http://"+hub.Plain().String()+"/metrics", key); !regexp.MustCompile(`webhook_deliveries_total\{outcome="retried"\} [1-9]`).MatchString(text) ||
		!regexp.MustCompile(`webhook_pending [1-9]`).MatchString(text) || !regexp.MustCompile(`webhook_oldest_seconds 0*[1-9.]`).MatchString(text) {
		t.Errorf("metrics: %s", text)
	}
	hub.stop()
	refuses.Store(false)
	hub = start(t, config)
	for _, number := range regexp.MustCompile(`"number":(\d+)`).FindAllStringSubmatch(deliveries("pending"), -1) {
		call("POST", "/api/v1/webhooks/"+hook+"/deliveries/"+number[1], "", 204)
	}
	next := func(kind string) string {
		t.Helper()
		for {
			if text := waittest.Receive(t, "an event "+kind, told); strings.Contains(text, `"type":"`+kind+`"`) {
				return text
			}
		}
	}
	if text := next("transaction.approved"); !strings.Contains(text, `"referenceId":"pedido-1"`) || !strings.Contains(text, `"amount":10.50`) || !strings.Contains(text, terminal.ID) {
		t.Errorf("the payment: %s", text)
	}
	waittest.Until(t, "it has arrived", func() bool { return strings.Contains(deliveries("delivered"), "pedido-1") })
	if events := call("GET", "/api/v1/webhook-events", "", 200)["text"].(string); strings.Count(events, "transaction.approved") != 1 {
		t.Errorf("once: %s", events)
	}

	flap := func(of *hubtest.Terminal) { // what is seen for the first time is no change
		t.Helper()
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			for out := false; ; out = !out {
				of.Tell(func(state *tunnel.State, _ *[]tunnel.Step, _ *[]tunnel.LogEntry) {
					if state.Printer = "ok"; out {
						state.Printer = "paperOut"
					}
				})
				select {
				case <-stop:
					return
				case <-time.After(10 * time.Millisecond):
				}
			}
		}()
		for !strings.Contains(next("terminal.printer"), of.ID) {
		}
	}
	flap(terminal)
	terminal.Stop()
	if text := next("terminal.offline"); !strings.Contains(text, `"name":"Caixa 1"`) {
		t.Errorf("gone: %s", text)
	}

	code := call("POST", "/api/v1/codes", `{"name":"Caixa 2"}`, 201)["code"].(string)
	stolen := hubtest.Join(t, tunnel.Invitation{Address: line[1], Code: code, Pin: line[3], Name: "Caixa 2"}, http.NotFoundHandler())
	flap(stolen)
	call("DELETE", "/api/v1/terminals/"+stolen.ID, "", 204)
	if text := next("terminal.offline"); !strings.Contains(text, `"name":"Caixa 2"`) {
		t.Errorf("revoked: %s", text)
	}
	call("POST", "/api/v1/webhooks/"+hook+"/test", "", 204)
	next("webhook.test")
	call("DELETE", "/api/v1/webhooks/"+hook, "", 204)
}
