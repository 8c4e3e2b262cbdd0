package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func testFounding(t *testing.T, h *hub) {
	accounts, err := h.fleet.Accounts(t.Context())
	ok(t, err)
	if len(accounts) != 0 {
		t.Fatal("a new hub has an account")
	}
	made := atOnce(4, func(int) error {
		_, err := h.fleet.Found(t.Context(), fleet.Foundation{Account: "Casa", Tenant: "Loja", Shop: "Loja", Person: "ana"})
		return err
	})
	if n := len(slices.DeleteFunc(made, func(err error) bool { return err != nil })); n != 1 {
		t.Errorf("%d foundings succeeded", n)
	}
	for _, err := range made {
		if err != nil {
			is(t, err, fleet.ErrTaken)
		}
	}
	accounts, err = h.fleet.Accounts(t.Context())
	ok(t, err)
	same(t, "accounts", len(accounts), 1)
}

func testPlaces(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	tenant, err := h.fleet.MakeTenant(t.Context(), a, " Farmácia ")
	ok(t, err)
	same(t, "the name", tenant.Name, "Farmácia")
	_, err = h.fleet.MakeTenant(t.Context(), a, "Farmácia")
	is(t, err, fleet.ErrTaken)
	for _, name := range []string{"", " ", "a\nb", "\xff", "\u200b", "Farmácia\u200b", "Far\u00admácia", "\u202eabc", "a\u2028b", "\ue000", strings.Repeat("ã", 101)} {
		_, err = h.fleet.MakeTenant(t.Context(), a, name)
		is(t, err, fleet.ErrBadName)
	}
	shop, err := h.fleet.MakeShop(t.Context(), a, tenant.ID, "Centro") // the name of another tenant's shop
	ok(t, err)
	_, err = h.fleet.MakeShop(t.Context(), a, tenant.ID, "Centro")
	is(t, err, fleet.ErrTaken)
	_, err = h.fleet.MakeShop(t.Context(), a, "nowhere", "Norte")
	is(t, err, fleet.ErrNotFound)

	tenants, err := h.fleet.Tenants(t.Context(), a.Scope)
	ok(t, err)
	same(t, "tenants", tenants, []fleet.Named{tenant, f.Tenant})
	shops, err := h.fleet.Shops(t.Context(), fleet.Scope{Place: tenant.Place, Role: fleet.Reads})
	ok(t, err)
	same(t, "shops of a tenant", shops, []fleet.Named{shop})
	tenants, err = h.fleet.Tenants(t.Context(), fleet.Scope{Place: shop.Place, Role: fleet.Reads})
	ok(t, err)
	same(t, "the tenant of a shop", tenants, []fleet.Named{tenant})
}

func testCodes(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	text, code, err := h.fleet.MakeCode(t.Context(), a, "", "")
	ok(t, err)
	if len(text) != 8 || strings.ContainsAny(text, "0O1IL") {
		t.Errorf("the code %q", text)
	}
	same(t, "the place", code.Place, f.Shop.Place)
	_, err = h.fleet.Join(t.Context(), text, fleet.Joining{PublicKey: publicKey[:31]})
	is(t, err, fleet.ErrBadPublicKey)
	_, err = h.fleet.Join(t.Context(), "AAAAAAAA", fleet.Joining{PublicKey: publicKey})
	is(t, err, fleet.ErrBadCode)
	typed := strings.ToLower(text[:4] + "-" + text[4:])
	m, err := h.fleet.Join(t.Context(), typed, fleet.Joining{PublicKey: publicKey, Name: "Caixa 2", Version: strings.Repeat("9", 1000)})
	ok(t, err)
	same(t, "name and length of the version", []any{m.Name, len(m.Version)}, []any{"Caixa 2", 200})
	_, err = h.fleet.Join(t.Context(), text, fleet.Joining{PublicKey: publicKey})
	is(t, err, fleet.ErrBadCode)

	// One that is too old, written as it is after ten minutes.
	ok(t, h.store.Fleet().AddCode(t.Context(), fleet.Code{Hash: []byte("old"), Place: f.Shop.Place, ExpiresAt: time.Now()}, fleet.Change{Place: f.Shop.Place, At: time.Now().Add(-time.Hour)}))
	_, err = h.store.Fleet().Code(t.Context(), []byte("old"), time.Now())
	is(t, err, fleet.ErrNotFound)
	is(t, h.store.Fleet().Join(t.Context(), []byte("old"), time.Now(), m, fleet.Change{At: time.Now()}), fleet.ErrNotFound)

	_, err = h.fleet.MakeShop(t.Context(), a, f.Tenant.ID, "Norte")
	ok(t, err)
	_, _, err = h.fleet.MakeCode(t.Context(), a, "", "")
	is(t, err, fleet.ErrWhichShop)
}

func testCodeOnce(t *testing.T, h *hub) {
	f := h.found(t)
	text, _, err := h.fleet.MakeCode(t.Context(), f.Person.Actor(), "", "")
	ok(t, err)
	joined := 0
	for _, err := range atOnce(8, func(int) error {
		_, err := h.fleet.Join(t.Context(), text, fleet.Joining{PublicKey: publicKey})
		return err
	}) {
		if err == nil {
			joined++
		} else {
			is(t, err, fleet.ErrBadCode)
		}
	}
	same(t, "how often a code joined", joined, 1)
	_, total, err := h.fleet.Terminals(t.Context(), f.Person.Scope, fleet.TerminalFilter{})
	ok(t, err)
	same(t, "terminals", total, 1)
}

func testTerminals(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	m := h.join(t, a, "", "Caixa 1")
	admitted, err := h.fleet.Admit(t.Context(), m.ID)
	ok(t, err)
	same(t, "who is admitted", admitted, m)
	_, err = h.fleet.Admit(t.Context(), "nobody\x00")
	is(t, err, fleet.ErrNotFound)

	ok(t, h.fleet.RenameTerminal(t.Context(), a, m.ID, "Balcão"))
	got, err := h.fleet.Terminal(t.Context(), a.Scope, m.ID)
	ok(t, err)
	same(t, "the name", got.Name, "Balcão")
	elsewhere, err := h.fleet.MakeShop(t.Context(), a, f.Tenant.ID, "Outra loja")
	ok(t, err)
	ok(t, h.fleet.MoveTerminal(t.Context(), a, m.ID, elsewhere.ID))
	got, err = h.fleet.Terminal(t.Context(), a.Scope, m.ID)
	ok(t, err)
	same(t, "the place", got.Place, elsewhere.Place)
	is(t, h.fleet.MoveTerminal(t.Context(), a, m.ID, "nowhere"), fleet.ErrNotFound)

	ok(t, h.fleet.RevokeTerminal(t.Context(), a, m.ID))
	_, err = h.fleet.Admit(t.Context(), m.ID)
	is(t, err, fleet.ErrRevoked)
	revoked, err := h.fleet.Terminal(t.Context(), a.Scope, m.ID)
	ok(t, err)
	ok(t, h.fleet.RevokeTerminal(t.Context(), a, m.ID))
	again, err := h.fleet.Terminal(t.Context(), a.Scope, m.ID)
	ok(t, err)
	same(t, "when it was revoked", again.RevokedAt, revoked.RevokedAt)
	changes, err := h.fleet.Audit(t.Context(), a, fleet.AuditFilter{Target: m.ID})
	ok(t, err)
	same(t, "lines about it: it came, was renamed, left, was moved and revoked", len(changes), 5)
	seen, err := h.fleet.Audit(t.Context(), fleet.Actor{Scope: fleet.Scope{Place: f.Shop.Place, Role: fleet.Administers}}, fleet.AuditFilter{Target: m.ID})
	ok(t, err)
	same(t, "the last that the shop which it left sees", seen[0].What, `Terminal "Balcão" saiu da loja "`+f.Shop.Name+`"`)
	_, err = h.fleet.Admit(t.Context(), m.ID)
	is(t, err, fleet.ErrRevoked)
}

func testSightings(t *testing.T, h *hub) {
	f := h.found(t)
	m := h.join(t, f.Person.Actor(), "", "")
	at := time.Date(2026, 11, 16, 12, 0, 0, 123000, time.UTC)
	c := fleet.Condition{Clock: at.Add(time.Hour), ReadAt: at, Busy: true, Running: "payment", Printer: "paperOut", Trouble: []string{"pix"}, Unresolved: 2, SaleOpen: true}
	ok(t, h.fleet.Seen(t.Context(), fleet.Sighting{Terminal: m.ID, At: at, Version: "1.1", Condition: c}, fleet.Sighting{Terminal: "nobody", At: at}))
	ok(t, h.fleet.Seen(t.Context(), fleet.Sighting{Terminal: m.ID, At: at.Add(-time.Second), Version: "0.9"})) // older: it came late
	got, err := h.store.Fleet().Terminal(t.Context(), m.ID)
	ok(t, err)
	m.Version, m.SeenAt, m.Condition = "1.1", at, c
	same(t, "the terminal", got, m)
	same(t, "its clock", got.Condition.ClockOff(), time.Hour)
}

func testTerminalFilters(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	norte, err := h.fleet.MakeShop(t.Context(), a, f.Tenant.ID, "Norte")
	ok(t, err)
	at := time.Now()
	see := func(m fleet.Terminal, version string, at time.Time, c fleet.Condition) {
		c.ReadAt, c.Clock = at, at.Add(c.Clock.Sub(time.Time{}))
		ok(t, h.fleet.Seen(t.Context(), fleet.Sighting{Terminal: m.ID, At: at, Version: version, Condition: c}))
	}
	see(h.join(t, a, f.Shop.ID, "Balcão"), "1.0", at, fleet.Condition{Printer: "ok"})
	see(h.join(t, a, f.Shop.ID, "caixa 2"), "1.1", at, fleet.Condition{Printer: "paperOut"})
	see(h.join(t, a, norte.ID, "Caixa 1"), "1.1", at.Add(-time.Hour), fleet.Condition{Printer: "ok", Trouble: []string{"tef"}, Unresolved: 1, Clock: time.Time{}.Add(10 * time.Minute)})
	ok(t, h.fleet.RevokeTerminal(t.Context(), a, h.join(t, a, norte.ID, "Velho").ID))
	for name, c := range map[string]struct {
		filter fleet.TerminalFilter
		want   string
	}{
		"all":        {fleet.TerminalFilter{}, "Balcão, Caixa 1, caixa 2 of 3"},
		"page":       {fleet.TerminalFilter{Offset: 1, Limit: 1}, "Caixa 1 of 3"},
		"past":       {fleet.TerminalFilter{Offset: 9}, " of 3"},
		"shop":       {fleet.TerminalFilter{Within: norte.Place}, "Caixa 1 of 1"},
		"words":      {fleet.TerminalFilter{Words: "BALCAO"}, "Balcão of 1"},
		"two words":  {fleet.TerminalFilter{Words: "1.1 caixa"}, "Caixa 1, caixa 2 of 2"},
		"version":    {fleet.TerminalFilter{Version: "1.0"}, "Balcão of 1"},
		"revoked":    {fleet.TerminalFilter{Revoked: true}, "Velho of 1"},
		"printer":    {fleet.TerminalFilter{Printer: true}, "caixa 2 of 1"},
		"trouble":    {fleet.TerminalFilter{Trouble: true}, "Caixa 1 of 1"},
		"unresolved": {fleet.TerminalFilter{Unresolved: true}, "Caixa 1 of 1"},
		"clock":      {fleet.TerminalFilter{ClockOff: time.Minute}, "Caixa 1 of 1"},
		"not seen":   {fleet.TerminalFilter{SeenBefore: at.Add(-time.Minute)}, "Caixa 1 of 1"},
		"kept":       {fleet.TerminalFilter{Keep: func(m fleet.Terminal) bool { return m.Name != "Balcão" }}, "Caixa 1, caixa 2 of 2"},
	} {
		page, total, err := h.fleet.Terminals(t.Context(), a.Scope, c.filter)
		ok(t, err)
		var names []string
		for _, m := range page {
			names = append(names, m.Name)
		}
		if got := strings.Join(names, ", ") + fmt.Sprint(" of ", total); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	_, _, err = h.fleet.Terminals(t.Context(), fleet.Scope{Place: norte.Place, Role: fleet.Reads}, fleet.TerminalFilter{Within: f.Shop.Place})
	is(t, err, fleet.ErrNotFound)
}

func testAudit(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	before, err := h.fleet.Audit(t.Context(), a, fleet.AuditFilter{})
	ok(t, err)
	_, err = h.fleet.MakeTenant(t.Context(), a, f.Tenant.Name)
	is(t, err, fleet.ErrTaken)
	after, err := h.fleet.Audit(t.Context(), a, fleet.AuditFilter{})
	ok(t, err)
	same(t, "what failed is in no line", after, before)

	// Side by side no line is lost, and no number used twice.
	for _, err := range atOnce(100, func(i int) error {
		_, err := h.fleet.MakeTenant(t.Context(), a, fmt.Sprint("Cliente ", i))
		return err
	}) {
		ok(t, err)
	}
	all, err := h.fleet.Audit(t.Context(), a, fleet.AuditFilter{})
	ok(t, err)
	for i, c := range all {
		same(t, "numbers", c.Number, int64(len(all)-i))
	}
	same(t, "lines", len(all), len(before)+100)
	page, err := h.fleet.Audit(t.Context(), a, fleet.AuditFilter{Before: all[2].Number, Limit: 2})
	ok(t, err)
	same(t, "a page", page, all[3:5])
	if c := all[0]; !contains(c.Who, f.Person.ID) || !contains(c.What, "Cliente ") || c.At.IsZero() {
		t.Errorf("the line %+v", c)
	}
	reader := a
	reader.Role = fleet.Operates
	_, err = h.fleet.Audit(t.Context(), reader, fleet.AuditFilter{})
	is(t, err, fleet.ErrForbidden)
	if errors.Is(err, fleet.ErrNotFound) {
		t.Error("what is seen and not allowed is no ErrNotFound")
	}
}
