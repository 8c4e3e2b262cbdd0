package httpapi_test

import (
	"strings"
	"testing"
)

// What a browser sends for a page of another site without asking leave changes nothing; what asks leave by CORS, what is of the
// same origin, and what is no browser's, does.
func TestForeignPages(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	const (
		refused    = "Pedido de página de outra origem recusado; use CORS, com o Content-Type da rota"
		payment    = `{"tPag":"03","amount":1}`
		navigation = "navigate"
	)
	elsewhere, here := header{"Origin", "https://pdv.exemplo"}, header{"Origin", "http://" + m.host()}
	kind := func(s string) header { return header{"Content-Type", s} }
	site := func(site, mode string) []header { return []header{{"Sec-Fetch-Site", site}, {"Sec-Fetch-Mode", mode}} }
	with := func(sets ...any) (all []header) {
		for _, s := range sets {
			switch s := s.(type) {
			case header:
				all = append(all, s)
			case []header:
				all = append(all, s...)
			}
		}
		return all
	}
	for _, row := range []struct {
		what    string
		headers []header
		passes  bool
	}{
		{"form of another site", with(elsewhere, kind("text/plain"), site("cross-site", navigation)), false},
		{"form of the same site", with(elsewhere, kind("text/plain"), site("same-site", navigation)), false},
		{"form without an origin", with(header{"Origin", "null"}, kind("application/x-www-form-urlencoded"), site("cross-site", navigation)), false},
		{"no-cors", with(elsewhere, kind("text/plain"), site("cross-site", "no-cors")), false},
		{"no-cors of the same site", with(elsewhere, kind("text/plain"), site("same-site", "no-cors")), false},
		{"no-cors, JSON by name", with(elsewhere, site("cross-site", "no-cors")), false},
		{"no-cors, no Origin", with(kind("text/plain"), site("cross-site", "no-cors")), false},
		{"CORS", with(elsewhere, site("cross-site", "cors")), true},
		{"CORS, sloppy type", with(elsewhere, kind("text/plain;charset=UTF-8"), site("cross-site", "cors")), true},
		{"CORS of the same site", with(elsewhere, site("same-site", "cors")), true},
		{"own page", with(here, site("same-origin", "cors")), true},
		{"own page's form", with(here, kind("text/plain"), site("same-origin", navigation)), true},
		{"plain HTTP, CORS", with(elsewhere), true},
		{"plain HTTP, CORS, charset", with(elsewhere, kind("Application/JSON; charset=utf-8")), true},
		{"plain HTTP, text form", with(elsewhere, kind("text/plain")), false},
		{"plain HTTP, text", with(elsewhere, kind("Text/Plain;charset=UTF-8")), false},
		{"plain HTTP, form", with(elsewhere, kind("application/x-www-form-urlencoded")), false},
		{"plain HTTP, parts", with(elsewhere, kind("multipart/form-data; boundary=x")), false},
		{"plain HTTP, beacon of bytes", with(elsewhere, kind("")), false},
		{"plain HTTP, sandboxed form", with(header{"Origin", "null"}, kind("text/plain")), false},
		{"plain HTTP, another port", with(header{"Origin", "http://127.0.0.1:1"}, kind("text/plain")), false},
		{"plain HTTP, own page", with(here, kind("text/plain")), true},
		{"no browser", with(kind("text/plain")), true},
		{"no browser, form", with(kind("application/x-www-form-urlencoded")), true},
		{"no browser, no type", with(kind("")), true},
	} {
		a := m.unchecked("POST", "/transaction", payment, row.headers...)
		switch {
		case row.passes && a.status != 200:
			t.Errorf("%s: %d %s", row.what, a.status, a.body)
		case !row.passes:
			a.is(403, refused)
		}
	}
	// No body is no proof either way: money needs one.
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"r"}`).ok()
	m.unchecked("POST", "/transaction/r/reversal", nil, elsewhere).is(403, refused)
	m.unchecked("POST", "/ask/cancel", nil, elsewhere).ok()
	m.unchecked("POST", "/ask/cancel", nil, elsewhere, kind("application/x-www-form-urlencoded")).is(403, refused)
	m.unchecked("POST", "/transaction/r/reversal", nil, elsewhere, kind("application/json")).ok()
	// Reads change nothing, and say nothing to the page.
	m.unchecked("GET", "/status", nil, with(elsewhere, site("cross-site", navigation))...).ok()
	// Every route that changes something.
	for _, row := range []struct{ method, path string }{
		{"POST", "/sale"},
		{"POST", "/sale/item"},
		{"POST", "/sale/finalize"},
		{"POST", "/print/text"},
		{"POST", "/print/image"},
		{"POST", "/print/xml"},
		{"POST", "/display/image"},
		{"POST", "/display/clear"},
		{"POST", "/ask"},
		{"POST", "/restart"},
		{"POST", "/emulator/reset"},
		{"PATCH", "/sale"},
		{"DELETE", "/sale/item/1"},
	} {
		m.unchecked(row.method, row.path, "{}", with(elsewhere, kind("text/plain"), site("cross-site", "no-cors"))...).is(403, refused)
		m.unchecked(row.method, row.path, "{}", elsewhere, kind("text/plain")).is(403, refused)
	}
	if strings.Contains(string(m.call("GET", "/emulator/screen", nil).ok().body), `"openedAt"`) {
		t.Error("a foreign page has opened a sale")
	}
}
