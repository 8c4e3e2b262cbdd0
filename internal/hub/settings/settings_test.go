package settings

import (
	"maps"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// The narrower set wins, name by name; what is decided has another mark for every version that it is made of, and for no other.
func TestWhatIsDecided(t *testing.T) {
	t.Parallel()
	m := fleet.Terminal{ID: "m", Place: fleet.Place{Account: "a", Tenant: "t", Shop: "s"}}
	account := Set{ID: "a", Version: 1, Values: map[string]string{"name": "conta", "locale": "pt-BR", "theme": "light"}, Secrets: map[string][]byte{"pin": []byte("1")}}
	tenant := Set{ID: "t", Version: 1, Values: map[string]string{"name": "cliente", "theme": "dark"}}
	shop := Set{ID: "s", Version: 3, Values: map[string]string{"name": "loja"}, Secrets: map[string][]byte{"pin": []byte("2")}}
	own := Set{ID: "m", Version: 2, Values: map[string]string{"name": "caixa"}}
	elsewhere := Set{ID: "other", Version: 1, Values: map[string]string{"name": "outra"}}
	if e := newest([]Set{elsewhere}).Of(m); e.Mark != "" || len(e.Values) != 0 || e.StateOf(Report{Mark: "x"}) != None {
		t.Errorf("of others' sets: %+v", e)
	}
	marks := map[string]bool{}
	for _, c := range []struct {
		sets []Set
		name string
		pin  string
	}{
		{[]Set{account}, "conta", "1"},
		{[]Set{account, tenant}, "cliente", "1"},
		{[]Set{tenant}, "cliente", ""},
		{[]Set{account, tenant, shop}, "loja", "2"},
		{[]Set{account, tenant, shop, own}, "caixa", "2"},
	} {
		n := newest(c.sets)
		e := n.Of(m)
		if e.Values["name"] != c.name || string(e.secrets["pin"].text) != c.pin || len(e.Layers) != len(c.sets) || marks[e.Mark] {
			t.Errorf("%d sets: %+v", len(c.sets), e)
		}
		marks[e.Mark] = true
		with := newest(append([]Set{elsewhere}, c.sets...))
		if with.Of(m).Mark != e.Mark || with.Same(n) || !n.Same(newest(c.sets)) {
			t.Errorf("%d sets: another's counts", len(c.sets))
		}
	}
	whole := newest([]Set{account, tenant, shop, own}).Of(m)
	if want := map[string]string{"name": "caixa", "locale": "pt-BR", "theme": "dark"}; !maps.Equal(whole.Values, want) {
		t.Errorf("in all: %v", whole.Values)
	}
	if whole.secrets["pin"].owner != shop.owner("pin") {
		t.Errorf("sealed for %s", whole.secrets["pin"].owner)
	}
	// A hub that was set back gives a number again.
	again := shop
	again.Values = map[string]string{"name": "outra loja"}
	if newest([]Set{again}).Of(m).Mark == newest([]Set{shop}).Of(m).Mark {
		t.Error("two versions of one number have the same mark")
	}
	resealed := shop
	resealed.Secrets = map[string][]byte{"pin": []byte("3")}
	if newest([]Set{resealed}).Of(m).Mark == newest([]Set{shop}).Of(m).Mark {
		t.Error("another secret has the same mark")
	}
	for want, r := range map[State]Report{
		Pending: {}, Taken: {Mark: whole.Mark}, Refused: {Mark: whole.Mark, Refused: map[string]string{"name": "x"}},
	} {
		if got := whole.StateOf(r); got != want {
			t.Errorf("%+v is %s, want %s", r, got, want)
		}
	}
	if got := whole.StateOf(Report{Mark: "older", Refused: map[string]string{"name": "x"}}); got != Pending {
		t.Errorf("of an older set: %s", got)
	}
}

// A set belongs to the narrowest that it names.
func TestWhatASetIsFor(t *testing.T) {
	t.Parallel()
	for want, w := range map[string]Wanted{
		"a": {Place: fleet.Place{Account: "a"}}, "t": {Place: fleet.Place{Account: "a", Tenant: "t"}}, "s": {Place: fleet.Place{Account: "a", Tenant: "t", Shop: "s"}},
		"m": {Place: fleet.Place{Account: "a", Tenant: "t", Shop: "s"}, Terminal: "m"},
	} {
		if got := w.id(); got != want {
			t.Errorf("%+v is for %s", w, got)
		}
	}
}
