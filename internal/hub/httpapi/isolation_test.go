package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/docpage/docpagetest"
	terminaldoc "github.com/maquininha/maquininha/internal/httpapi/apidoc"
	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/httpapi"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// hidden is a customer with one of everything, none of which anybody else may learn of.
type hidden struct {
	terminal                                   *terminal
	tenant, shop, key, person, operation, hook string
}

// mark is in every name and text of the hidden customer.
const mark = "segredo-do-vizinho"

func (h *hub) hide(t *testing.T) hidden {
	t.Helper()
	tenant, err := h.fleet.MakeTenant(t.Context(), h.admin, mark)
	must(t, err)
	shop, err := h.fleet.MakeShop(t.Context(), h.admin, tenant.ID, mark)
	must(t, err)
	key, _, err := h.fleet.MakeKey(t.Context(), h.admin, fleet.Wanted{Name: mark, Scope: fleet.Scope{Place: shop.Place, Role: fleet.Administers}})
	must(t, err)
	person, _, err := h.fleet.MakePerson(t.Context(), h.admin, fleet.Wanted{Name: mark, Scope: fleet.Scope{Place: shop.Place, Role: fleet.Administers}})
	must(t, err)
	hook, _, err := h.webhooks.Make(t.Context(), h.admin, webhooks.Wanted{Place: shop.Place, Name: mark, URL: "https://" + mark + ".example/"})
	must(t, err)
	value := mark
	_, err = h.settings.Make(t.Context(), h.admin, settings.Wanted{Place: shop.Place, Values: map[string]*string{"name": &value}, Comment: mark})
	must(t, err)
	x := h.join(t, shop.ID, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }) //nolint:errcheck // a test
	must(t, h.fleet.RenameTerminal(t.Context(), h.admin, x.id, mark))
	x.change(func() {
		x.steps = []tunnel.Step{step(1, 1, mark, "approved", "10.00")}
		x.entries = []tunnel.LogEntry{entry(1, mark), entry(3, mark)} // and a gap
	})
	op := h.call(t, "POST", "/terminals/"+x.id+"/ask", `{}`, "Prefer", "respond-async")
	if op.status != 202 {
		t.Fatalf("an operation: %d %s", op.status, op.body)
	}
	waittest.Until(t, "the records are read", func() bool {
		return strings.Contains(h.call(t, "GET", "/api/v1/transactions", "").body, mark) && strings.Contains(h.call(t, "GET", "/api/v1/gaps", "").body, x.id)
	})
	return hidden{terminal: x, hook: hook.ID, tenant: tenant.ID, shop: shop.ID, key: key.ID, person: person.ID, operation: op.header.Get("Location")[strings.LastIndex(op.header.Get("Location"), "/")+1:]}
}

// probe is a request that could tell something of the hidden customer.
type probe struct{ method, path, body string }

// probes are all routes there are, of the hub and of terminals, each with ids of what is hidden wherever one can be given.
func probes(t *testing.T, of hidden) (all []probe) {
	bodies := map[string]string{
		"/api/v1/codes":    fmt.Sprintf(`{"shop":%q}`, of.shop),
		"/api/v1/shops":    fmt.Sprintf(`{"tenant":%q,"name":"x"}`, of.tenant),
		"/api/v1/keys":     fmt.Sprintf(`{"name":"x","role":"reads","tenant":%q,"shop":%q}`, of.tenant, of.shop),
		"/api/v1/webhooks": fmt.Sprintf(`{"name":"x","url":"https://a.example/","tenant":%q,"shop":%q}`, of.tenant, of.shop),
		"/api/v1/settings": fmt.Sprintf(`{"terminal":%q,"values":{"name":"x"}}`, of.terminal.id),
		"/api/v1/people":   fmt.Sprintf(`{"name":"x","role":"reads","shop":%q}`, of.shop),
	}
	for _, pattern := range httpapi.New(httpapi.Config{}).Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		switch {
		case path == "" || path == tunnel.JoinPath || path == "/api/v1/session" || path == "/api/v1/events" || path == "/api/v1/factors" || pattern == "POST /api/v1/tenants":
			continue // of terminals, of who asks, or named by nobody's id; streams have a test of their own
		case strings.Contains(path, "{id}"):
			id := map[string]string{"terminals": of.terminal.id, "keys": of.key, "people": of.person, "webhooks": of.hook, "settings": of.shop}[strings.Split(path, "/")[3]]
			if id == "" {
				t.Fatalf("what is the id in %s?", pattern)
			}
			path = strings.NewReplacer("{id}", id, "{epoch}", hubtest.Epoch(of.terminal.id), "{attempt}", "1", "{number}", "1").Replace(path)
			all = append(all, probe{method, path, bodyOf(method, of)})
		case method == "POST":
			if bodies[path] == "" {
				t.Fatalf("what is the body of %s?", pattern)
			}
			all = append(all, probe{method, path, bodies[path]})
		default:
			for _, query := range []string{"", "?tenant=" + of.tenant, "?shop=" + of.shop, "?terminal=" + of.terminal.id, "?id=" + of.terminal.id, "?target=" + of.person, "?search=" + mark} {
				all = append(all, probe{method, path + query, ""})
			}
		}
	}
	for _, operation := range docpagetest.Operations(docpagetest.Load(t, terminaldoc.Spec())) {
		method, path, _ := strings.Cut(operation, " ")
		path = strings.NewReplacer("{referenceId}", mark, "{id}", "1", "{type}", "x", "{n}", "1").Replace(path)
		all = append(all, probe{method, "/terminals/" + of.terminal.id + path, bodyOf(method, of)})
	}
	for _, path := range []string{"/operations", "/operations/" + of.operation, "/transaction/" + mark, "/logs", "", "/"} {
		all = append(all, probe{"GET", "/terminals/" + of.terminal.id + path, ""})
	}
	return all
}

func bodyOf(method string, of hidden) string {
	if method == "GET" || method == "DELETE" {
		return ""
	}
	return fmt.Sprintf(`{"name":"x","shop":%q,"referenceId":%q}`, of.shop, mark)
}

// Events are told to who sees what they are of.
func TestEventsOfOthersAreNotTold(t *testing.T) {
	h := newHub(t)
	of := h.hide(t)
	own := h.join(t, h.founded.Shop.ID, nil)
	r, err := http.NewRequestWithContext(t.Context(), "GET", h.URL+"/api/v1/events", nil)
	must(t, err)
	r.Header.Set("Authorization", h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: h.founded.Tenant.Place, Role: fleet.Administers}}))
	stream, err := h.Client().Do(r)
	must(t, err)
	defer stream.Body.Close()
	of.terminal.change(func() { of.terminal.entries = append(of.terminal.entries, entry(4, mark)) })
	own.change(func() { own.entries = []tunnel.LogEntry{entry(1, "um")} })
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), of.terminal.id) {
			t.Fatalf("told: %s", lines.Text())
		}
		if strings.Contains(lines.Text(), own.id) && strings.Contains(lines.Text(), `"busy":true`) {
			return
		}
	}
	t.Fatal("the stream ended")
}
