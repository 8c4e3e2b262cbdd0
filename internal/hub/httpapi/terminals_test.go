package httpapi_test

import (
	"testing"

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
