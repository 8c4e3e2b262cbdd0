package store_test

import (
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Of two connections of a terminal the one with the higher number counts, in whatever order they are written.
func testLocations(t *testing.T, h *hub) {
	book, ctx := h.store.Leases(), t.Context()
	for _, run := range []string{"a", "b"} {
		ok(t, book.Take(ctx, leases.Hub{Run: run, Identity: "hub", Address: run + ":1", KeyHash: []byte(run)}, time.Hour))
	}
	numbers := atOnce(20, func(int) int64 {
		n, err := book.Draw(ctx)
		if err != nil {
			t.Error(err)
		}
		return n
	})
	seen := map[int64]bool{}
	for _, n := range numbers {
		if seen[n] {
			t.Error("drawn twice:", n)
		}
		seen[n] = true
	}
	old, err := book.Draw(ctx)
	ok(t, err)
	newer, err := book.Draw(ctx)
	ok(t, err)
	if newer <= old || seen[old] {
		t.Error(old, newer)
	}
	_, _, err = book.Locate(ctx, "m1")
	is(t, err, leases.ErrNowhere)
	ok(t, book.Claim(ctx, leases.Location{Terminal: "m1", Run: "b", Number: newer}))
	is(t, book.Claim(ctx, leases.Location{Terminal: "m1", Run: "a", Number: old}), leases.ErrSuperseded)
	at, hub, err := book.Locate(ctx, "m1")
	ok(t, err)
	same(t, "location", at, leases.Location{Terminal: "m1", Run: "b", Number: newer})
	same(t, "hub", hub, leases.Hub{Run: "b", Identity: "hub", Address: "b:1", KeyHash: []byte("b")})

	for run, want := range map[string]int{"a": 1, "b": 0} {
		others, err := book.Elsewhere(ctx, run)
		ok(t, err)
		same(t, "elsewhere than at "+run, len(others), want)
		if since := others["m1"]; want > 0 && time.Since(since).Abs() > time.Hour {
			t.Error("since", since)
		}
	}

	// Who has lost a terminal can't take it away, nor bring it back with an old connection.
	ok(t, book.Release(ctx, []leases.Location{{Terminal: "m1", Run: "a", Number: old}, {Terminal: "m1", Run: "b", Number: old}}))
	mine, err := book.Renew(ctx, "b", time.Hour)
	ok(t, err)
	same(t, "at b", mine, []leases.Location{at})
	ok(t, book.Release(ctx, []leases.Location{at}))
	_, _, err = book.Locate(ctx, "m1")
	is(t, err, leases.ErrNowhere)
	is(t, book.Claim(ctx, leases.Location{Terminal: "m1", Run: "a", Number: old}), leases.ErrSuperseded)
	is(t, book.Claim(ctx, leases.Location{Terminal: "m1", Run: "a", Number: newer}), leases.ErrSuperseded)
	newest, err := book.Draw(ctx)
	ok(t, err)
	ok(t, book.Claim(ctx, leases.Location{Terminal: "m1", Run: "a", Number: newest}))
	ok(t, book.Leave(ctx, "a"))
	_, _, err = book.Locate(ctx, "m1")
	is(t, err, leases.ErrNowhere)
}

// A lease that was not renewed in time is over for good, by the database's clock.
func testLeases(t *testing.T, h *hub) {
	book, ctx := h.store.Leases(), t.Context()
	ok(t, book.Take(ctx, leases.Hub{Run: "short", Identity: "hub", Address: "10.0.0.5:9062", KeyHash: []byte("s")}, 500*time.Millisecond))
	ok(t, book.Take(ctx, leases.Hub{Run: "long", Identity: "hub", Address: "10.0.0.5:9062", KeyHash: []byte("l")}, time.Hour))
	is(t, book.Take(ctx, leases.Hub{Run: "other", Identity: "other", Address: "10.0.0.5:9062"}, time.Hour), leases.ErrOtherIdentity)
	number, err := book.Draw(ctx)
	ok(t, err)
	at := leases.Location{Terminal: "m1", Run: "short", Number: number}
	if err := book.Claim(ctx, at); err != nil {
		is(t, err, leases.ErrLost) // on a machine that is very busy
	}
	waittest.Until(t, "the lease is over", func() bool { return book.Known(ctx, []byte("s")) != nil })
	is(t, book.Known(ctx, []byte("s")), leases.ErrStranger)
	_, _, err = book.Locate(ctx, "m1")
	is(t, err, leases.ErrNowhere)
	_, err = book.Renew(ctx, "short", time.Hour)
	is(t, err, leases.ErrLost)
	is(t, book.Claim(ctx, at), leases.ErrLost)
	ok(t, book.Known(ctx, []byte("l")))
	mine, err := book.Renew(ctx, "long", time.Hour)
	ok(t, err)
	same(t, "at long", len(mine), 0)
	ok(t, book.Leave(ctx, "long"))
	is(t, book.Known(ctx, []byte("l")), leases.ErrStranger)
	ok(t, book.Take(ctx, leases.Hub{Run: "other", Identity: "other", Address: "10.0.0.5:9062"}, time.Hour))
}

// One that is alone begins beside none that runs, and none beside it; its own lease from before it was killed does not count.
func testLoneLease(t *testing.T, h *hub) {
	book, ctx := h.store.Leases(), t.Context()
	lone := leases.Hub{Run: "first", Identity: "hub", KeyHash: []byte("folder")}
	other := leases.Hub{Run: "other", Identity: "hub", KeyHash: []byte("other")}
	several := leases.Hub{Run: "several", Identity: "hub", Address: "10.0.0.5:9062", KeyHash: []byte("several")}
	ok(t, book.Take(ctx, lone, time.Hour))
	is(t, book.Take(ctx, other, time.Hour), leases.ErrAlone)
	is(t, book.Take(ctx, several, time.Hour), leases.ErrAlone)
	lone.Run = "second"
	ok(t, book.Take(ctx, lone, time.Hour))
	ok(t, book.Leave(ctx, lone.Run))
	ok(t, book.Take(ctx, several, time.Hour))
	is(t, book.Take(ctx, lone, time.Hour), leases.ErrAlone)
}

// What another hub has changed is found by its number, and no longer remembered here.
func testNews(t *testing.T, h *hub) {
	f, ctx := h.found(t), t.Context()
	actor := f.Person.Actor()
	m := h.join(t, actor, "", "Caixa 1")
	key, secret, err := h.fleet.MakeKey(ctx, actor, fleet.Wanted{Scope: actor.Scope, Name: "PDV"})
	ok(t, err)
	last, err := h.fleet.LastChange(ctx)
	ok(t, err)
	none, err := h.fleet.News(ctx, last)
	ok(t, err)
	same(t, "news", len(none), 0)

	other := fleet.NewDesk(h.store.Fleet(), hubSecret)
	_, err = h.fleet.Admit(ctx, m.ID)
	ok(t, err)
	_, err = h.fleet.CheckKey(ctx, key.ID, secret)
	ok(t, err)
	ok(t, other.RevokeTerminal(ctx, actor, m.ID))
	ok(t, other.RevokeKey(ctx, actor, key.ID))
	news, err := h.fleet.News(ctx, last)
	ok(t, err)
	var targets []string
	for i, c := range news {
		same(t, "number", c.Number, last+int64(i)+1)
		targets = append(targets, c.Target)
		h.fleet.Forget(c.Target)
	}
	same(t, "what was changed", targets, []string{m.ID, key.ID})
	_, err = h.fleet.Admit(ctx, m.ID)
	is(t, err, fleet.ErrRevoked)
	if _, err = h.fleet.CheckKey(ctx, key.ID, secret); err == nil {
		t.Error("a key that was revoked elsewhere is good")
	}

	seen := time.Now().Truncate(time.Microsecond)
	ok(t, other.Seen(ctx, fleet.Sighting{Terminal: m.ID, At: seen}))
	ids, latest, err := h.fleet.SeenAfter(ctx, seen.Add(-time.Second))
	ok(t, err)
	same(t, "seen", ids, []string{m.ID})
	ids, again, err := h.fleet.SeenAfter(ctx, latest)
	ok(t, err)
	same(t, "seen since", len(ids), 0)
	same(t, "latest", again.Equal(seen), true)
}
