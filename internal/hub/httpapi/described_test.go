package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/docpage/docpagetest"
	"github.com/maquininha/maquininha/internal/hub/httpapi"
	"github.com/maquininha/maquininha/internal/hub/httpapi/apidoc"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Every route is described, and nothing else is.
func TestRoutesAreTheDescribedOnes(t *testing.T) {
	// /status is answered by the app, the two others by the pages.
	routes := []string{"GET /status", "GET /docs", "GET /openapi.bundle.yaml"}
	for _, pattern := range httpapi.New(httpapi.Config{}).Patterns() {
		if pattern != "POST "+tunnel.JoinPath && pattern != tunnel.Path { // of terminals
			routes = append(routes, pattern)
		}
	}
	slices.Sort(routes)
	described := slices.DeleteFunc(docpagetest.Operations(docpagetest.Load(t, apidoc.Spec())), func(operation string) bool {
		return strings.Contains(operation, " /terminals/") // what is passed on to them
	})
	if diff := cmp.Diff(described, routes); diff != "" {
		t.Errorf("description and routes differ (-described +served):\n%s", diff)
	}
}

// What is seldom asked for is as described too: each route once, with what it makes.
func TestEveryRouteOnce(t *testing.T) {
	h := newHub(t)
	x := h.join(t, "", nil)
	tenant := h.call(t, "POST", "/api/v1/tenants", `{"name":"Padaria"}`).json(t)["id"].(string)
	shop := h.call(t, "POST", "/api/v1/shops", `{"name":"Centro","tenant":"`+tenant+`"}`)
	is(t, "a shop's tenant", shop.json(t)["tenant"], tenant)
	person := h.call(t, "POST", "/api/v1/people", `{"name":"caio","role":"operates","tenant":"`+tenant+`"}`).json(t)["id"].(string)
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/api/v1/tenants", "", 200},
		{"GET", "/api/v1/shops", "", 200},
		{"GET", "/api/v1/keys", "", 200},
		{"GET", "/api/v1/people", "", 200},
		{"POST", "/api/v1/people/" + person + "/password", `{"password":"uma frase longa"}`, 200},
		{"DELETE", "/api/v1/people/" + person, "", 204},
		{"POST", "/api/v1/tenants", `{"name":"Padaria"}`, 409},
		{"POST", "/api/v1/codes", `{"shop":"` + shop.json(t)["id"].(string) + `"}`, 201},
		{"POST", "/api/v1/codes", "", 400}, // which shop?
		{"GET", "/api/v1/terminals/" + x.id, "", 200},
		{"GET", "/api/v1/terminals/" + x.id + "/history/" + hubtest.Epoch(x.id) + "/1", "", 404},
		{"GET", "/api/v1/session", "", 200},
		{"GET", "/api/v1/operations?state=done&limit=1", "", 200},
		{"GET", "/terminals/" + x.id + "/operations", "", 200},
		{"GET", "/metrics", "", 200},
		{"GET", "/docs", "", 200},
		{"GET", "/docs/guia", "", 200},
		{"GET", "/openapi.bundle.yaml", "", 200},
	} {
		headers := []string{}
		if strings.HasPrefix(c.path, "/docs") || strings.HasPrefix(c.path, "/openapi") {
			headers = []string{"Authorization", ""}
		}
		if a := h.call(t, c.method, c.path, c.body, headers...); a.status != c.want {
			t.Errorf("%s %s: %d %s, want %d", c.method, c.path, a.status, a.body, c.want)
		}
	}
}
