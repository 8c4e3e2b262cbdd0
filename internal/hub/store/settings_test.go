package store_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/settings"
)

func (h *hub) settings() *settings.Desk {
	return settings.NewDesk(settings.Config{
		Book: h.store.Settings(), Key: hubSecret, Names: []string{"name", "locale", "theme", "pin"}, IsSecret: func(name string) bool { return name == "pin" },
	})
}

// says are values of a version; "" keeps a secret.
func says(pairs ...string) map[string]*string {
	all := map[string]*string{}
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i]] = &pairs[i+1]
		if pairs[i+1] == "" {
			all[pairs[i]] = nil
		}
	}
	return all
}

func testSettings(t *testing.T, h *hub) {
	f := h.found(t)
	a, desk := f.Person.Actor(), h.settings()
	m := h.join(t, a, f.Shop.ID, "Caixa 1")
	make := func(p fleet.Place, terminal string, pairs ...string) settings.Set {
		t.Helper()
		s, err := desk.Make(t.Context(), a, settings.Wanted{Place: p, Terminal: terminal, Values: says(pairs...), Comment: " porque sim "})
		ok(t, err)
		return s
	}
	first := make(f.Account.Place, "", "name", "Casa", "locale", "pt-BR", "pin", "4711")
	same(t, "the first version", []any{first.Version, first.ID, first.Comment, first.Values}, []any{int64(1), f.Account.ID, "porque sim", map[string]string{"name": "Casa", "locale": "pt-BR"}})
	if h.address == "" {
		for _, file := range []string{"hub.db", "hub.db-wal"} {
			if text, _ := os.ReadFile(filepath.Join(h.folder, file)); bytes.Contains(text, []byte("4711")) {
				t.Errorf("%s has the secret", file)
			}
		}
	}
	make(f.Shop.Place, "", "name", "Centro", "pin", "0815")
	own := make(m.Place, m.ID, "theme", "dark")
	h.reopen(t)
	desk = h.settings()

	decided := func() (settings.Effective, map[string]string) {
		t.Helper()
		all, err := desk.All(t.Context())
		ok(t, err)
		e := all.Of(m)
		secrets, err := desk.Secrets(e)
		ok(t, err)
		return e, secrets
	}
	e, secrets := decided()
	same(t, "what is decided", e.Values, map[string]string{"name": "Centro", "locale": "pt-BR", "theme": "dark"})
	same(t, "the secrets", secrets, map[string]string{"pin": "0815"})
	same(t, "the layers", e.Layers, []settings.Layer{{ID: f.Account.ID, Version: 1}, {ID: f.Shop.ID, Version: 1}, {ID: m.ID, Version: 1}})

	// A secret stays where it is not given, and comes back with its version.
	kept := make(f.Shop.Place, "", "name", "Centro 2", "pin", "")
	same(t, "the next version", kept.Version, int64(2))
	later, secrets := decided()
	same(t, "a secret that stays", secrets["pin"], "0815")
	if later.Mark == e.Mark {
		t.Error("another set has the same mark")
	}
	make(f.Shop.Place, "", "pin", "9999")
	back, err := desk.Back(t.Context(), a, f.Shop.ID, 0)
	ok(t, err)
	same(t, "the version before", []any{back.Version, back.Values["name"], back.Comment}, []any{int64(4), "Centro 2", ""})
	_, secrets = decided()
	same(t, "its secret", secrets["pin"], "0815")
	back, err = desk.Back(t.Context(), a, f.Shop.ID, 1)
	ok(t, err)
	same(t, "the first version again", []any{back.Version, back.Values["name"]}, []any{int64(5), "Centro"})
	_, err = desk.Back(t.Context(), a, f.Shop.ID, 77)
	is(t, err, settings.ErrNotFound)
	_, err = desk.Back(t.Context(), a, m.ID, 0)
	is(t, err, settings.ErrFirst)
	versions, err := desk.Versions(t.Context(), a, f.Shop.ID, 0, 3)
	ok(t, err)
	same(t, "the newest versions", []any{len(versions), versions[0].Version, versions[2].Version}, []any{3, int64(5), int64(3)})
	versions, err = desk.Versions(t.Context(), a, f.Shop.ID, 3, 10)
	ok(t, err)
	same(t, "older versions", []any{len(versions), versions[0].Version, versions[1].Values["name"]}, []any{2, int64(2), "Centro"})

	for _, c := range []struct {
		values  map[string]*string
		comment string
		base    int64
		want    error
	}{
		{says("sabor", "doce"), "", 5, settings.ErrUnknown},
		{says("name", "duas\nlinhas"), "", 5, settings.ErrBadValue},
		{says("name", string(bytes.Repeat([]byte("x"), 1001))), "", 5, settings.ErrBadValue},
		{says("name", "x"), "duas\nlinhas", 5, settings.ErrBadValue},
		{says("name", ""), "", 5, settings.ErrNoSecret},
		{says("name", "x"), "", 4, settings.ErrStale},
	} {
		_, err := desk.Make(t.Context(), a, settings.Wanted{Place: f.Shop.Place, Values: c.values, Comment: c.comment, Base: &c.base})
		is(t, err, c.want)
	}

	// Who sees a shop sees its sets, and nothing of wider ones; who does not administer sees none.
	shop := fleet.Actor{Scope: fleet.Scope{Place: f.Shop.Place, Role: fleet.Administers}}
	seen, err := desk.Sets(t.Context(), shop)
	ok(t, err)
	slices.SortFunc(seen, func(a, b settings.Set) int { return bytes.Compare([]byte(a.Terminal), []byte(b.Terminal)) })
	same(t, "a shop's sets", []any{len(seen), seen[0].Version, seen[1].ID}, []any{2, int64(5), own.ID})
	_, err = desk.Versions(t.Context(), shop, f.Account.ID, 0, 10)
	is(t, err, settings.ErrNotFound)
	_, err = desk.Make(t.Context(), shop, settings.Wanted{Place: f.Account.Place, Values: says()})
	is(t, err, settings.ErrNotFound)
	shop.Role = fleet.Operates
	_, err = desk.Sets(t.Context(), shop)
	is(t, err, fleet.ErrForbidden)
	_, err = desk.Back(t.Context(), shop, f.Shop.ID, 0)
	is(t, err, fleet.ErrForbidden)
	changes, err := h.fleet.Audit(t.Context(), a, fleet.AuditFilter{Target: f.Shop.ID})
	ok(t, err)
	same(t, "the audit log", []string{changes[0].What, changes[1].What, changes[2].What}, []string{
		"Configurações: versão 5 (de volta à versão 1)", "Configurações: versão 4 (de volta à versão 2)", "Configurações: versão 3 (pin)",
	})
	testReports(t, desk, a, m)
}

func testReports(t *testing.T, desk *settings.Desk, a fleet.Actor, m fleet.Terminal) {
	t.Helper()
	standing := func() (settings.Effective, settings.Report) {
		t.Helper()
		all, reports, err := desk.Standing(t.Context(), a)
		ok(t, err)
		return all.Of(m), reports[m.ID]
	}
	e, r := standing()
	same(t, "before it says anything", e.StateOf(r), settings.Pending)
	news, err := desk.Troubled(t.Context(), m.ID, "ocupado")
	ok(t, err)
	again, err := desk.Troubled(t.Context(), m.ID, "ocupado")
	ok(t, err)
	same(t, "the same trouble twice", []bool{news, again}, []bool{true, false})
	e, r = standing()
	same(t, "in trouble", []any{e.StateOf(r), r.Trouble, r.At.IsZero()}, []any{settings.Pending, "ocupado", true})
	refused := map[string]string{"name": "muito\x00 longo", "unasked": "x"}
	news, err = desk.Took(t.Context(), m.ID, e, refused)
	ok(t, err)
	again, err = desk.Took(t.Context(), m.ID, e, map[string]string{"name": "muito  longo"})
	ok(t, err)
	same(t, "the same report twice", []bool{news, again}, []bool{true, false})
	e, r = standing()
	same(t, "refused", []any{e.StateOf(r), r.Trouble, r.Refused, r.Layers}, []any{settings.Refused, "", map[string]string{"name": "muito  longo"}, e.Layers})
	_, err = desk.Took(t.Context(), m.ID, e, nil)
	ok(t, err)
	e, r = standing()
	same(t, "taken", []any{e.StateOf(r), len(r.Refused), e.StateOf(settings.Report{}), settings.Effective{}.StateOf(r)}, []any{settings.Taken, 0, settings.Pending, settings.None})
}

// Of versions that many make at once each has a number of its own; of those made from the same version one is made.
func testSettingsAtOnce(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	const many = 8
	versions := map[int64]bool{}
	for _, s := range atOnce(many, func(int) settings.Set {
		s, err := h.settings().Make(t.Context(), a, settings.Wanted{Place: f.Shop.Place, Values: says("name", "x")})
		if err != nil {
			t.Error(err)
		}
		return s
	}) {
		versions[s.Version] = true
	}
	same(t, "the versions", slices.Sorted(maps.Keys(versions)), []int64{1, 2, 3, 4, 5, 6, 7, 8})
	base, made := int64(many), 0
	for _, err := range atOnce(many, func(int) error {
		_, err := h.settings().Make(t.Context(), a, settings.Wanted{Place: f.Shop.Place, Values: says("name", "y"), Base: &base})
		return err
	}) {
		if err == nil {
			made++
			continue
		}
		is(t, err, settings.ErrStale)
	}
	same(t, "made from the same version", made, 1)
}

// A terminal that goes to another shop takes its own set along, and has that of the new shop.
func testSettingsMove(t *testing.T, h *hub) {
	f := h.found(t)
	a, desk := f.Person.Actor(), h.settings()
	m := h.join(t, a, f.Shop.ID, "Caixa 1")
	north, err := h.fleet.MakeShop(t.Context(), a, f.Tenant.ID, "Norte")
	ok(t, err)
	for _, w := range []settings.Wanted{
		{Place: f.Shop.Place, Values: says("name", "Centro")}, {Place: north.Place, Values: says("name", "Norte")}, {Place: m.Place, Terminal: m.ID, Values: says("theme", "dark")},
	} {
		_, err := desk.Make(t.Context(), a, w)
		ok(t, err)
	}
	all, err := desk.All(t.Context())
	ok(t, err)
	before := all.Of(m)
	ok(t, h.fleet.MoveTerminal(t.Context(), a, m.ID, north.ID))
	m, err = h.fleet.Terminal(t.Context(), a.Scope, m.ID)
	ok(t, err)
	after := all.Of(m)
	same(t, "in the new shop", after.Values, map[string]string{"name": "Norte", "theme": "dark"})
	if after.Mark == before.Mark {
		t.Error("the mark is the same")
	}
	for place, want := range map[fleet.Place]int{f.Shop.Place: 1, north.Place: 2} {
		sets, err := desk.Sets(t.Context(), fleet.Actor{Scope: fleet.Scope{Place: place, Role: fleet.Administers}})
		ok(t, err)
		same(t, "sets of a shop", len(sets), want)
	}
}

// A terminal that goes to another customer leaves its own set behind: nobody there sees it, has it or brings it back. Where it returns to, it
// is there again to be brought back.
func testSettingsOfAnother(t *testing.T, h *hub) {
	f := h.found(t)
	a, desk := f.Person.Actor(), h.settings()
	m := h.join(t, a, f.Shop.ID, "Caixa 1")
	other, err := h.fleet.MakeTenant(t.Context(), a, "Outro")
	ok(t, err)
	shop, err := h.fleet.MakeShop(t.Context(), a, other.ID, "Outra")
	ok(t, err)
	within := func(p fleet.Place) fleet.Actor {
		return fleet.Actor{Scope: fleet.Scope{Place: p, Role: fleet.Administers}, ID: "x", Name: "x"}
	}
	_, err = desk.Make(t.Context(), a, settings.Wanted{Place: m.Place, Terminal: m.ID, Values: says("theme", "dark", "pin", "4711"), Comment: "do primeiro"})
	ok(t, err)
	decided := func() settings.Effective {
		t.Helper()
		at, err := h.fleet.Terminal(t.Context(), a.Scope, m.ID)
		ok(t, err)
		all, err := desk.All(t.Context())
		ok(t, err)
		return all.Of(at)
	}
	before := decided()
	ok(t, h.fleet.MoveTerminal(t.Context(), a, m.ID, shop.ID))
	after := decided()
	secrets, err := desk.Secrets(after)
	ok(t, err)
	same(t, "what is decided there", []any{len(after.Values), len(secrets)}, []any{0, 0})
	if after.Mark == before.Mark || after.Mark == "" {
		t.Errorf("the mark is %q", after.Mark)
	}
	versions, err := desk.Versions(t.Context(), within(other.Place), m.ID, 0, 10)
	ok(t, err)
	same(t, "versions that the other customer sees", []any{len(versions), len(versions[0].Names())}, []any{1, 0})
	for to, want := range map[int64]error{0: settings.ErrFirst, 1: settings.ErrNotFound} {
		for _, who := range []fleet.Actor{a, within(other.Place)} {
			_, err = desk.Back(t.Context(), who, m.ID, to)
			is(t, err, want)
		}
	}
	_, err = desk.Make(t.Context(), within(other.Place), settings.Wanted{Place: shop.Place, Terminal: m.ID, Values: says("pin", "")})
	is(t, err, settings.ErrNoSecret)
	_, err = desk.Versions(t.Context(), within(f.Tenant.Place), m.ID, 0, 10)
	is(t, err, settings.ErrNotFound)
	// Somebody who looked it up before it was moved is late.
	_, err = desk.Make(t.Context(), within(f.Tenant.Place), settings.Wanted{Place: m.Place, Terminal: m.ID, Values: says("theme", "light")})
	is(t, err, fleet.ErrNotFound)

	ok(t, h.fleet.MoveTerminal(t.Context(), a, m.ID, f.Shop.ID))
	same(t, "what is decided at home", len(decided().Values), 0)
	back, err := desk.Back(t.Context(), within(f.Tenant.Place), m.ID, 1)
	ok(t, err)
	same(t, "brought back", []any{back.Version, back.Names()}, []any{int64(4), []string{"pin", "theme"}})
}
