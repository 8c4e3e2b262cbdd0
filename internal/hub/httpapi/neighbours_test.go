//go:build !race || everything

package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
)

// What is another customer's does not exist, whoever asks and for whatever: each answer is to the letter that for what there is nothing of.
func TestNobodySeesAnothers(t *testing.T) {
	h := newHub(t)
	of := h.hide(t)
	callers := h.neighbours(t)
	all := probes(t, of)
	if len(all) < 100 {
		t.Fatalf("only %d requests", len(all))
	}
	for _, who := range slices.Sorted(maps.Keys(callers)) {
		for _, p := range all {
			got := h.call(t, p.method, p.path, p.body, callers[who]...)
			none := p.unknown(of)
			want := h.call(t, none.method, none.path, none.body, callers[who]...)
			told := fmt.Sprintf("%s: %s %s %s", who, p.method, p.path, p.body)
			if got.status != want.status || usedAt.ReplaceAllString(got.body, "") != usedAt.ReplaceAllString(want.body, "") || !sameHeaders(got.header, want.header) {
				t.Errorf("%s:\n%d %s %v\nfor what is not there:\n%d %s %v", told, got.status, got.body, got.header, want.status, want.body, want.header)
			}
			if strings.Contains(p.path, of.terminal.id+"/") && got.status != http.StatusNotFound {
				t.Errorf("%s: %d %s, want 404", told, got.status, got.body)
			}
			for _, secret := range []string{mark, of.terminal.id, of.tenant, of.shop, of.key, of.person, of.operation, of.hook} {
				if strings.Contains(got.body, secret) {
					t.Errorf("%s tells %q: %s", told, secret, got.body)
				}
			}
		}
	}
	if a := h.call(t, "GET", "/api/v1/terminals/"+of.terminal.id, ""); a.status != 200 || a.json(t)["name"] != mark {
		t.Errorf("somebody has changed it: %d %s", a.status, a.body)
	}
}

// usedAt is of the very key that asks.
var usedAt = regexp.MustCompile(`"lastUsedAt":("[^"]*"|null)`)

func sameHeaders(a, b http.Header) bool {
	a, b = a.Clone(), b.Clone()
	for _, h := range []http.Header{a, b} {
		h.Del("Date")
		if strings.HasPrefix(h.Get("Content-Type"), "application/json") {
			h.Del("Content-Length") // the bodies are compared
		}
	}
	return maps.EqualFunc(a, b, slices.Equal[[]string])
}

// neighbours are keys and people of another customer in every role, as headers.
func (h *hub) neighbours(t *testing.T) map[string][]string {
	t.Helper()
	tenant, err := h.fleet.MakeTenant(t.Context(), h.admin, "Outro")
	must(t, err)
	shop, err := h.fleet.MakeShop(t.Context(), h.admin, tenant.ID, "Outra")
	must(t, err)
	all := map[string][]string{}
	for _, role := range []fleet.Role{fleet.Reads, fleet.Operates, fleet.Administers} {
		for of, place := range map[string]fleet.Place{"tenant": tenant.Place, "shop": shop.Place} {
			scope := fleet.Scope{Place: place, Role: role}
			name := fmt.Sprintf("%s of a %s", role, of)
			all["a key that "+name] = []string{"Authorization", h.key(t, fleet.Wanted{Scope: scope})}
			_, password, err := h.fleet.MakePerson(t.Context(), h.admin, fleet.Wanted{Name: name, Scope: scope})
			must(t, err)
			s, err := h.fleet.SignIn(t.Context(), "127.0.0.1:1", name, password, "")
			must(t, err)
			all["a person who "+name] = []string{"Authorization", "", "Cookie", "__Host-maquininha-hub=" + s.Token}
		}
	}
	return all
}

// unknown is the same request for what there is nothing of. The ids are as long.
func (p probe) unknown(of hidden) probe {
	ids := []string{of.terminal.id, of.tenant, of.shop, of.key, of.person, of.operation, of.hook, hubtest.Epoch(of.terminal.id)}
	var pairs []string
	for _, id := range ids {
		pairs = append(pairs, id, strings.Repeat("z", len(id)))
	}
	none := strings.NewReplacer(append(pairs, mark, strings.Repeat("z", len(mark)))...)
	return probe{p.method, none.Replace(p.path), none.Replace(p.body)}
}
