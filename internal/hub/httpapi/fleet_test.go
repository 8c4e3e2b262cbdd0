package httpapi_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// The fleet as the page sees it: signed in by a cookie, in lists and as it changes.
func TestFleet(t *testing.T) {
	h := newHub(t)
	none := []string{"Authorization", ""}
	if a := h.call(t, "POST", "/api/v1/session", `{"name":"ana","password":"errada"}`, none...); a.status != 403 {
		t.Errorf("a wrong password: %d %s", a.status, a.body)
	}
	in := h.call(t, "POST", "/api/v1/session", `{"name":"Ana","password":"segredo-longo"}`, none...)
	cookie, _, _ := strings.Cut(in.header.Get("Set-Cookie"), ";")
	if in.status != 200 || !strings.Contains(in.header.Get("Set-Cookie"), "SameSite=Strict") || !strings.Contains(in.header.Get("Set-Cookie"), "HttpOnly") {
		t.Fatalf("signing in: %d %s %v", in.status, in.body, in.header)
	}
	page := func(t *testing.T, method, path, body string, more ...string) answer {
		t.Helper()
		return h.call(t, method, path, body, append([]string{"Authorization", "", "Cookie", cookie}, more...)...)
	}

	r, _ := http.NewRequestWithContext(t.Context(), "GET", h.URL+"/api/v1/events", nil)
	r.Header.Set("Cookie", cookie)
	stream, err := h.Client().Do(r)
	must(t, err)
	defer stream.Body.Close()
	events := bufio.NewScanner(stream.Body)
	follow := func(want ...string) {
		t.Helper()
		for events.Scan() {
			all := strings.HasPrefix(events.Text(), "data: {")
			for _, w := range want {
				all = all && strings.Contains(events.Text(), w)
			}
			if all {
				return
			}
		}
		t.Fatalf("the stream ended without %v: %v", want, events.Err())
	}

	made := page(t, "POST", "/api/v1/codes", `{"name":"Caixa 7"}`).json(t)
	if code := made["code"].(string); len(code) != 8 || made["line"] != "maquininha join URL "+code {
		t.Errorf("a code: %v", made)
	}
	x := h.join(t, "", nil)
	follow(x.id, `"online":true`, `"printer":"ok"`)
	x.change(func() { x.entries = []tunnel.LogEntry{entry(1, "um")} }) // an odd number of entries is a busy terminal
	follow(x.id, `"busy":true`)

	list := page(t, "GET", "/api/v1/terminals?state=busy&search=CAIXA", "").json(t)
	is(t, "how many are busy", []any{list["total"], list["counts"].(map[string]any)["busy"], list["counts"].(map[string]any)["offline"]}, []any{1, 1, 0})
	if none := page(t, "GET", "/api/v1/terminals?state=offline", "").json(t); none["total"] != 0.0 {
		t.Errorf("nobody is away: %v", none)
	}
	if a := page(t, "PATCH", "/api/v1/terminals/"+x.id, `{"name":"Caixa 8"}`); a.json(t)["name"] != "Caixa 8" {
		t.Errorf("renaming: %s", a.body)
	}
	follow(x.id, `"name":"Caixa 8"`)
	tenant := page(t, "POST", "/api/v1/tenants", `{"name":"Rede"}`).json(t)["id"].(string)
	shop := page(t, "POST", "/api/v1/shops", `{"tenant":"`+tenant+`","name":"Norte"}`).json(t)["id"].(string)
	if a := page(t, "PATCH", "/api/v1/terminals/"+x.id, `{"shop":"`+shop+`"}`).json(t); a["shop"] != shop || a["tenant"] != tenant || a["name"] != "Caixa 8" {
		t.Errorf("moving: %v", a)
	}
	follow(x.id, `"shop":"`+shop+`"`)
	if a := page(t, "PATCH", "/api/v1/terminals/"+x.id, `{"name":"outro","shop":"elsewhere"}`); a.status != 404 || page(t, "GET", "/api/v1/terminals/"+x.id, "").json(t)["name"] != "Caixa 8" {
		t.Errorf("half done: %d %s", a.status, a.body)
	}
	for body, want := range map[string]int{`{"shop":"elsewhere"}`: 404, `{"shop":""}`: 400, `{}`: 400, `{"shop":1}`: 400} {
		if a := page(t, "PATCH", "/api/v1/terminals/"+x.id, body); a.status != want {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	recorded := entry(2, "dois")
	recorded.At = time.Now()
	x.change(func() { x.entries = append(x.entries, recorded) })
	waittest.Until(t, "what is recorded from now on is the other shop's", func() bool {
		return strings.Contains(page(t, "GET", "/api/v1/logs?shop="+shop, "").body, "dois")
	})
	if before := page(t, "GET", "/api/v1/logs?search=um", "").body; strings.Contains(before, shop) {
		t.Errorf("what was recorded before: %s", before)
	}
	for query, want := range map[string]float64{
		"shop=" + shop: 1, "tenant=" + tenant: 1, "state=paperOut": 0, "state=printer": 0, "id=" + x.id + "&id=unknown": 1, "id=unknown": 0,
		"seenBefore=2999-01-01": 0, // it is here
	} {
		list := page(t, "GET", "/api/v1/terminals?"+query, "").json(t)
		if list["total"] != want || want == 1 && len(list["versions"].(map[string]any)) != 1 {
			t.Errorf("%s: %v", query, list)
		}
	}
	waittest.Until(t, "it is written down how the terminal is", func() bool {
		seen, err := h.fleet.Terminal(t.Context(), h.admin.Scope, x.id)
		return err == nil && seen.Condition.Printer == "ok" && !seen.SeenAt.IsZero()
	})

	// Another site's page has the browser send the cookie: nothing is changed.
	for _, foreign := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://elsewhere.example"}} {
		if a := page(t, "DELETE", "/api/v1/terminals/"+x.id, "", foreign...); a.status != 403 {
			t.Errorf("%v: %d %s", foreign, a.status, a.body)
		}
	}
	link, _ := h.board.Find(x.id)
	if a := page(t, "DELETE", "/api/v1/terminals/"+x.id, "", "Sec-Fetch-Site", "same-origin"); a.status != 204 {
		t.Fatalf("revoking: %d %s", a.status, a.body)
	}
	waittest.Receive(t, "the link has ended", link.Context().Done())
	follow(x.id, `"online":false`, `"revokedAt":"`)
	waittest.Until(t, "the terminal knows that it was revoked", func() bool { return x.keeper.State().Ended })
	for _, c := range [][]string{{"GET", "/sale", ""}, {"POST", "/transaction", `{}`}, {"POST", "/transaction", `{}`, "Prefer", "respond-async"}, {"GET", "/transaction/unknown", ""}} {
		if a := h.call(t, c[0], "/terminals/"+x.id+c[1], c[2], c[3:]...); a.status != 410 || a.header.Get("X-Maquininha-Hub") != "" || !strings.Contains(a.body, "Terminal revogado") {
			t.Errorf("a revoked terminal: %v: %d %s %v", c, a.status, a.body, a.header)
		}
	}
	if audit := page(t, "GET", "/api/v1/audit", ""); !strings.Contains(audit.body, "revogado") || !strings.Contains(audit.body, "Caixa 8") {
		t.Errorf("audit: %s", audit.body)
	}

	key := page(t, "POST", "/api/v1/keys", `{"name":"PDV","role":"reads"}`).json(t)
	bearer := "Bearer " + key["secret"].(string)
	if a := h.call(t, "GET", "/api/v1/keys", "", "Authorization", bearer); a.status != 403 {
		t.Errorf("who only reads sees keys: %d %s", a.status, a.body)
	}
	second, err := h.fleet.MakeShop(t.Context(), h.admin, h.founded.Tenant.ID, "Loja 2")
	must(t, err)
	for path, body := range map[string]string{"/codes": "{}", "/keys": `{"name":""}`, "/people": "{}", "/tenants": "{}", "/shops": "{}"} {
		if a := h.call(t, "POST", "/api/v1"+path, body, "Authorization", bearer); a.status != 403 {
			t.Errorf("who only reads may not, whatever the body of %s: %d %s", path, a.status, a.body)
		}
	}
	of := page(t, "POST", "/api/v1/keys", `{"name":"Loja 2","role":"reads","shop":"`+second.ID+`"}`).json(t)
	is(t, "a key of a shop that is named alone", []any{of["tenant"], of["shop"]}, []any{h.founded.Tenant.ID, second.ID})
	if a := page(t, "DELETE", "/api/v1/keys/"+key["id"].(string), ""); a.status != 204 {
		t.Errorf("revoking a key: %d %s", a.status, a.body)
	}
	if a := h.call(t, "GET", "/api/v1/session", "", "Authorization", bearer); a.status != 401 {
		t.Errorf("a revoked key: %d %s", a.status, a.body)
	}
	if a := page(t, "POST", "/api/v1/people", `{"name":"bia","role":"operates"}`); a.status != 201 || a.json(t)["password"] == "" {
		t.Errorf("a person: %d %s", a.status, a.body)
	}
	if a := page(t, "DELETE", "/api/v1/session", ""); a.status != 204 {
		t.Errorf("signing out: %d %s", a.status, a.body)
	}
	if a := page(t, "GET", "/api/v1/session", ""); a.status != 401 {
		t.Errorf("after signing out: %d %s", a.status, a.body)
	}
}

// What nobody can mean is refused, in the shape of all refusals.
func TestRefusals(t *testing.T) {
	h := newHub(t)
	for _, c := range []struct {
		method, path, body string
		want               int
		text               string
	}{
		{"GET", "/api/v1/nothing", "", 404, "Rota não encontrada"},
		{"GET", "/nothing", "", 404, "Rota não encontrada"},
		{"PUT", "/api/v1/terminals", "", 405, "Método não permitido"},
		{"GET", "/api/v1/terminals/x", "", 404, "Não encontrado"},
		{"GET", "/api/v1/terminals?limit=-1", "", 400, "limit"},
		{"GET", "/api/v1/terminals?state=x", "", 400, "state"},
		{"GET", "/api/v1/transactions?after=x", "", 400, "after"},
		{"GET", "/api/v1/transactions?since=x", "", 400, "since"},
		{"GET", "/api/v1/closings?zone=Manaus", "", 400, "zone"},
		{"GET", "/api/v1/closings?zone=Local", "", 400, "zone"},
		{"GET", "/api/v1/closings?zone=right/UTC", "", 400, "zone"},
		{"GET", "/api/v1/transactions?status=paid", "", 400, "status deve ser um de: pending,"},
		{"GET", "/api/v1/transactions?method=cheque", "", 400, "method deve ser um de: credit,"},
		{"GET", "/api/v1/transactions.csv?method=cheque", "", 400, "method"},
		{"GET", "/api/v1/logs?level=loud", "", 400, "level"},
		{"GET", "/api/v1/logs?source=x", "", 400, "source"},
		{"GET", "/api/v1/operations?state=x", "", 400, "state"},
		{"GET", "/api/v1/operations?before=x", "", 400, "before deve ser uma data ISO 8601 ou o id de uma operação"},
		{"GET", "/api/v1/operations?before=aaaaaaaaaaaaaaaaaaaa", "", 400, "before deve ser uma data ISO 8601 ou o id de uma operação"},
		{"GET", "/api/v1/gaps?terminal=%zz", "", 400, "malformados"},
		{"GET", "/api/v1/gaps?after=x", "", 400, "after não é o fim de uma página"},
		{"GET", "/api/v1/gaps?limit=501", "", 400, "limit deve ser um número inteiro entre 0 e 500"},
		{"POST", "/docs", "", 405, "Método não permitido"},
		{"GET", "/docs/nothing", "", 404, "Rota não encontrada"},
		{"GET", "/api/v1/transactions.csv?since=x", "", 400, "since"},
		{"POST", "/api/v1/keys", `{"name":"","role":"reads"}`, 400, "name"},
		{"POST", "/api/v1/keys", `{"name":"a","role":"king"}`, 400, "role"},
		{"POST", "/api/v1/keys", `{"name":5}`, 400, "name"},
		{"POST", "/api/v1/keys", `[`, 400, "JSON"},
		{"POST", "/api/v1/keys", `{"name":"` + strings.Repeat("x", 70_000) + `"}`, 413, "grande demais"},
		{"POST", "/api/v1/shops", `{"tenant":"x","name":"y"}`, 404, "Não encontrado"},
		{"POST", "/join", `{"code":"ABCDEFGH","publicKey":"` + strings.Repeat("A", 43) + `="}`, 403, "Código inválido"},
		{"POST", "/join", `{"code":"ABCDEFGH","publicKey":"AA=="}`, 400, "publicKey"},
		{"GET", "/tunnel", "", 426, "terminais"},
	} {
		a := h.call(t, c.method, c.path, c.body)
		if a.status != c.want || a.json(t)["code"] != float64(c.want) || !strings.Contains(a.json(t)["message"].(string), c.text) {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.path, a.status, a.body, c.want, c.text)
		}
	}
}
