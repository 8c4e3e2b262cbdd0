package store_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
)

// Numbers are a customer's own, one after the other, however much happens at others; who sees the whole account has numbers of the whole.
func testNumbersOfCustomers(t *testing.T, h *hub) {
	f := h.found(t)
	owner := f.Person.Actor()
	other, err := h.fleet.MakeTenant(t.Context(), owner, "Outra")
	ok(t, err)
	of := func(p fleet.Place) fleet.Actor {
		return fleet.Actor{ID: "x", Scope: fleet.Scope{Place: p, Role: fleet.Administers}}
	}
	here, there := of(f.Tenant.Place), of(other.Place)
	desk := h.hooks()
	var hooks []webhooks.Hook
	for _, a := range []fleet.Actor{owner, here} {
		made, _, err := desk.Make(t.Context(), a, webhooks.Wanted{Place: a.Place, Name: "x", URL: "https://a.example"})
		ok(t, err)
		hooks = append(hooks, made)
	}
	at := fleet.Now()
	happens := func(id string, p fleet.Place) {
		t.Helper()
		at = at.Add(time.Second)
		ok(t, h.store.Webhooks().AddEvents(t.Context(), []webhooks.Event{{ID: id, Place: p, Type: "transaction.approved", At: at, Data: json.RawMessage(`{}`)}}))
	}
	publish := func() {
		t.Helper()
		_, err := desk.Publish(t.Context())
		ok(t, err)
	}
	happens("h1", f.Shop.Place)
	happens("t1", other.Place)
	happens("t2", other.Place)
	publish()
	happens("t3", other.Place)
	happens("h2", f.Tenant.Place)
	publish()
	listed := func(a fleet.Actor, after int64) (found []string) {
		t.Helper()
		all, err := h.hooks().Events(t.Context(), a, after, 10)
		ok(t, err)
		for _, e := range all {
			found = append(found, fmt.Sprint(e.Number, " ", e.ID))
		}
		return found
	}
	same(t, "here", listed(here, 0), []string{"1 h1", "2 h2"})
	same(t, "at a shop of it", listed(of(f.Shop.Place), 0), []string{"1 h1"})
	same(t, "there, from the first on", listed(there, 1), []string{"2 t2", "3 t3"})
	same(t, "in all", listed(owner, 0), []string{"1 h1", "2 t1", "3 t2", "4 t3", "5 h2"})

	told := func(hook webhooks.Hook, before int64) (numbers []int64) {
		t.Helper()
		all, err := desk.Deliveries(t.Context(), owner, hook.ID, "", before, 10)
		ok(t, err)
		for _, d := range all {
			numbers = append(numbers, d.Event.Number)
		}
		return numbers
	}
	same(t, "told of all", told(hooks[0], 0), []int64{5, 4, 3, 2, 1})
	same(t, "told of here", told(hooks[1], 0), []int64{2, 1})
	same(t, "told of here before", told(hooks[1], 2), []int64{1})
	due, err := desk.Due(t.Context(), hooks[1].ID, 10, time.Minute)
	ok(t, err)
	same(t, "due", len(due), 2)
	for _, d := range due {
		_, err := desk.Tried(t.Context(), d, 204, "")
		ok(t, err)
	}
	ok(t, desk.Again(t.Context(), here, hooks[1].ID, 2))
	is(t, desk.Again(t.Context(), here, hooks[1].ID, 5), webhooks.ErrNotFound)
	due, err = desk.Due(t.Context(), hooks[1].ID, 10, time.Minute)
	ok(t, err)
	same(t, "again", []any{len(due), due[0].Event.ID, due[0].Event.Number}, []any{1, "h2", int64(2)})

	before, err := h.fleet.Audit(t.Context(), here, fleet.AuditFilter{})
	ok(t, err)
	for i := range 3 {
		_, err := h.fleet.MakeShop(t.Context(), owner, other.ID, fmt.Sprint("Loja ", i))
		ok(t, err)
	}
	_, err = h.fleet.MakeShop(t.Context(), owner, f.Tenant.ID, "Sul")
	ok(t, err)
	after, err := h.fleet.Audit(t.Context(), here, fleet.AuditFilter{})
	ok(t, err)
	same(t, "lines of the audit log", []any{len(after), after[0].Number}, []any{len(before) + 1, before[0].Number + 1})
	same(t, "the first line of it", after[len(after)-1].Number, 1)
	older, err := h.fleet.Audit(t.Context(), here, fleet.AuditFilter{Before: after[0].Number})
	ok(t, err)
	same(t, "older lines", older, before)
	all, err := h.fleet.Audit(t.Context(), owner, fleet.AuditFilter{})
	ok(t, err)
	for i, c := range all {
		same(t, "the whole log has no gap", c.Number, int64(len(all)-i))
	}
}

// Of a database, or a backup, from before customers had numbers of their own: who reads on from a number misses nothing.
func testNumbersOfBefore(t *testing.T, h *hub) {
	to := restored(t, h.fresh, []piece{
		{"schema", "11"},
		{"accounts/000001", `["id","name","created_at"]` + "\n" + `["a","Conta",1]`},
		{"tenants/000001", `["id","account_id","name","created_at"]` + "\n" + `["t","a","Cliente",1]` + "\n" + `["u","a","Outro",1]`},
		{"change_number/000001", `["last"]` + "\n" + "[7]"},
		{"changes/000001", `["number","account_id","tenant_id","shop_id","at","who","what","target"]` + "\n" + `[7,"a","t","",1,"x","y","z"]`},
		{"event_number/000001", `["last"]` + "\n" + "[41]"},
		{"events/000001", `["id","number","account_id","tenant_id","shop_id","terminal_id","type","at","body","kept_at"]` + "\n" + `["old",40,"a","t","","m","terminal.online",1,"{}",1]`},
	})
	place := fleet.Place{Account: "a", Tenant: "t"}
	ok(t, to.store.Webhooks().AddEvents(t.Context(), []webhooks.Event{{ID: "new", Place: place, Type: "terminal.online", At: fleet.Now(), Data: json.RawMessage(`{}`)}}))
	_, err := to.hooks().Publish(t.Context())
	ok(t, err)
	for _, within := range []fleet.Place{place, {Account: "a"}} {
		events, err := to.store.Webhooks().Events(t.Context(), within, 39, 10)
		ok(t, err)
		same(t, "events", []any{len(events), events[0].ID, events[0].Number, events[1].ID}, []any{2, "old", int64(40), "new"})
		events, err = to.store.Webhooks().Events(t.Context(), within, 41, 10)
		ok(t, err)
		same(t, "events after the last number", len(events), 1)
		changes, err := to.store.Fleet().Changes(t.Context(), within, fleet.AuditFilter{Limit: 10})
		ok(t, err)
		same(t, "an old change", changes[0].Number, 7)
	}
}

// A backup may be restored twice: who has read on from what the first restore gave out misses nothing of the second's, whoever they see.
func testNumbersOfRestores(t *testing.T, h *hub) {
	f := h.found(t)
	all, _ := h.export(t)
	places := []fleet.Place{{Account: f.Tenant.Account}, f.Tenant.Place}
	lastEvent, lastChange := make([]int64, len(places)), make([]int64, len(places))
	for i := range 3 {
		to := restored(t, h.fresh, all)
		var happened []webhooks.Event
		for n := range 20 {
			happened = append(happened, webhooks.Event{ID: fmt.Sprint(i, " ", n), Place: f.Tenant.Place, Type: "terminal.online", At: fleet.Now(), Data: json.RawMessage(`{}`)})
			_, err := to.fleet.MakeShop(t.Context(), f.Person.Actor(), f.Tenant.ID, fmt.Sprint("Loja ", i, " ", n))
			ok(t, err)
		}
		ok(t, to.store.Webhooks().AddEvents(t.Context(), happened))
		_, err := to.hooks().Publish(t.Context())
		ok(t, err)
		for which, within := range places {
			events, err := to.store.Webhooks().Events(t.Context(), within, lastEvent[which], 100)
			ok(t, err)
			same(t, "events behind those of the restore before", len(events), len(happened))
			lastEvent[which] = events[len(events)-1].Number
			changes, err := to.store.Fleet().Changes(t.Context(), within, fleet.AuditFilter{Limit: len(happened)})
			ok(t, err)
			if oldest := changes[len(changes)-1].Number; oldest <= lastChange[which] {
				t.Errorf("the audit log goes on with %d behind %d", oldest, lastChange[which])
			}
			lastChange[which] = changes[0].Number
		}
		if i == 1 {
			all, _ = to.export(t) // a backup of what was restored
		}
	}
}

// Numbers beyond the clock move on all the same: it was wrong when they were given out.
func testNumbersBeyondTheClock(t *testing.T, h *hub) {
	const beyond = 1 << 51
	to := restored(t, h.fresh, []piece{
		{"schema", "12"},
		{"event_number/000001", `["last"]` + "\n" + fmt.Sprintf("[%d]", beyond)},
	})
	again, _ := to.export(t)
	if n, err := strconv.ParseInt(movedTo(t, again), 10, 64); err != nil || n <= beyond {
		t.Errorf("%d is followed by %d", beyond, n)
	}
}
