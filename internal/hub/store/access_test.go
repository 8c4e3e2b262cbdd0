package store_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

func testKeys(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	k, secret, err := h.fleet.MakeKey(t.Context(), a, fleet.Wanted{Name: "PDV", Scope: fleet.Scope{Place: f.Shop.Place, Role: fleet.Operates}, NeedsReferences: true})
	ok(t, err)
	for name, check := range map[string]func() (fleet.Key, error){
		"pair":  func() (fleet.Key, error) { return h.fleet.CheckKey(t.Context(), k.ID, secret) },
		"token": func() (fleet.Key, error) { return h.fleet.CheckToken(t.Context(), secret) },
	} {
		got, err := check()
		ok(t, err)
		same(t, name, got, k)
	}
	for _, pair := range [][2]string{{k.ID, f.Secret}, {f.Key.ID, secret}, {"", secret}, {k.ID, ""}, {"\x00", "\xff"}} {
		_, err := h.fleet.CheckKey(t.Context(), pair[0], pair[1])
		is(t, err, fleet.ErrNotFound)
	}
	_, err = h.fleet.CheckToken(t.Context(), "")
	is(t, err, fleet.ErrNotFound)
	keys, err := h.fleet.Keys(t.Context(), a)
	ok(t, err)
	same(t, "keys", len(keys), 2)

	ok(t, h.fleet.RevokeKey(t.Context(), a, k.ID))
	_, err = h.fleet.CheckKey(t.Context(), k.ID, secret)
	is(t, err, fleet.ErrNotFound)
	_, err = h.fleet.CheckToken(t.Context(), secret)
	is(t, err, fleet.ErrNotFound)
}

// What is outside of a scope does not exist for it; what is inside, and above a role, is forbidden.
func testScopes(t *testing.T, h *hub) {
	f := h.found(t)
	root := f.Person.Actor()
	tenant, err := h.fleet.MakeTenant(t.Context(), root, "Farmácia")
	ok(t, err)
	shop, err := h.fleet.MakeShop(t.Context(), root, tenant.ID, "Centro")
	ok(t, err)
	foreign := h.join(t, root, shop.ID, "da farmácia")
	own := h.join(t, root, f.Shop.ID, "da padaria")
	someone := func(p fleet.Place, r fleet.Role) fleet.Actor {
		return fleet.Actor{ID: "x", Name: "x", Scope: fleet.Scope{Place: p, Role: r}}
	}
	baker, clerk, stranger := someone(f.Tenant.Place, fleet.Administers), someone(f.Shop.Place, fleet.Operates), someone(fleet.Place{Account: "other"}, fleet.Administers)
	key := func(a fleet.Actor, p fleet.Place, r fleet.Role) error {
		_, _, err := h.fleet.MakeKey(t.Context(), a, fleet.Wanted{Name: "k", Scope: fleet.Scope{Place: p, Role: r}})
		return err
	}
	code := func(a fleet.Actor, shop string) error {
		_, _, err := h.fleet.MakeCode(t.Context(), a, shop, "")
		return err
	}
	look := func(a fleet.Actor, id string) error {
		_, err := h.fleet.Terminal(t.Context(), a.Scope, id)
		return err
	}
	makeTenant := func(a fleet.Actor) error {
		_, err := h.fleet.MakeTenant(t.Context(), a, "Mercado")
		return err
	}
	for name, c := range map[string]struct{ got, want error }{
		"own terminal":                       {look(baker, own.ID), nil},
		"the shop's clerk":                   {look(clerk, own.ID), nil},
		"another tenant's terminal":          {look(baker, foreign.ID), fleet.ErrNotFound},
		"another account's terminal":         {look(stranger, own.ID), fleet.ErrNotFound},
		"revoking another tenant's":          {h.fleet.RevokeTerminal(t.Context(), baker, foreign.ID), fleet.ErrNotFound},
		"revoking as a clerk":                {h.fleet.RevokeTerminal(t.Context(), clerk, own.ID), fleet.ErrForbidden},
		"renaming another tenant's":          {h.fleet.RenameTerminal(t.Context(), baker, foreign.ID, "x"), fleet.ErrNotFound},
		"moving to another tenant's shop":    {h.fleet.MoveTerminal(t.Context(), baker, own.ID, shop.ID), fleet.ErrNotFound},
		"moving another tenant's":            {h.fleet.MoveTerminal(t.Context(), baker, foreign.ID, f.Shop.ID), fleet.ErrNotFound},
		"moving as a clerk":                  {h.fleet.MoveTerminal(t.Context(), clerk, own.ID, f.Shop.ID), fleet.ErrForbidden},
		"a code for another tenant's shop":   {code(baker, shop.ID), fleet.ErrNotFound},
		"a code for the own":                 {code(baker, f.Shop.ID), nil},
		"a code as a clerk":                  {code(clerk, f.Shop.ID), fleet.ErrForbidden},
		"a tenant by a tenant's person":      {makeTenant(baker), fleet.ErrNotFound},
		"a key for another tenant":           {key(baker, tenant.Place, fleet.Reads), fleet.ErrNotFound},
		"a key for the whole account":        {key(baker, fleet.Place{}, fleet.Reads), fleet.ErrNotFound},
		"a key for a shop that is not there": {key(baker, fleet.Place{Tenant: f.Tenant.ID, Shop: "x"}, fleet.Reads), fleet.ErrNotFound},
		"a key for a tenant's foreign shop":  {key(root, fleet.Place{Tenant: f.Tenant.ID, Shop: shop.ID}, fleet.Reads), fleet.ErrNotFound},
		"a key of no role":                   {key(baker, f.Shop.Place, "king"), fleet.ErrBadRole},
		"a key by a clerk":                   {key(clerk, f.Shop.Place, fleet.Reads), fleet.ErrForbidden},
		"the root's key, revoked by another": {h.fleet.RevokeKey(t.Context(), baker, f.Key.ID), fleet.ErrNotFound},
		"the root, revoked by another":       {h.fleet.RevokePerson(t.Context(), baker, f.Person.ID), fleet.ErrNotFound},
	} {
		t.Log(name)
		is(t, c.got, c.want)
	}
	_, total, err := h.fleet.Terminals(t.Context(), baker.Scope, fleet.TerminalFilter{})
	ok(t, err)
	same(t, "terminals of a tenant", total, 1)
	_, total, err = h.fleet.Terminals(t.Context(), stranger.Scope, fleet.TerminalFilter{})
	ok(t, err)
	same(t, "terminals of another account", total, 0)
	changes, err := h.fleet.Audit(t.Context(), stranger, fleet.AuditFilter{})
	ok(t, err)
	same(t, "another account's audit log", len(changes), 0)
}

func testPeople(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	s, err := h.fleet.SignIn(t.Context(), "127.0.0.1:1", " ANA ", f.Password, "")
	ok(t, err)
	got, err := h.fleet.Session(t.Context(), s.Token)
	ok(t, err)
	same(t, "the session", got, s)
	same(t, "the person", got.Person, f.Person)
	for _, pair := range [][2]string{{"ana", "wrong"}, {"bia", f.Password}, {"", ""}, {"\x00", f.Password}} {
		_, err := h.fleet.SignIn(t.Context(), "127.0.0.1:1", pair[0], pair[1], "")
		is(t, err, fleet.ErrNotFound)
	}
	ok(t, h.fleet.SignOut(t.Context(), s.Token))
	_, err = h.fleet.Session(t.Context(), s.Token)
	is(t, err, fleet.ErrNotFound)

	clerk := fleet.Wanted{Name: "Bia", Password: "uma senha", Scope: fleet.Scope{Place: f.Shop.Place, Role: fleet.Reads}}
	bia, _, err := h.fleet.MakePerson(t.Context(), a, clerk)
	ok(t, err)
	_, _, err = h.fleet.MakePerson(t.Context(), a, clerk)
	is(t, err, fleet.ErrTaken)
	short := clerk
	short.Name, short.Password = "Caio", "1234567"
	_, _, err = h.fleet.MakePerson(t.Context(), a, short)
	is(t, err, fleet.ErrBadPassword)

	s, err = h.fleet.SignIn(t.Context(), "127.0.0.1:1", "bia", "uma senha", "")
	ok(t, err)
	_, err = h.fleet.SetPassword(t.Context(), bia.Actor(), f.Person.ID, "somebody else's", "")
	is(t, err, fleet.ErrNotFound)
	_, err = h.fleet.SetPassword(t.Context(), bia.Actor(), bia.ID, "outra senha", "errada")
	is(t, err, fleet.ErrWrongPassword)
	_, err = h.fleet.SetPassword(t.Context(), bia.Actor(), bia.ID, "outra senha", "uma senha")
	ok(t, err)
	_, err = h.fleet.Session(t.Context(), s.Token)
	is(t, err, fleet.ErrNotFound)
	s, err = h.fleet.SignIn(t.Context(), "127.0.0.1:1", "bia", "outra senha", "")
	ok(t, err)

	ok(t, h.fleet.RevokePerson(t.Context(), a, bia.ID))
	_, err = h.fleet.Session(t.Context(), s.Token)
	is(t, err, fleet.ErrNotFound)
	_, err = h.fleet.SignIn(t.Context(), "127.0.0.1:1", "bia", "outra senha", "")
	is(t, err, fleet.ErrNotFound)
	_, err = h.fleet.SetPassword(t.Context(), a, bia.ID, "nova senha", "")
	is(t, err, fleet.ErrNotFound)
	_, _, err = h.fleet.MakePerson(t.Context(), a, clerk) // the name is free again
	ok(t, err)
	people, err := h.fleet.People(t.Context(), a)
	ok(t, err)
	same(t, "people", len(people), 3)
}
