package httpapi_test

import (
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
)

func TestAccessOptionsAnywhere(t *testing.T) {
	t.Parallel()
	m := start(t, production)
	for _, target := range []string{"/", "/sale", "/sale/item/a%2Fb", "/docs", "/nada", "/emulator/screen", "/logs/stream", "/restart", "//sale", "/../sale", "/./", "*"} {
		if target == "*" && m.path != "" {
			continue // no terminal's path
		}
		for _, more := range []string{"", "Authorization: Basic x\r\n", "Content-Length: 4\r\n"} {
			text := "OPTIONS " + target + " HTTP/1.1\r\nHost: terminal\r\nConnection: close\r\n" + more + "Origin: https://pdv.exemplo\r\nAccess-Control-Request-Method: POST\r\n" +
				"Access-Control-Request-Headers: authorization, X-Meu\r\nAccess-Control-Request-Private-Network: true\r\n\r\n"
			if strings.HasPrefix(more, "Content") {
				text += "{{{{"
			}
			a := m.raw("OPTIONS", text)
			for name, want := range map[string]string{
				"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": contractMethods, "Access-Control-Allow-Headers": "authorization, X-Meu",
				"Access-Control-Allow-Private-Network": "true", "WWW-Authenticate": "", "Content-Type": "",
			} {
				if got := strings.Join(a.header.Values(name), "|"); got != want {
					t.Errorf("OPTIONS %s: %s %q, want %q", target, name, got, want)
				}
			}
			if a.status != 204 || len(a.body) != 0 {
				t.Errorf("OPTIONS %s: %d %q", target, a.status, a.body)
			}
		}
	}
	a := m.call("OPTIONS", "/sale", nil, nobody)
	if a.status != 204 || a.header.Get("Access-Control-Allow-Private-Network") != "" {
		t.Errorf("a plain OPTIONS: %d %v", a.status, a.header)
	}
}

func TestAccessCORSOnEveryAnswer(t *testing.T) {
	t.Parallel()
	m := start(t, shortBodyTimeout)
	crosses := func(a *answer, status int, methods string) {
		t.Helper()
		got := [...]string{strings.Join(a.header.Values("Access-Control-Allow-Origin"), "|"), strings.Join(a.header.Values("Access-Control-Allow-Methods"), "|")}
		if a.status != status || got != [...]string{"*", methods} {
			t.Errorf("%s: %d with %q, want %d with * and %s", a.what, a.status, got, status, methods)
		}
	}
	for _, row := range []struct {
		method, path string
		body         any
		status       int
	}{
		{"GET", "/status", nil, 200},
		{"POST", "/sale", nil, 200},
		{"GET", "/logs/zip/download", nil, 200},
		{"GET", "/docs", nil, 200},
		{"GET", "/docs/init.js", nil, 200},
		{"GET", "/", nil, 200},
		{"GET", "/openapi.bundle.yaml", nil, 200},
		{"POST", "/sale/item", "{", 400},
		{"POST", "/restart", nil, 403},
		{"GET", "/nada", nil, 404},
		{"GET", "//", nil, 404},
		{"GET", "/sale/item", nil, 405},
		{"POST", "/sale", nil, 409},
		{"POST", "/print/image", []byte("x"), 500},
		{"HEAD", "/status", nil, 200},
		{"OPTIONS", "/", nil, 204},
	} {
		crosses(m.unchecked(row.method, row.path, row.body, header{"Origin", "https://pdv.exemplo"}), row.status, contractMethods)
	}
	crosses(m.unchecked("GET", "/status", nil, nobody), 401, contractMethods)
	crosses(m.raw("POST", asks("POST", "/sale/item", overJSON)), 413, contractMethods)
	if m.path == "" { // no terminal's path: the hub refuses it
		crosses(m.raw("GET", "LIXO\r\n\r\n"), 400, contractMethods)
	}
	payment := m.holdOpen("/transaction", `{"tPag":"03","amount":5.00}`)
	m.awaitScreen("the payment", paying)
	crosses(m.unchecked("POST", "/print/text", `[]`), 503, contractMethods)
	m.call("POST", "/emulator/payment", `{"outcome":"refuse"}`).ok()
	crosses(payment.answer(), 403, contractMethods)
	stream, err := m.client.Do(m.request("GET", "/logs/stream", nil))
	if err != nil {
		t.Fatal(err)
	}
	stream.Body.Close()
	crosses(&answer{t: t, what: "GET /logs/stream", status: stream.StatusCode, header: stream.Header}, 200, contractMethods)

	const own = "GET, POST, PUT, PATCH, DELETE, OPTIONS"
	m = m.again(func(c *app.Config) { c.CORSMethods = own })
	crosses(m.call("GET", "/status", nil), 200, own)
	crosses(m.call("OPTIONS", "/sale", nil), 204, own)
}
