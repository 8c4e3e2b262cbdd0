package httpapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/waittest"
)

// standing is what the hub says of a terminal and its settings.
type standing struct {
	ID, State string
	Wanted    []struct {
		Of      string
		Version int
	}
	Has     []struct{ Version int }
	Refused map[string]string
	Trouble *string
}

func (h *hub) standing(t *testing.T, terminal string) (found standing) {
	t.Helper()
	var all struct{ Terminals []standing }
	a := h.call(t, "GET", "/api/v1/settings/terminals", "")
	must(t, json.Unmarshal([]byte(a.body), &all))
	for _, one := range all.Terminals {
		if one.ID == terminal {
			return one
		}
	}
	t.Fatalf("%s is not in %s", terminal, a.body)
	return found
}

func (h *hub) becomes(t *testing.T, terminal, state, trouble string) standing {
	t.Helper()
	waittest.Until(t, "the terminal's settings are "+state+" "+trouble, func() bool {
		s := h.standing(t, terminal)
		return s.State == state && (trouble == "" && s.Trouble == nil || s.Trouble != nil && trouble != "" && strings.Contains(*s.Trouble, trouble))
	})
	return h.standing(t, terminal)
}

// From a set that somebody makes to what terminals say of it: one that knows nothing of settings, one that is busy, one that refuses a value;
// and back to the version before in one step.
func TestSettingsReachTerminals(t *testing.T) {
	h := newHub(t)
	x := h.join(t, h.founded.Shop.ID, http.NotFound)
	is(t, "without a set", h.standing(t, x.id).State, "none")
	made := h.call(t, "POST", "/api/v1/settings", `{"values":{"locale":"es","name":"Casa","pin":"4711"},"comment":"primeira","base":0}`)
	is(t, "the status", made.status, 201)
	if strings.Contains(made.body, "4711") || !strings.Contains(made.body, `"pin":null`) {
		t.Errorf("the answer says %s", made.body)
	}
	h.becomes(t, x.id, "pending", "atualize-o")
	x.stop()

	y := h.join(t, h.founded.Shop.ID, http.NotFound)
	y.TakeSettings(true, nil)
	// It may have been asked before it knew of settings: a new version is one to ask for anew.
	h.call(t, "POST", "/api/v1/settings", `{"values":{"locale":"es","name":"Casa","pin":null}}`)
	h.becomes(t, y.id, "pending", "operação em andamento")
	if values, sets := y.Settings(); sets != 0 {
		t.Errorf("a busy terminal took %v", values)
	}
	y.TakeSettings(false, map[string]string{"locale": "Definido na partida do serviço"})
	s := h.becomes(t, y.id, "refused", "")
	is(t, "the reason", s.Refused["locale"], "Definido na partida do serviço")
	is(t, "the version it has", s.Has[0].Version, 2)
	values, _ := y.Settings()
	is(t, "the secret", values["pin"], "4711")
	is(t, "the name", values["name"], "Casa")

	// A narrower set wins, and is taken back.
	shop := h.founded.Shop.ID
	y.TakeSettings(false, nil)
	has := func(name, want string) {
		t.Helper()
		waittest.Until(t, "the terminal has "+name+"="+want, func() bool {
			values, _ := y.Settings()
			return values[name] == want && h.standing(t, y.id).State == "taken"
		})
	}
	for i, name := range []string{"Centro", "Centro 2"} {
		a := h.call(t, "POST", "/api/v1/settings", fmt.Sprintf(`{"shop":%q,"values":{"name":%q,"password":"segredo-da-loja"},"base":%d}`, shop, name, i))
		is(t, a.body, a.status, 201)
		has("name", name)
	}
	values, sets := y.Settings()
	is(t, "of the wider set", values["pin"], "4711")
	is(t, "of the narrower set", values["password"], "segredo-da-loja")
	is(t, "layers", fmt.Sprint(h.standing(t, y.id).Wanted), "[{account 2} {shop 2}]")
	a := h.call(t, "POST", "/api/v1/settings/"+shop+"/back", ``)
	is(t, "back", a.json(t)["version"], float64(3))
	has("name", "Centro")
	is(t, "after the whole way", h.call(t, "POST", "/api/v1/settings", fmt.Sprintf(`{"shop":%q,"values":{"name":"x"},"base":2}`, shop)).status, 409)

	// A link that is new is asked, and sent nothing that it has.
	before, asked := sets+1, y.SettingsAsked()
	link, _ := h.board.Find(y.id)
	link.Close() //nolint:errcheck // the terminal dials again
	waittest.Until(t, "the terminal is back", func() bool { next, on := h.board.Find(y.id); return on && next != link && y.SettingsAsked() > asked })
	h.call(t, "POST", "/api/v1/settings", fmt.Sprintf(`{"terminal":%q,"values":{"theme":"dark"}}`, y.id))
	has("theme", "dark")
	if _, sets := y.Settings(); sets != before+1 {
		t.Errorf("%d sets were sent, want %d", sets, before+1)
	}
	is(t, "a revoked terminal", h.call(t, "DELETE", "/api/v1/terminals/"+y.id, "").status, 204)
	is(t, "settings for it", h.call(t, "POST", "/api/v1/settings", fmt.Sprintf(`{"terminal":%q,"values":{}}`, y.id)).status, 409)
}

// Only who administers may see or change what the hub decides, and nobody reaches a terminal's side of it through the hub.
func TestSettingsAreTheHubs(t *testing.T) {
	h := newHub(t)
	asked := make(chan string, 100)
	x := h.join(t, h.founded.Shop.ID, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		asked <- r.URL.Path + string(text)
	})
	h.call(t, "POST", "/api/v1/settings", fmt.Sprintf(`{"shop":%q,"values":{}}`, h.founded.Shop.ID))
	operates := h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: h.founded.Account.Place, Role: fleet.Operates}})
	for _, c := range [][3]string{
		{"GET", "/api/v1/settings"},
		{"POST", "/api/v1/settings", `{"values":{}}`},
		{"GET", "/api/v1/settings/terminals"},
		{"GET", "/api/v1/settings/" + h.founded.Shop.ID + "/versions"},
		{"POST", "/api/v1/settings/" + h.founded.Shop.ID + "/back", `{}`},
	} {
		is(t, c[0]+" "+c[1], h.call(t, c[0], c[1], c[2], "Authorization", operates).status, 403)
	}
	for body, want := range map[string]int{
		`{}`: 400, `{"values":{"sabor":"doce"}}`: 400, `{"values":{"pin":null}}`: 400, `{"values":{"name":"a\nb"}}`: 400, `{"values":{"name":1}}`: 400,
		`{"values":{},"terminal":"x"}`: 404, `{"values":{},"shop":"x"}`: 404,
	} {
		is(t, body, h.call(t, "POST", "/api/v1/settings", body).status, want)
	}
	if a := h.call(t, "POST", "/api/v1/settings", `{"values":{"name":"x","volume":999}}`); !strings.Contains(a.body, "values.volume deve ser um texto") {
		t.Errorf("a number: %s", a.body)
	}
	is(t, "no set", h.call(t, "GET", "/api/v1/settings/"+h.founded.Tenant.ID+"/versions", "").status, 404)
	is(t, "the versions", strings.Count(h.call(t, "GET", "/api/v1/settings/"+h.founded.Shop.ID+"/versions?limit=10", "").body, `"version"`), 1)
	for _, path := range []string{"/hub/settings", "/hub%2Fsettings", "/%68ub/settings", "/hub%2fsettings"} {
		a := h.call(t, "PUT", "/terminals/"+x.id+path, `{"mark":"x","values":{}}`)
		is(t, path, a.status, 404)
	}
	for len(asked) > 0 {
		if said := <-asked; strings.Contains(said, `"mark":"x"`) {
			t.Errorf("the terminal was asked %s", said)
		}
	}
}
