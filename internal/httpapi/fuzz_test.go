//go:build !race || everything

package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// fuzzed are the routes that read a body, each with some that it takes.
var fuzzed = []struct {
	method, path string
	seeds        []string
}{
	{"POST", "/sale", []string{`{"customerName":"Ana","customerDocument":"52998224725"}`, "", "null", "[]"}},
	{"PATCH", "/sale", []string{`{"additionalInfo":null,"sellerName":"Davi"}`}},
	{"POST", "/sale/item", []string{
		`{"id":"1","code":"789","description":"Café","quantity":0.412,"unitPrice":39.90,"discount":0.5,"addition":null,"total":16.44,"canceled":false}`,
		`{"code":"","description":"a","quantity":1e0,"unitPrice":9.999999999999999999e11,"total":0}`, `{"quantity":"1"}`, `{"code":1}`,
	}},
	{"PATCH", "/sale/item/1", []string{`{"quantity":3,"total":4.5}`, `{"description":null}`}},
	{"POST", "/sale/item/1/cancel", []string{""}},
	{"DELETE", "/sale/item/nenhum", []string{""}},
	{"POST", "/sale/payment", []string{`{"id":"p","tPag":"pix","value":10}`, `{"tPag":"cash","value":-1}`}},
	{"PATCH", "/sale/payment/p", []string{`{"value":12.50,"description":"PIX"}`}},
	{"POST", "/sale/finalize", []string{`{"message":"Volte sempre","showMessage":true,"messageInterval":0}`, `{"messageInterval":-1}`}},
	{"POST", "/sale/cancel", []string{`{"showMessage":false,"buttonCloseText":"Fechar"}`}},
	{"POST", "/ask", []string{
		`{"question":{"type":"CPF"}}`, `{"question":{"type":"REGEX","regex":"^[a-z]{2,5}\\d$","required":true}}`,
		`{"question":{"type":"TEXT","mask":"##-##","minLength":5,"maxLength":5,"required":true}}`,
		`{"parameters":{"showCancelButton":true,"successMessageInterval":0},"question":{"type":"LIST","options":[{"id":1,"name":"a","value":"b"}]}}`,
	}},
	{"POST", "/ask/form", []string{
		`{"questions":[{"id":1,"type":"DATE"},{"id":2,"type":"MONEY","defaultValue":"1,5"}]}`, `{"questions":[]}`, `{"questions":[{"id":1},{"id":1}]}`,
	}},
	{"POST", "/print/text", []string{`[{"text":{"value":"Olá","size":96,"bold":true,"align":"right"}},{"line":{"divider":true}}]`, `[]`, `[{"text":{},"line":{}}]`}},
	{"POST", "/print/xml", []string{`<nfeProc versao="4.00"><NFe/></nfeProc>`, "\ufeff<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>"}},
	{"POST", "/print/image", []string{"GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;", "\x89PNG\r\n\x1a\n"}},
	{"POST", "/transaction", []string{
		`{"tPag":"03","amount":12.34,"referenceId":"r","installments":3,"installmentType":"seller","details":{"a":[1,2.50,"ç"]}}`,
		`{"tPag":"17","amount":0.51}`, `{"tPag":"99","amount":1e1}`, `{"tPag":"04","amount":0.001}`,
	}},
	{"POST", "/transaction/r/reversal", []string{""}},
	{"POST", "/display/text", []string{`{"content":[{"text":{"value":"Oi"}}],"backgroundColor":"#fff","showCloseButton":null}`, `{"content":[],"backgroundColor":"red"}`}},
	{"POST", "/display/image", []string{"BM", "RIFF\x00\x00\x00\x00WEBP"}},
	{"POST", "/display/carousel", []string{
		`{"images":["data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs="],"backgroundColor":"#102030","transition":"zoom","intervalMs":1}`, `{"images":["?"]}`,
	}},
	{"POST", "/emulator/answer", []string{`{"value":"1"}`, `{"values":["1","2"]}`, `{"cancel":true}`}},
	{"POST", "/emulator/payment", []string{`{"outcome":"refuse","message":"não","tPag":"03"}`}},
	{"POST", "/emulator/card", []string{`{"how":"insert","outcome":"approve"}`, `{}`}},
	{"POST", "/emulator/acquirer", []string{`{"next":"refuse","message":"x","delayMs":1,"times":2}`}},
	{"POST", "/emulator/printer", []string{`{"state":"paperOut"}`}},
	{"POST", "/emulator/foreground", []string{`{"active":null}`, `{"active":false}`}},
}

// failures are the only 500s of the contract.
var failures = []string{"Erro ao imprimir", "Erro ao exibir imagem"}

// Whatever is sent to whatever route, the answer is one the description has; never a fault of ours.
func FuzzBodies(f *testing.F) {
	for route, r := range fuzzed {
		for _, seed := range r.seeds {
			f.Add(uint8(route), []byte(seed))
		}
		f.Add(uint8(route), []byte(`{"id":"\ud800","value":1e99,"x":{"x":[[[]]]}}`))
		f.Add(uint8(route), []byte("\xff\xfe"))
	}
	shared := start(f, autopilot)
	f.Fuzz(func(t *testing.T, route uint8, body []byte) {
		m := *shared
		m.t = t
		r := fuzzed[int(route)%len(fuzzed)]
		if strings.Contains(string(body), "0.98") || strings.Contains(string(body), "delayMs") && len(body) > 100 {
			t.Skip("an acquirer that says nothing for ten seconds")
		}
		if strings.HasPrefix(r.path, "/sale/") {
			m.call("POST", "/sale", nil)
		}
		a := m.send(r.method, r.path, body)
		if a.status >= 500 && a.status != http.StatusServiceUnavailable && !contractual(a) {
			t.Errorf("%s %s with %q: %d %s", r.method, r.path, body, a.status, a.body)
		}
		if strings.HasPrefix(r.path, "/emulator/") {
			m.call("POST", "/emulator/reset", nil).ok() // the next one is to find it as this one did
		}
	})
}

// send sends bytes as they are, and holds the answer against the description. The request is not: bodies may be JSON
// or not, and the service is more lenient with them than a schema.
func (m *terminal) send(method, path string, body []byte) *answer {
	m.t.Helper()
	req := m.request(method, path, body)
	a := m.answer(req)
	if a.status >= 400 {
		m.isError(a)
	} else if !json.Valid(a.body) {
		m.t.Errorf("%s %s with %q: no JSON: %q", method, path, body, a.body)
	}
	return a
}

func contractual(a *answer) bool {
	var said struct{ Message string }
	if json.Unmarshal(a.body, &said) != nil {
		return false
	}
	for _, known := range failures {
		if said.Message == known {
			return true
		}
	}
	return false
}

// Whatever stands behind the question mark, the answer is a list, an archive or a 400.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "limit=1", "limit=0", "limit=100001", "level=info&source=http&search=caf%C3%A9", "dateFrom=2026-11-15T10:00:00-03:00&dateTo=2026-W46-7", "dateFrom=2026-319&dateTo=20261115T10",
		"search=%25_%00%ff", "since=2026-11-15&status=approved&limit=5", "status=none", "%zz", ";", "limit=1&limit=x", "dateFrom=2026-11-15T10:00:00+03:00", "dateTo=9999-12-31", "dateFrom=0000-01-01",
	} {
		for route := range 3 {
			f.Add(uint8(route), seed)
		}
	}
	shared := start(f, autopilot)
	shared.call("POST", "/transaction", `{"tPag":"03","amount":12.34,"referenceId":"r"}`).ok()
	paths := []string{"/logs", "/logs/zip/download", "/transaction"}
	f.Fuzz(func(t *testing.T, route uint8, query string) {
		if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
			t.Skip("no request line has these")
		}
		m := *shared
		m.t = t
		req := m.request("GET", paths[int(route)%len(paths)], nil)
		req.URL.RawQuery = query
		a := m.answer(req)
		switch {
		case a.status == http.StatusBadRequest:
			m.isError(a)
		case a.status != http.StatusOK:
			t.Errorf("%s: %d %s", req.URL, a.status, a.body)
		case route%3 == 1 && !strings.HasPrefix(string(a.body), "PK"), route%3 != 1 && !json.Valid(a.body):
			t.Errorf("%s: %q", req.URL, a.body)
		}
	})
}
