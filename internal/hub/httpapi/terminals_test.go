package httpapi_test

import (
	"fmt"
	"strings"
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

// The serial of a list stays while only others are busy, and what changes after the list is in the stream.
func TestSerialsOfOthers(t *testing.T) {
	h := newHub(t)
	other, err := h.fleet.MakeTenant(t.Context(), h.admin, "Outro")
	must(t, err)
	shop, err := h.fleet.MakeShop(t.Context(), h.admin, other.ID, "Loja")
	must(t, err)
	mine, quiet, theirs := h.join(t, h.founded.Shop.ID, nil), h.join(t, h.founded.Shop.ID, nil), h.join(t, shop.ID, nil)
	mine.stop() // and tells nothing more by itself
	quiet.stop()
	bearer := h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: h.founded.Tenant.Place, Role: fleet.Reads}})
	serial := func(query string) string {
		t.Helper()
		return fmt.Sprintf("%.0f", h.call(t, "GET", "/api/v1/terminals"+query, "", "Authorization", bearer).json(t)["serial"])
	}
	queries := []string{"", "?shop=" + h.founded.Shop.ID, "?state=busy&search=none", "?id=" + mine.id + "&id=" + theirs.id, "?id=" + theirs.id, "?limit=0"}
	before := map[string]string{}
	for _, query := range queries {
		before[query] = serial(query)
	}
	counted := h.board.Serial()
	h.board.Changed(theirs.id)
	if h.board.Serial() == counted {
		t.Fatal("nothing has happened at others")
	}
	for _, query := range queries {
		if now := serial(query); now != before[query] {
			t.Errorf("%s: %s, then %s", query, before[query], now)
		}
	}

	since := serial("")
	h.board.Changed(mine.id)
	h.board.Changed(theirs.id)
	if serial("") == since {
		t.Error("a change of its own is not in the serial")
	}
	lines := h.stream(t, "/api/v1/events?since="+since, "Authorization", bearer)
	var told []string
	for lines.Scan() && (len(told) == 0 || told[len(told)-1] != "event: serial") {
		told = append(told, lines.Text())
	}
	if all := strings.Join(told, "\n"); !strings.Contains(all, mine.id) || strings.Contains(all, quiet.id) || strings.Contains(all, theirs.id) {
		t.Errorf("since the list: %s", all)
	}
	if shown := strings.TrimPrefix(lines.Text(), "data: "); shown != serial("") {
		t.Errorf("the stream is at %s, the list at %s", shown, serial(""))
	}
}
