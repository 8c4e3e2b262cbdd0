package httpapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

// What the database has as begun, without the hub having heard so, gets an end and leaves its key free; what runs goes on.
func TestOperationsThatNobodyRuns(t *testing.T) {
	h := newHub(t)
	sent, let := make(chan string, 10), make(chan int, 10)
	x := h.join(t, "", func(w http.ResponseWriter, r *http.Request) {
		sent <- r.URL.Path
		status := <-let
		if status == 0 {
			panic(http.ErrAbortHandler) // the answer is lost
		}
		w.WriteHeader(status)
	})
	ask := func(key string) answer {
		return h.call(t, "POST", "/terminals/"+x.id+"/transaction", `{"amount":1}`, "Idempotency-Key", key, "Prefer", "respond-async", "Content-Type", "application/json")
	}
	in := func(state string, want int) {
		t.Helper()
		waittest.Until(t, state+" as many as there should be", func() bool {
			var all []struct{ ID string }
			a := h.call(t, "GET", "/api/v1/operations?state="+state, "")
			return json.Unmarshal([]byte(a.body), &all) == nil && len(all) == want
		})
	}
	unheard := func(key string) {
		t.Helper()
		h.unheard.Store(true)
		defer h.unheard.Store(false)
		if a := ask(key); a.status < 500 {
			t.Errorf("unheard: %d %s", a.status, a.body)
		}
		in("waiting", 1)
	}
	runs := ask("runs")
	waittest.Receive(t, "sent", sent)

	unheard("new")
	must(t, h.relay.EndLost(t.Context()))
	in("waiting", 0)
	in("done", 1)
	anew := ask("new")
	waittest.Receive(t, "asked for again, it is sent", sent)
	let <- 0
	let <- 0
	in("broken", 2)

	unheard("new")
	must(t, h.relay.EndLost(t.Context()))
	in("waiting", 0)
	is(t, "what was sent before, and was to run again", h.call(t, "GET", anew.header.Get("Location"), "").json(t)["state"], "broken")

	if a := ask("runs"); a.header.Get("Location") != runs.header.Get("Location") {
		t.Errorf("%d %s", a.status, a.body)
	}
	waittest.Receive(t, "sent once more", sent)
	must(t, h.relay.EndLost(t.Context()))
	let <- 200
	in("running", 0)
	last := h.call(t, "GET", runs.header.Get("Location"), "").json(t)
	is(t, "what ran meanwhile", []any{last["state"], last["answer"].(map[string]any)["status"]}, []any{"done", 200})
}
