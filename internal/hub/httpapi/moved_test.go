package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/waittest"
)

// A terminal that is moved to another customer leaves behind all that it recorded, also what the hub reads later: nothing that the hub has
// tells the new customer of it, and the old one sees it on.
func TestMovedToAnother(t *testing.T) {
	h := newHub(t)
	of := h.hide(t)
	x := of.terminal
	decided := mark
	_, err := h.settings.Make(t.Context(), h.admin, settings.Wanted{Place: fleet.Place{Account: h.founded.Account.ID, Tenant: of.tenant, Shop: of.shop}, Terminal: x.id, Values: map[string]*string{"name": &decided}, Comment: mark})
	must(t, err)
	tenant, err := h.fleet.MakeTenant(t.Context(), h.admin, "Outro")
	must(t, err)
	shop, err := h.fleet.MakeShop(t.Context(), h.admin, tenant.ID, "Outra")
	must(t, err)
	sibling, err := h.fleet.MakeShop(t.Context(), h.admin, tenant.ID, "Mais uma")
	must(t, err)
	key := func(p fleet.Place) []string {
		return []string{"Authorization", h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: p, Role: fleet.Administers}})}
	}
	old := key(fleet.Place{Account: tenant.Account, Tenant: of.tenant, Shop: of.shop})

	h.away.Store(true) // what is sold now is read later
	must(t, h.fleet.RenameTerminal(t.Context(), h.admin, x.id, "Caixa"))
	x.change(func() { x.steps = append(x.steps, step(2, 2, mark+"-2", "approved", "5")) })
	move := func(to string) {
		t.Helper()
		if a := h.call(t, "PATCH", "/api/v1/terminals/"+x.id, fmt.Sprintf(`{"shop":%q}`, to)); a.status != 200 {
			t.Fatalf("moving: %d %s", a.status, a.body)
		}
	}
	sell := func(number int64, reference string) {
		sold := step(number, number, reference, "approved", "7")
		sold.At = time.Now()
		x.change(func() { x.steps = append(x.steps, sold) })
	}
	read := func(upTo int64) {
		t.Helper()
		waittest.Until(t, "all is read", func() bool {
			c, err := h.records.Cursor(t.Context(), x.id, hubtest.Epoch(x.id), records.Ledger)
			return err == nil && c.Number == upTo
		})
	}
	move(sibling.ID)
	sell(3, "irma")
	move(shop.ID)
	sell(4, "novo")
	h.away.Store(false)
	read(4)
	x.stop()

	for who, caller := range map[string][]string{"the customer": key(tenant.Place), "the shop": key(shop.Place)} {
		for _, p := range append(probes(t, of), probe{"GET", "/api/v1/settings/" + x.id + "/versions", ""}) {
			if p.method != "GET" || strings.Contains(p.path, "/logs/") {
				continue // of streams and downloads the hub has nothing to say without the terminal
			}
			a := h.call(t, p.method, p.path, "", caller...)
			for _, secret := range []string{mark, of.operation, of.tenant, of.shop, of.key, of.person, of.hook} {
				if strings.Contains(a.body, secret) {
					t.Errorf("%s: %s tells %q: %s", who, p.path, secret, a.body)
				}
			}
		}
	}
	whole := []string{}
	for _, c := range []struct {
		who    string
		caller []string
		seen   []int64
	}{{"the old shop", old, []int64{1, 2}}, {"the shop between", key(sibling.Place), []int64{3}}, {"the new shop", key(shop.Place), []int64{4}}, {"the new customer", key(tenant.Place), []int64{3, 4}}, {"the house", whole, []int64{1, 2, 3, 4}}} {
		listed := h.call(t, "GET", "/api/v1/transactions?terminal="+x.id, "", c.caller...)
		is(t, c.who+" has so many", strings.Count(listed.body, `"attempt"`), len(c.seen))
		var histories []int64
		for attempt := int64(1); attempt <= 4; attempt++ {
			if a := h.call(t, "GET", fmt.Sprintf("/api/v1/terminals/%s/history/%s/%d", x.id, hubtest.Epoch(x.id), attempt), "", c.caller...); a.status == 200 {
				histories = append(histories, attempt)
			} else {
				is(t, "no history for "+c.who, a.status, 404)
			}
		}
		is(t, "histories for "+c.who, histories, c.seen)
	}
	for reference, want := range map[string]int{mark: 503, mark + "-2": 503, "irma": 503, "novo": 200} {
		a := h.call(t, "GET", "/terminals/"+x.id+"/transaction/"+reference, "", key(shop.Place)...)
		is(t, "looked up by the new shop: "+reference, a.status, want)
	}
	is(t, "looked up by the house", h.call(t, "GET", "/terminals/"+x.id+"/transaction/"+mark, "").status, 200)
}
