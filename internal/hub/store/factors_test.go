package store_test

import (
	"crypto/sha256"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/totp"
)

func testFactors(t *testing.T, h *hub) {
	f := h.found(t)
	admin := f.Person.Actor()
	const password = "uma senha"
	bia, _, err := h.fleet.MakePerson(t.Context(), admin, fleet.Wanted{Name: "bia", Password: password, Scope: fleet.Scope{Place: f.Shop.Place, Role: fleet.Reads}})
	ok(t, err)
	signIn := func(code string) error {
		_, err := h.fleet.SignIn(t.Context(), "127.0.0.1:1", "bia", password, code)
		return err
	}
	secret := totp.NewSecret()
	// Codes of this period and of the next are good, also when a period ends meanwhile.
	first, second := secret.Code(time.Now()), secret.Code(time.Now().Add(30*time.Second))
	set := func(a fleet.Actor, secret, code, current string) error {
		return h.fleet.SetFactor(t.Context(), a, bia.ID, secret, code, current)
	}
	is(t, set(bia.Actor(), "AAAA", first, ""), fleet.ErrBadFactor)
	is(t, set(bia.Actor(), secret.String(), "000", ""), fleet.ErrBadFactor)
	is(t, set(admin, secret.String(), first, ""), fleet.ErrForbidden)
	is(t, h.fleet.DropFactor(t.Context(), admin, bia.ID, ""), fleet.ErrNotFound)
	s, err := h.fleet.SignIn(t.Context(), "127.0.0.1:1", "bia", password, "")
	ok(t, err)
	ok(t, set(bia.Actor(), secret.String(), first, ""))
	_, err = h.fleet.Session(t.Context(), s.Token)
	is(t, err, fleet.ErrNotFound)

	is(t, signIn(""), fleet.ErrNeedsFactor)
	is(t, signIn(first), fleet.ErrWrongFactor) // taken when it was set
	_, err = h.fleet.SignIn(t.Context(), "127.0.0.1:1", "bia", "wrong", second)
	is(t, err, fleet.ErrNotFound)
	h.reopen(t)
	ok(t, signIn(second))
	is(t, signIn(second), fleet.ErrWrongFactor)

	other := totp.NewSecret()
	is(t, set(bia.Actor(), other.String(), other.Code(time.Now()), ""), fleet.ErrNeedsFactor)
	is(t, set(bia.Actor(), other.String(), other.Code(time.Now()), second), fleet.ErrWrongFactor)
	is(t, h.fleet.DropFactor(t.Context(), bia.Actor(), bia.ID, ""), fleet.ErrNeedsFactor)
	// Ten wrong ones at all hubs together, however many come at once; those above are three.
	hubs := []*fleet.Desk{h.fleet, fleet.NewDesk(h.store.Fleet(), hubSecret), fleet.NewDesk(h.store.Fleet(), hubSecret)}
	looked := atOnce(15, func(n int) error {
		_, err := hubs[n%3].SignIn(t.Context(), "127.0.0.1:1", "bia", password, "00000")
		return err
	})
	is(t, errors.Join(looked...), fleet.ErrTooManyCodes)
	looked = slices.DeleteFunc(looked, func(err error) bool { return errors.Is(err, fleet.ErrTooManyCodes) })
	same(t, "codes that were looked at", len(looked), 7)
	is(t, errors.Join(looked...), fleet.ErrWrongFactor)
	h.reopen(t)
	is(t, signIn("00000"), fleet.ErrTooManyCodes)
	// Some minutes later.
	now := fleet.Now().Add(time.Hour)
	ok(t, h.store.Fleet().TryFactor(t.Context(), bia.ID, now, now.Add(-time.Minute), 1))
	is(t, h.store.Fleet().TryFactor(t.Context(), bia.ID, now, now.Add(-time.Minute), 1), fleet.ErrNotFound)

	ok(t, h.fleet.DropFactor(t.Context(), admin, bia.ID, ""))
	ok(t, signIn(""))
	changes, err := h.fleet.Audit(t.Context(), admin, fleet.AuditFilter{Target: bia.ID})
	ok(t, err)
	same(t, "lines of the audit log", len(changes), 3)

	stolen := fleet.NewDesk(h.store.Fleet(), []byte("the secret of another hub"))
	ok(t, set(bia.Actor(), other.String(), other.Code(time.Now()), ""))
	_, err = stolen.SignIn(t.Context(), "127.0.0.1:1", "bia", password, other.Code(time.Now()))
	is(t, err, fleet.ErrOtherSecret)
}

func testKeyLives(t *testing.T, h *hub) {
	f := h.found(t)
	a := f.Person.Actor()
	wanted := fleet.Wanted{Name: "PDV", Scope: fleet.Scope{Place: f.Shop.Place, Role: fleet.Reads}, ExpiresAt: time.Now().Add(-time.Second)}
	_, _, err := h.fleet.MakeKey(t.Context(), a, wanted)
	is(t, err, fleet.ErrBadEnd)
	wanted.ExpiresAt = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	_, _, err = h.fleet.MakeKey(t.Context(), a, wanted)
	is(t, err, fleet.ErrBadEnd)
	wanted.ExpiresAt = time.Now().Add(time.Hour)
	made, secret, err := h.fleet.MakeKey(t.Context(), a, wanted)
	ok(t, err)
	find := func() (found fleet.Key) {
		t.Helper()
		all, err := h.fleet.Keys(t.Context(), a)
		ok(t, err)
		for _, k := range all {
			if k.ID == made.ID {
				found = k
			}
		}
		return found
	}
	same(t, "a new key", find(), made)
	began := time.Now().Add(-time.Microsecond)
	_, err = h.fleet.CheckToken(t.Context(), secret)
	ok(t, err)
	used := find().UsedAt
	same(t, "used just now, before it is written", used.After(began), true)
	ok(t, h.fleet.WriteUses(t.Context()))
	h.reopen(t)
	same(t, "written", find().UsedAt, used)
	ok(t, h.store.Fleet().KeysUsed(t.Context(), map[string]time.Time{made.ID: used.Add(-time.Hour), "unknown": used}))
	same(t, "another hub's earlier use", find().UsedAt, used)

	ended := made
	hash := sha256.Sum256([]byte("its secret"))
	ended.ID, ended.Hash, ended.ExpiresAt = "ended", hash[:], time.Now().Add(-time.Second)
	ok(t, h.store.Fleet().AddKey(t.Context(), ended, fleet.Change{Place: f.Shop.Place, At: time.Now()}))
	_, err = h.fleet.CheckKey(t.Context(), "ended", "its secret")
	is(t, err, fleet.ErrNotFound)
}
