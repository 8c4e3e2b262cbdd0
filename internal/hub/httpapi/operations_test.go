package httpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

// An operation runs once, whoever asks how often, and its answer can be read afterwards.
func TestOperations(t *testing.T) {
	h := newHub(t)
	var sent atomic.Int64
	bodies, let := make(chan string, 100), make(chan int, 100)
	x := h.join(t, "", func(w http.ResponseWriter, r *http.Request) {
		sent.Add(1)
		body, _ := io.ReadAll(r.Body)
		bodies <- r.RequestURI + " " + r.Header.Get("Content-Type") + " " + string(body)
		status := <-let
		if status == 0 {
			panic(http.ErrAbortHandler) // the answer is lost
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		io.WriteString(w, `{"message":"fim"}`)
	})
	at := "/terminals/" + x.id
	async := func(t *testing.T, path, body string, headers ...string) answer {
		t.Helper()
		return h.call(t, "POST", at+path, body, append([]string{"Prefer", "respond-async", "Content-Type", "application/json"}, headers...)...)
	}
	ended := func(t *testing.T, a answer) map[string]any {
		t.Helper()
		if a.status != 202 || !strings.HasPrefix(a.header.Get("Location"), at+"/operations/") {
			t.Fatalf("%d %s %v", a.status, a.body, a.header)
		}
		var last map[string]any
		waittest.Until(t, "the operation ends", func() bool {
			last = h.call(t, "GET", a.header.Get("Location"), "").json(t)
			return last["state"] == "done" || last["state"] == "broken"
		})
		return last
	}

	t.Run("a payment without a reference", func(t *testing.T) {
		a := async(t, "/transaction", `{"amount":1}`, "Idempotency-Key", "k1")
		reference := a.header.Get("X-Reference-Id")
		again := async(t, "/transaction", `{"amount":1}`, "Idempotency-Key", "k1")
		is(t, "the same key", again.header.Get("Location"), a.header.Get("Location"))
		is(t, "its reference", again.header.Get("X-Reference-Id"), reference)
		is(t, "what was sent", waittest.Receive(t, "sent", bodies), `/transaction application/json {"amount":1,"referenceId":"`+reference+`"}`)
		let <- 200
		end := ended(t, a)
		is(t, "the end", []any{end["state"], end["referenceId"], end["answer"].(map[string]any)["status"]}, []any{"done", reference, 200})
		if other := async(t, "/transaction", `{"amount":2}`, "Idempotency-Key", "k1"); other.status != 422 {
			t.Errorf("the same key for another request: %d %s", other.status, other.body)
		}
	})
	t.Run("by reference", func(t *testing.T) {
		a := async(t, "/transaction", `{"referenceId":"r1"}`)
		is(t, "again while it runs", async(t, "/transaction", `{"referenceId":"r1"}`).header.Get("Location"), a.header.Get("Location"))
		waittest.Receive(t, "sent", bodies)
		let <- 402
		ended(t, a)
		anew := async(t, "/transaction", `{"referenceId":"r1"}`)
		waittest.Receive(t, "what was refused is asked for again", bodies)
		let <- 200
		ended(t, anew)
		is(t, "after a yes", async(t, "/transaction", `{"referenceId":"r1"}`).header.Get("Location"), anew.header.Get("Location"))
	})
	t.Run("held, with a key", func(t *testing.T) {
		before := sent.Load()
		let <- 200
		for range 2 {
			a := h.call(t, "POST", at+"/print/text?x=1", `[]`, "Idempotency-Key", "k2", "Content-Type", "text/xml")
			is(t, "the answer", []any{a.status, a.body}, []any{200, `{"message":"fim"}`})
		}
		is(t, "what was sent", waittest.Receive(t, "sent", bodies), "/print/text?x=1 text/xml []")
		is(t, "how often it was sent", sent.Load()-before, 1)
	})
	t.Run("a lost answer, asked for again", func(t *testing.T) {
		a := async(t, "/transaction", `{"amount":3}`, "Idempotency-Key", "k3")
		first := waittest.Receive(t, "sent", bodies)
		let <- 0
		is(t, "the end", ended(t, a)["state"], "broken")
		again := async(t, "/transaction", `{"amount":3}`, "Idempotency-Key", "k3")
		is(t, "the same operation", again.header.Get("Location"), a.header.Get("Location"))
		is(t, "its reference", again.header.Get("X-Reference-Id"), a.header.Get("X-Reference-Id"))
		is(t, "what is sent again", waittest.Receive(t, "sent again", bodies), first)
		let <- 200
		is(t, "the end", ended(t, again)["state"], "done")
		is(t, "after that", async(t, "/transaction", `{"amount":3}`, "Idempotency-Key", "k3").header.Get("Location"), again.header.Get("Location"))

		busy := async(t, "/transaction", `{"amount":4}`, "Idempotency-Key", "k5")
		waittest.Receive(t, "sent", bodies)
		let <- 503
		is(t, "the end of what was refused as busy", ended(t, busy)["state"], "done")
		free := async(t, "/transaction", `{"amount":4}`, "Idempotency-Key", "k5")
		is(t, "its reference", free.header.Get("X-Reference-Id"), busy.header.Get("X-Reference-Id"))
		waittest.Receive(t, "sent when the terminal is free", bodies)
		let <- 200
		ended(t, free)

		lost := async(t, "/print/text", `[]`, "Idempotency-Key", "k4")
		waittest.Receive(t, "sent", bodies)
		let <- 0
		is(t, "the end of a print", ended(t, lost)["state"], "broken")
		is(t, "a print is not made twice", async(t, "/print/text", `[]`, "Idempotency-Key", "k4").header.Get("Location"), lost.header.Get("Location"))
	})
	t.Run("what may not run by itself", func(t *testing.T) {
		let <- 200
		if a := async(t, "/sale", `{}`); a.status != 200 {
			t.Errorf("a sale: %d %s", a.status, a.body)
		}
		waittest.Receive(t, "sent", bodies)
	})
	t.Run("somebody else's, and none", func(t *testing.T) {
		if a := h.call(t, "GET", at+"/operations/x", ""); a.status != 404 {
			t.Errorf("%d %s", a.status, a.body)
		}
		if a := h.call(t, "DELETE", at+"/operations/x", ""); a.status != 405 {
			t.Errorf("%d %s", a.status, a.body)
		}
	})
	t.Run("a broken link", func(t *testing.T) {
		a := async(t, "/ask", `{}`)
		waittest.Receive(t, "sent", bodies)
		x.stop()
		is(t, "the end", ended(t, a)["state"], "broken")
		if a := async(t, "/ask", `{}`); a.status != 503 || a.header.Get("X-Maquininha-Hub") != "absent" {
			t.Errorf("an absent terminal: %d %s", a.status, a.body)
		}
		let <- 200
	})
	if list := h.call(t, "GET", "/api/v1/operations?terminal="+x.id, ""); strings.Count(list.body, `"state"`) != 9 {
		t.Errorf("the list: %s", list.body)
	}
	seen, last := map[string]bool{}, ""
	for range 9 { // one a page: each is there once, though some may have begun in the same moment
		var page []struct{ ID string }
		if a := h.call(t, "GET", "/api/v1/operations?limit=1&terminal="+x.id+"&before="+last, ""); json.Unmarshal([]byte(a.body), &page) != nil || len(page) != 1 {
			t.Fatalf("behind %q: %d %s", last, a.status, a.body)
		}
		last = page[0].ID
		seen[last] = true
	}
	is(t, "operations in pages of one", len(seen), 9)
	if a := h.call(t, "GET", "/api/v1/operations?terminal="+x.id+"&before="+last, ""); strings.TrimSpace(a.body) != "[]" {
		t.Errorf("behind the oldest: %s", a.body)
	}
	if a := h.call(t, "GET", "/api/v1/operations?before=2020-01-01", ""); a.status != 200 || strings.TrimSpace(a.body) != "[]" {
		t.Errorf("before a day: %s", a.body)
	}
}
