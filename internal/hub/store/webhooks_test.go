package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
)

func (h *hub) hooks() *webhooks.Desk {
	return webhooks.NewDesk(webhooks.Config{Book: h.store.Webhooks(), Secret: hubSecret})
}

func testWebhooks(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	desk := h.hooks()
	for _, url := range []string{
		"http://a.example", "https://", "https://:443", "https://:99999", "https://a.example:99999", "https://a.example:0", "https://a.example:65536", "https://[]:443", "https://u@a.example", "https://a.example/#x", "//a.example", "a.example", "",
	} {
		if _, _, err := desk.Make(t.Context(), a, webhooks.Wanted{Place: f.Shop.Place, Name: "x", URL: url}); !errors.Is(err, webhooks.ErrBadURL) {
			t.Errorf("%s: %v", url, err)
		}
	}
	_, _, err := desk.Make(t.Context(), a, webhooks.Wanted{Place: f.Shop.Place, Name: "x", URL: "https://a.example", Types: []string{"nothing"}})
	is(t, err, webhooks.ErrBadType)
	made, secret, err := desk.Make(t.Context(), a, webhooks.Wanted{Place: f.Shop.Place, Name: "Retaguarda", URL: "https://a.example:65535/x", Types: []string{"transaction.approved", "terminal.offline"}})
	ok(t, err)
	h.reopen(t)
	desk = h.hooks()
	all, err := desk.Hooks(t.Context(), a)
	ok(t, err)
	same(t, "the webhooks", all, []webhooks.Hook{made})
	key, err := desk.Key(all[0])
	ok(t, err)
	same(t, "the secret", webhooks.SecretText(key), secret)
	if string(all[0].Secret) == string(key) {
		t.Error("the secret is kept as it is")
	}

	began := fleet.Now()
	add := func(kind, id string, p fleet.Place) {
		t.Helper()
		ok(t, h.store.Webhooks().AddEvents(t.Context(), []webhooks.Event{{ID: id, Place: p, Type: kind, At: fleet.Now(), Data: json.RawMessage(`{"id":"` + id + `"}`)}}))
	}
	add("transaction.approved", "one", f.Shop.Place)
	add("transaction.approved", "one", f.Shop.Place) // the same
	add("transaction.refused", "two", f.Shop.Place)  // nobody asked for it
	add("terminal.offline", "three", fleet.Place{Account: f.Account.ID, Tenant: f.Tenant.ID, Shop: "another"})
	n, err := desk.Publish(t.Context())
	ok(t, err)
	same(t, "numbered", n, 3)
	events, err := desk.Events(t.Context(), a, 0, 10)
	ok(t, err)
	same(t, "events", len(events), 3)
	events, err = desk.Events(t.Context(), a, events[1].Number, 10)
	ok(t, err)
	same(t, "events after the second", len(events), 1)
	events, err = desk.Events(t.Context(), fleet.Actor{Scope: fleet.Scope{Place: fleet.Place{Account: "other"}, Role: fleet.Reads}}, 0, 10)
	ok(t, err)
	same(t, "events of others", len(events), 0)

	pending, oldest, err := desk.Backlog(t.Context())
	ok(t, err)
	same(t, "pending", []any{pending, oldest.Before(began), oldest.After(time.Now())}, []any{1, false, false})
	due, err := desk.Due(t.Context(), made.ID, 10, time.Minute)
	ok(t, err)
	same(t, "due", []any{len(due), due[0].Event.ID, string(due[0].Event.Data)}, []any{1, "one", `{"id":"one"}`})
	again, err := desk.Due(t.Context(), made.ID, 10, time.Minute)
	ok(t, err)
	same(t, "due while it is being tried", len(again), 0)
	// For a day, with pauses that grow.
	d, last := due[0], time.Duration(0)
	began = time.Now()
	for d.State != webhooks.Failed {
		_, err := desk.Tried(t.Context(), d, 500, "respondeu 500")
		ok(t, err)
		seen, err := desk.Deliveries(t.Context(), a, made.ID, "", 0, 10)
		ok(t, err)
		if d = seen[0]; d.State == webhooks.Pending {
			pause := d.DueAt.Sub(d.TriedAt)
			if pause < last || pause <= 0 {
				t.Fatalf("after %d attempts a pause of %v, before %v", d.Attempts, pause, last)
			}
			last = pause
			began = began.Add(-pause)
		}
	}
	if sum := time.Since(began); sum < 24*time.Hour || sum > 28*time.Hour {
		t.Errorf("tried for %v", sum)
	}
	same(t, "a failed one", []any{d.Status, d.Trouble, d.DueAt.IsZero()}, []any{500, "respondeu 500", true})

	ok(t, desk.Again(t.Context(), a, made.ID, d.Event.Number))
	is(t, desk.Again(t.Context(), a, made.ID, 99), webhooks.ErrNotFound)
	due, err = desk.Due(t.Context(), made.ID, 10, time.Minute)
	ok(t, err)
	pending, _, err = desk.Backlog(t.Context())
	ok(t, err)
	same(t, "pending, also while it is tried", pending, 1)
	state, err := desk.Tried(t.Context(), due[0], 204, "")
	ok(t, err)
	same(t, "what became of it", state, webhooks.Delivered)
	pending, oldest, err = desk.Backlog(t.Context())
	ok(t, err)
	same(t, "pending no more", []any{pending, oldest.IsZero()}, []any{0, true})
	seen, err := desk.Deliveries(t.Context(), a, made.ID, webhooks.Delivered, 0, 10)
	ok(t, err)
	same(t, "delivered", len(seen), 1)

	ok(t, desk.Test(t.Context(), a, made.ID))
	_, err = desk.Publish(t.Context())
	ok(t, err)
	ok(t, desk.Revoke(t.Context(), a, made.ID))
	due, err = desk.Due(t.Context(), made.ID, 10, time.Minute)
	ok(t, err)
	same(t, "due at one that was revoked", len(due), 0)
	is(t, desk.Test(t.Context(), a, made.ID), webhooks.ErrNotFound)
	dropped, err := h.store.Webhooks().ForgetEvents(t.Context(), time.Now().Add(time.Hour))
	ok(t, err)
	same(t, "forgotten", dropped, 4)
}

// Of events that several hubs write and number at once none is missed by who reads on from the last number he has.
func testWebhookNumbers(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	hook, _, err := h.hooks().Make(t.Context(), a, webhooks.Wanted{Place: f.Account.Place, Name: "x", URL: "https://a.example"})
	ok(t, err)
	const hubs, each = 4, 50
	var writing, numbering sync.WaitGroup
	stop := make(chan struct{})
	for hub := range hubs {
		desk := h.hooks()
		writing.Go(func() {
			for n := range each {
				e := webhooks.Event{ID: fmt.Sprint(hub, "-", n), Place: f.Shop.Place, Type: "transaction.approved", At: fleet.Now(), Data: json.RawMessage(`{}`)}
				ok(t, h.store.Webhooks().AddEvents(t.Context(), []webhooks.Event{e}))
			}
		})
		numbering.Go(func() {
			for {
				_, err := desk.Publish(t.Context())
				ok(t, err)
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	read, last := map[string]bool{}, int64(0)
	follow := func() {
		events, err := h.hooks().Events(t.Context(), a, last, 500)
		ok(t, err)
		for _, e := range events {
			if e.Number <= last {
				t.Errorf("%d after %d", e.Number, last)
			}
			read[e.ID], last = true, e.Number
		}
	}
	done := make(chan struct{})
	go func() { writing.Wait(); close(done) }()
	for going := true; going; {
		follow()
		select {
		case <-done:
			going = false
		default:
		}
	}
	close(stop)
	numbering.Wait()
	_, err = h.hooks().Publish(t.Context())
	ok(t, err)
	follow()
	same(t, "read", len(read), hubs*each)
	due, err := h.hooks().Due(t.Context(), hook.ID, 1000, time.Minute)
	ok(t, err)
	same(t, "deliveries", len(due), hubs*each)
}

// What changes at a terminal is told once, by whichever hub; what is seen for the first time is no change.
func testWebhookPresence(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	desk := h.hooks()
	_, _, err := desk.Make(t.Context(), a, webhooks.Wanted{Place: f.Account.Place, Name: "x", URL: "https://a.example"})
	ok(t, err)
	m := h.join(t, a, "", "Caixa")
	m.JoinedAt = m.JoinedAt.Add(time.Second)
	earlier := m
	earlier.ID, earlier.JoinedAt = "earlier", m.JoinedAt.Add(-time.Hour)
	ok(t, desk.Observe(t.Context(), earlier, webhooks.Condition{Online: true, Printer: "ok"})) // nobody wanted to know when it came
	told := func() (types []string) {
		t.Helper()
		_, err := desk.Publish(t.Context())
		ok(t, err)
		events, err := desk.Events(t.Context(), a, 0, 100)
		ok(t, err)
		for _, e := range events {
			types = append(types, e.Type)
		}
		return types
	}
	here := webhooks.Condition{Online: true, Printer: "ok"}
	ok(t, desk.Observe(t.Context(), m, here))
	same(t, "at first", told(), []string{"terminal.online"})
	ok(t, desk.Observe(t.Context(), m, here))
	ok(t, desk.Observe(t.Context(), m, webhooks.Condition{Online: true, Printer: "paperOut"}))
	ok(t, desk.Observe(t.Context(), m, webhooks.Condition{}))
	online, err := desk.ToldOnline(t.Context())
	ok(t, err)
	same(t, "told to be here", online, []string{"earlier"})
	ok(t, desk.Observe(t.Context(), m, webhooks.Condition{}))
	ok(t, desk.Observe(t.Context(), m, webhooks.Condition{Online: true, Printer: "paperOut", Trouble: []string{"pix"}, Unresolved: 1}))
	all := told()
	same(t, "told one after the other", all[:min(3, len(all))], []string{"terminal.online", "terminal.printer", "terminal.offline"})
	slices.Sort(all)
	same(t, "told", all, []string{"terminal.acquirer", "terminal.offline", "terminal.online", "terminal.online", "terminal.printer", "terminal.unresolved"})

	before, err := h.store.Webhooks().Told(t.Context(), m.ID)
	ok(t, err)
	before.Printer = "ok"
	ok(t, h.store.Webhooks().Tell(t.Context(), before, nil))
	is(t, h.store.Webhooks().Tell(t.Context(), before, []webhooks.Event{{ID: "twice", Place: f.Shop.Place, Type: "terminal.printer", At: fleet.Now(), Data: json.RawMessage(`{}`)}}), webhooks.ErrNotFound)
	same(t, "told by two hubs", len(told()), 6)
}

// A customer has so many webhooks and no more, whatever others have.
func testWebhookQuota(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	desk := h.hooks()
	add := func(p fleet.Place) (webhooks.Hook, error) {
		made, _, err := desk.Make(t.Context(), a, webhooks.Wanted{Place: p, Name: "x", URL: "https://a.example"})
		return made, err
	}
	var last webhooks.Hook
	for range 20 {
		var err error
		last, err = add(f.Shop.Place)
		ok(t, err)
	}
	_, err := add(f.Tenant.Place)
	is(t, err, webhooks.ErrTooMany)
	_, err = add(f.Account.Place)
	ok(t, err)
	ok(t, desk.Revoke(t.Context(), a, last.ID))
	_, err = add(f.Tenant.Place)
	ok(t, err)
}

// An event that happens after a webhook was made is told to it, even by a hub that has looked the webhooks up before.
func testWebhookMadeElsewhere(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	here, elsewhere := h.hooks(), h.hooks()
	live, err := here.Live(t.Context())
	ok(t, err)
	same(t, "webhooks at first", len(live), 0)
	made, _, err := elsewhere.Make(t.Context(), a, webhooks.Wanted{Place: f.Shop.Place, Name: "x", URL: "https://a.example"})
	ok(t, err)
	ok(t, h.store.Webhooks().AddEvents(t.Context(), []webhooks.Event{{ID: "one", Place: f.Shop.Place, Type: "transaction.approved", At: fleet.Now(), Data: json.RawMessage(`{}`)}}))
	_, err = here.Publish(t.Context())
	ok(t, err)
	due, err := here.Due(t.Context(), made.ID, 10, time.Minute)
	ok(t, err)
	same(t, "due", len(due), 1)
}
