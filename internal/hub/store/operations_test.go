package store_test

import (
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/retention"
)

func request(key, body string) operations.Operation {
	return operations.Operation{ID: operations.NewID(), Place: home, Terminal: "m1", Caller: "k1", Key: key, Reference: "r1", Method: "POST", Path: "/transaction", Body: []byte(body)}
}

func testOperations(t *testing.T, h *hub) {
	o, fresh, err := h.operations.Begin(t.Context(), request("key", "a"))
	ok(t, err)
	same(t, "a new one", []any{fresh, o.State}, []any{true, operations.Waiting})
	again, fresh, err := h.operations.Begin(t.Context(), request("key", "a"))
	ok(t, err)
	same(t, "the same again", fresh, false)
	same(t, "the same operation", again, o)
	_, _, err = h.operations.Begin(t.Context(), request("key", "b"))
	is(t, err, operations.ErrOtherRequest)
	for _, other := range []func(*operations.Operation){
		func(o *operations.Operation) { o.Caller = "k2" }, func(o *operations.Operation) { o.Terminal = "m2" },
		func(o *operations.Operation) { o.Key = "" }, func(o *operations.Operation) { o.Key = "" },
	} {
		r := request("key", "a")
		other(&r)
		_, fresh, err := h.operations.Begin(t.Context(), r)
		ok(t, err)
		same(t, "one of its own", fresh, true)
	}
	_, _, err = h.operations.Begin(t.Context(), request(string(make([]byte, 1025)), "a"))
	is(t, err, operations.ErrBadKey)

	is(t, h.operations.Break(t.Context(), o.ID), operations.ErrState) // nothing was sent
	ok(t, h.operations.Send(t.Context(), o.ID))
	is(t, h.operations.Send(t.Context(), o.ID), operations.ErrState)
	ok(t, h.operations.Finish(t.Context(), o.ID, 200, map[string]string{"Content-Type": "application/json"}, []byte("{\x00}")))
	is(t, h.operations.Break(t.Context(), o.ID), operations.ErrState)
	is(t, h.operations.Finish(t.Context(), o.ID, 500, nil, nil), operations.ErrState)
	done, err := h.operations.Find(t.Context(), whole, "m1", o.ID)
	ok(t, err)
	if done.EndedAt.IsZero() {
		t.Error("no end")
	}
	o.State, o.EndedAt, o.Status, o.Headers, o.Answer = operations.Done, done.EndedAt, 200, map[string]string{"Content-Type": "application/json"}, []byte("{\x00}")
	same(t, "the end", done, o)
	again, _, err = h.operations.Begin(t.Context(), request("key", "a"))
	ok(t, err)
	same(t, "a repeated request gets the answer", again, o)

	for _, f := range []struct {
		scope        fleet.Place
		terminal, id string
	}{{whole.Place, "m2", o.ID}, {fleet.Place{Account: "b"}, "m1", o.ID}, {fleet.Place{Account: "a", Tenant: "t2"}, "m1", o.ID}, {whole.Place, "m1", "x\x00"}} {
		_, err := h.operations.Find(t.Context(), fleet.Scope{Place: f.scope}, f.terminal, f.id)
		is(t, err, operations.ErrNotFound)
	}
	for want, f := range map[int]operations.Filter{5: {}, 4: {Terminal: "m1"}, 1: {State: operations.Done}, 0: {Within: fleet.Place{Account: "b"}}} {
		list, err := h.operations.List(t.Context(), whole, f, 0)
		ok(t, err)
		same(t, "a list", len(list), want)
	}
	list, err := h.operations.List(t.Context(), whole, operations.Filter{}, 2)
	ok(t, err)
	same(t, "a short list", len(list), 2)
	rest, err := h.operations.List(t.Context(), whole, operations.Filter{Behind: list[1].ID}, 0)
	ok(t, err)
	same(t, "what is behind it", len(rest), 3)
	for _, o := range rest {
		same(t, "one that was listed before", o.ID == list[0].ID || o.ID == list[1].ID, false)
	}

	for _, f := range []struct {
		scope  fleet.Place
		behind string
	}{{whole.Place, "aaaaaaaaaaaaaaaaaaaa"}, {fleet.Place{Account: "b"}, o.ID}, {fleet.Place{Account: "a", Tenant: "t2"}, o.ID}} {
		_, err := h.operations.List(t.Context(), fleet.Scope{Place: f.scope}, operations.Filter{Behind: f.behind}, 0)
		is(t, err, operations.ErrNotFound)
	}

	same(t, "only what has ended is forgotten", h.forget(t, retention.Operations, time.Now().Add(time.Hour), 100), 1)
	_, err = h.operations.Find(t.Context(), whole, "m1", o.ID)
	is(t, err, operations.ErrNotFound)
	_, fresh, err = h.operations.Begin(t.Context(), request("key", "b"))
	ok(t, err)
	same(t, "a key that was forgotten", fresh, true)
}

// However many ask at once, one operation begins, and one of them sends it.
func testOperationsAtOnce(t *testing.T, h *hub) {
	type result struct {
		id    string
		fresh bool
		sent  error
		err   error
	}
	began, sent, ids := 0, 0, map[string]bool{}
	for _, r := range atOnce(8, func(int) (r result) {
		var o operations.Operation
		o, r.fresh, r.err = h.operations.Begin(t.Context(), request("key", "a"))
		r.id, r.sent = o.ID, h.operations.Send(t.Context(), o.ID)
		return r
	}) {
		ok(t, r.err)
		ids[r.id] = true
		if r.fresh {
			began++
		}
		if r.sent == nil {
			sent++
		} else {
			is(t, r.sent, operations.ErrState)
		}
	}
	same(t, "operations, begun, sent", []int{len(ids), began, sent}, []int{1, 1, 1})
}

func testOperationsRecover(t *testing.T, h *hub) {
	waiting, _, err := h.operations.Begin(t.Context(), request("waits", "a"))
	ok(t, err)
	running, _, err := h.operations.Begin(t.Context(), request("runs", "a"))
	ok(t, err)
	ok(t, h.operations.Send(t.Context(), running.ID))
	ok(t, h.store.Close())
	h.open(t)
	left, err := h.operations.Recover(t.Context())
	ok(t, err)
	same(t, "what was never sent", left, []operations.Operation{waiting})
	got, err := h.operations.Find(t.Context(), whole, "m1", running.ID)
	ok(t, err)
	same(t, "what was running", got.State, operations.Broken)
	ok(t, h.operations.Finish(t.Context(), waiting.ID, 503, map[string]string{"X-Maquininha-Hub": "absent"}, nil))
	left, err = h.operations.Recover(t.Context())
	ok(t, err)
	same(t, "each has an end", len(left), 0)
}

// Hubs that share a database end what a hub left whose lease is over, and nothing of one that runs.
func testOperationsOfHubs(t *testing.T, h *hub) {
	book, ctx := h.store.Leases(), t.Context()
	ok(t, book.Take(ctx, leases.Hub{Run: "lives", Address: "10.0.0.5:9062"}, time.Hour))
	ok(t, book.Take(ctx, leases.Hub{Run: "dies", Address: "10.0.0.5:9062"}, time.Hour))
	run := ""
	h.operations.Share(func() string { return run })
	begin := func(of, key string, send bool) operations.Operation {
		run = of
		o, _, err := h.operations.Begin(ctx, request(key, "a"))
		ok(t, err)
		same(t, "its run", o.Run, of)
		if send {
			ok(t, h.operations.Send(ctx, o.ID))
		}
		return o
	}
	kept := []operations.Operation{begin("lives", "1", false), begin("lives", "2", true)}
	waits, runs := begin("dies", "3", false), begin("dies", "4", true)
	left, err := h.operations.Recover(ctx)
	ok(t, err)
	same(t, "left while both run", len(left), 0)
	ok(t, book.Leave(ctx, "dies"))
	left, err = h.operations.Recover(ctx)
	ok(t, err)
	same(t, "left by who died", left, []operations.Operation{waits})
	got, err := h.operations.Find(ctx, whole, "m1", runs.ID)
	ok(t, err)
	same(t, "what ran there", got.State, operations.Broken)
	ok(t, h.operations.Abandon(ctx, waits, 503, nil, nil))
	is(t, h.operations.Send(ctx, waits.ID), operations.ErrState)
	for i, o := range kept {
		got, err := h.operations.Find(ctx, whole, "m1", o.ID)
		ok(t, err)
		same(t, "what lives", got.State, []operations.State{operations.Waiting, operations.Running}[i])
	}
	is(t, h.operations.Abandon(ctx, kept[1], 503, nil, nil), operations.ErrState) // it was sent
	// Asked for again elsewhere, it is that hub's.
	run = "lives"
	again, err := h.operations.Again(ctx, runs)
	ok(t, err)
	left, err = h.operations.Recover(ctx)
	ok(t, err)
	same(t, "left in the end", len(left), 0)
	mine, err := h.operations.Unended(ctx)
	ok(t, err)
	same(t, "what this hub is to end", len(mine), 3)
	for _, o := range mine {
		same(t, "sent before", o.SentBefore(), o.ID == runs.ID)
	}
	run = ""
	mine, err = h.operations.Unended(ctx)
	ok(t, err)
	same(t, "what a hub without a lease is to end", len(mine), 0)
	ok(t, h.operations.Abandon(ctx, again, 503, nil, nil))
	got, err = h.operations.Find(ctx, whole, "m1", again.ID)
	ok(t, err)
	same(t, "what was sent before", []any{got.State, got.Status}, []any{operations.Broken, 0})
}
