package httpapi_test

import (
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// Who may not change a terminal hears that, and not what is wrong with the change; to whom it does not exist, it does not whatever they send.
func TestRefusedWhateverTheBody(t *testing.T) {
	h := newHub(t)
	x := h.join(t, "", nil)
	other, err := h.fleet.MakeTenant(t.Context(), h.admin, "Outro")
	must(t, err)
	key := func(tenant string, role fleet.Role) string {
		return h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: fleet.Place{Account: h.founded.Account.ID, Tenant: tenant}, Role: role}})
	}
	for bearer, want := range map[string]int{
		key(h.founded.Tenant.ID, fleet.Reads): 403, key(other.ID, fleet.Reads): 404, key(other.ID, fleet.Administers): 404, key(h.founded.Tenant.ID, fleet.Administers): 400,
	} {
		for _, body := range []string{"", `{}`, `{"name":""}`, `{"name":1}`, `{"name":"","shop":""}`, `[`} {
			if a := h.call(t, "PATCH", "/api/v1/terminals/"+x.id, body, "Authorization", bearer); a.status != want {
				t.Errorf("%s: %d %s, want %d", body, a.status, a.body, want)
			}
		}
		if a := h.call(t, "PATCH", "/api/v1/terminals/"+x.id, `{"shop":"unknown"}`, "Authorization", bearer); a.status != want && want != 400 {
			t.Errorf("another shop: %d %s, want %d", a.status, a.body, want)
		}
	}
}

// When a terminal was seen last is not put back by its going away.
func TestSeenUntilItWentAway(t *testing.T) {
	h := newHub(t)
	for what, end := range map[string]func(*terminal){
		"one that went": func(x *terminal) { x.stop() },
		"one that was revoked": func(x *terminal) {
			if a := h.call(t, "DELETE", "/api/v1/terminals/"+x.id, ""); a.status != 204 {
				t.Errorf("revoking: %d %s", a.status, a.body)
			}
		},
	} {
		x := h.join(t, "", nil)
		at := func(name string) time.Time {
			t.Helper()
			shown, _ := h.call(t, "GET", "/api/v1/terminals/"+x.id, "").json(t)[name].(string)
			moment, err := time.Parse(time.RFC3339, shown)
			must(t, err)
			return moment
		}
		here := at("seenAt")
		end(x)
		if seen, since := at("seenAt"), at("since"); seen.Before(here) || seen.Before(since) {
			t.Errorf("%s: seen at %v, then at %v; it went at %v", what, here, seen, since)
		}
		if list := h.call(t, "GET", "/api/v1/terminals?search="+x.id+"&seenBefore="+here.UTC().Format("2006-01-02T15:04:05.000Z"), "").json(t); list["total"] != 0.0 {
			t.Errorf("%s: not seen since it was: %v", what, list)
		}
	}
}
