package httpapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// equals checks the whole body, numbers as they were written.
func (a *answer) equals(want string) {
	a.t.Helper()
	var got, wanted any
	a.into(&got)
	(&answer{t: a.t, what: "want", body: []byte(want)}).into(&wanted)
	if diff := cmp.Diff(wanted, got); diff != "" {
		a.t.Fatalf("%s (-want +got):\n%s", a.what, diff)
	}
}

// blames checks for a 400 that names the field; "" means the body as a whole.
func (a *answer) blames(field string) {
	a.t.Helper()
	prefix := "Requisição inválida: " + field + " "
	if field == "" {
		prefix = "Requisição inválida: o corpo "
	}
	if text, _ := a.json()["message"].(string); a.status != 400 || !strings.HasPrefix(text, prefix) || a.json()["code"] != json.Number("400") {
		a.t.Errorf("%s: %d %s, want 400 with %q…", a.what, a.status, a.body, prefix)
	}
}

func bodyOf(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// unchecked sends what the description does not allow; it may be called from any goroutine.
func (m *terminal) unchecked(method, path string, body any, headers ...header) *answer {
	return m.do(m.request(method, path, body, headers...))
}

func (m *terminal) do(req *http.Request) *answer {
	a := &answer{t: m.t, what: req.Method + " " + req.URL.RequestURI()}
	resp, err := m.client.Do(req)
	if err != nil {
		m.t.Errorf("%s: %v", a.what, err)
		return a
	}
	defer resp.Body.Close()
	var got bytes.Buffer
	if _, err := got.ReadFrom(resp.Body); err != nil {
		m.t.Errorf("%s: reading the answer: %v", a.what, err)
	}
	a.status, a.header, a.body = resp.StatusCode, resp.Header, got.Bytes()
	return a
}

// jsonEndpoints are all that take JSON; sound is a body that each takes, empty what it says to none at all.
var jsonEndpoints = []struct{ method, path, sound, empty string }{
	{"POST", "/sale", `{}`, "Venda iniciada com sucesso"},
	{"PATCH", "/sale", `{}`, "Nenhuma venda ativa!"},
	{"POST", "/sale/item", coffee, "Requisição inválida: o corpo está vazio"},
	{"PATCH", "/sale/item/1", `{}`, "Requisição inválida: o corpo está vazio"},
	{"POST", "/sale/payment", cash, "Requisição inválida: o corpo está vazio"},
	{"PATCH", "/sale/payment/p1", `{}`, "Requisição inválida: o corpo está vazio"},
	{"POST", "/sale/finalize", `{}`, "Nenhuma venda ativa!"},
	{"POST", "/sale/cancel", `{}`, "Nenhuma venda ativa!"},
	{"POST", "/ask", `{"question":{}}`, "Nenhuma pergunta recebida"},
	{"POST", "/ask/form", `{"questions":[{}]}`, "Nenhuma pergunta recebida"},
	{"POST", "/print/text", `[{"text":{"value":"x"}}]`, "Nenhum texto enviado"},
	{"POST", "/transaction", `{"tPag":"03","amount":5.00}`, "Requisição inválida: o corpo está vazio"},
	{"POST", "/display/text", red, "Requisição inválida: o corpo está vazio"},
	{"POST", "/display/carousel", `{}`, "Requisição inválida: o corpo está vazio"},
	{"POST", "/emulator/foreground", `{"active":null}`, "Requisição inválida: o corpo está vazio"},
	{"POST", "/emulator/answer", `{"value":"x"}`, "Requisição inválida: o corpo está vazio"},
	{"POST", "/emulator/payment", `{"outcome":"approve"}`, "Requisição inválida: o corpo está vazio"},
	{"POST", "/emulator/acquirer", `{"next":"approve"}`, "Requisição inválida: o corpo está vazio"},
	{"POST", "/emulator/printer", `{"state":"ok"}`, "Requisição inválida: o corpo está vazio"},
}

// alive checks that nothing of it all has left a trace but in the log.
func (m *terminal) alive() {
	m.t.Helper()
	m.call("GET", "/status", nil).ok()
	m.call("GET", "/logs?level=fatal", nil).ok().equals(`[]`)
	if s := m.screenNow(); s.Busy || s.Question != nil || s.Sale != nil || len(s.Display) != 0 {
		m.t.Errorf("something was accepted: %+v", s)
	}
}

func TestInputNoBody(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, e := range jsonEndpoints {
		for _, body := range []any{nil, "", " \r\n\t", "\ufeff"} {
			a := m.unchecked(e.method, e.path, body)
			if a.json()["message"] != e.empty {
				t.Errorf("%s with %q: %d %s, want %q", a.what, body, a.status, a.body, e.empty)
			}
			if a.status == 200 {
				m.call("POST", "/sale/cancel", `{"showMessage":false}`).ok()
			}
		}
	}
	m.alive()
}

func TestInputTakesSloppyBodies(t *testing.T) {
	t.Parallel()
	m := start(t)
	taken := func(what, method, path, body string, headers ...header) {
		t.Helper()
		if a := m.unchecked(method, path, body, headers...); a.status != 200 {
			t.Errorf("%s: %s: %d %s", what, a.what, a.status, a.body)
		}
	}
	deep := `{"x":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `,`
	for name, change := range map[string]func(string) (string, []header){
		"BOM":     func(b string) (string, []header) { return "\ufeff" + b, nil },
		"blanks":  func(b string) (string, []header) { return "\r\n\t " + b + " \n", nil },
		"no type": func(b string) (string, []header) { return b, []header{{"Content-Type", ""}} },
		"text":    func(b string) (string, []header) { return b, []header{{"Content-Type", "text/plain"}} },
		"form": func(b string) (string, []header) {
			return b, []header{{"Content-Type", "application/x-www-form-urlencoded"}}
		},
		"upload":        func(b string) (string, []header) { return b, []header{{"Content-Type", "multipart/form-data"}} },
		"nonsense type": func(b string) (string, []header) { return b, []header{{"Content-Type", ";;;=ç"}} },
		"latin charset": func(b string) (string, []header) {
			return b, []header{{"Content-Type", "application/json; charset=iso-8859-1"}}
		},
		"unknown": func(b string) (string, []header) {
			return strings.Replace(b, "{", `{"x":{"total":[null,"10",1e999999]},"__proto__":{},"":0,`, 1), nil
		},
		"deep":     func(b string) (string, []header) { return strings.Replace(b, "{", deep, 1), nil },
		"repeated": func(b string) (string, []header) { return strings.Replace(b, "{", `{"code":"0","value":1,`, 1), nil },
	} {
		for _, e := range []struct{ method, path, body string }{
			{"POST", "/sale", `{"customerName":"Ana"}`},
			{"PATCH", "/sale", `{"sellerName":"Zé"}`},
			{"POST", "/sale/item", coffee},
			{"PATCH", "/sale/item/1", `{"additionalInfo":"x"}`},
			{"POST", "/sale/payment", cash},
			{"PATCH", "/sale/payment/p1", `{"tPag":"pix"}`},
			{"POST", "/sale/finalize", `{"showMessage":false}`},
			{"POST", "/display/text", red},
			{"POST", "/display/clear", `{}`},
			{"POST", "/emulator/printer", `{"state":"ok"}`},
			{"POST", "/emulator/acquirer", `{"next":"approve"}`},
			{"POST", "/emulator/foreground", `{"active":null}`},
		} {
			body, headers := change(e.body)
			taken(name, e.method, e.path, body, headers...)
		}
	}
	// Commands without a body pass over one.
	for _, path := range []string{"/ask/cancel", "/display/pop", "/display/clear", "/emulator/reset"} {
		taken("a body nobody asked for", "POST", path, `{{{`)
	}
	m.alive()
}

func TestInputNumbers(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, row := range []struct{ path, body, field string }{
		{"/sale/item", `{"code":"1","description":"A","quantity":%,"unitPrice":1,"total":1}`, "quantity"},
		{"/sale/payment", `{"value":%}`, "value"},
		{"/sale/finalize", `{"messageInterval":%}`, "messageInterval"},
		{"/ask", `{"question":{"maxLength":%}}`, "question.maxLength"},
		{"/ask", `{"question":{},"parameters":{"successMessageInterval":%}}`, "parameters.successMessageInterval"},
		{"/transaction", `{"tPag":"03","amount":%}`, "amount"},
		{"/transaction", `{"tPag":"03","amount":1,"installments":%}`, "installments"},
		{"/print/text", `[{"text":{"value":"x","size":%}}]`, "[0].text.size"},
		{"/display/text", `{"content":[{"text":{"value":"x","size":%}}],"backgroundColor":"#fff"}`, "content[0].text.size"},
		{"/display/carousel", `{"images":["x"],"intervalMs":%,"backgroundColor":"#fff"}`, "intervalMs"},
		{"/emulator/acquirer", `{"next":"approve","delayMs":%}`, "delayMs"},
	} {
		for _, number := range []string{`"10"`, `""`, `true`, `[]`, `{}`, `1e400`, `-1e400`, `1e999999999999`, `1e30`, strings.Repeat("9", 5000), "0." + strings.Repeat("1", 5000)} {
			m.call("POST", row.path, strings.Replace(row.body, "%", number, 1)).blames(row.field)
		}
	}
	m.alive()
}

func TestInputTooLarge(t *testing.T) {
	t.Parallel()
	m, hasty := start(t, longBodyTimeout), start(t, shortBodyTimeout)
	limits := []struct {
		path  string
		bytes int
		words string
	}{
		{"/print/image", 16 << 20, "16 MiB"}, {"/display/image", 16 << 20, "16 MiB"}, {"/print/xml", 4 << 20, "4 MiB"}, {"/display/carousel", 64 << 20, "64 MiB"},
	}
	for _, l := range limits {
		for _, length := range []string{strconv.Itoa(l.bytes + 1), "9223372036854775807"} {
			hasty.raw("POST", asks("POST", l.path, "Content-Length: "+length)).is(413, "Requisição grande demais: o limite é de "+l.words)
		}
	}
	for _, e := range jsonEndpoints {
		if e.path != "/display/carousel" {
			a := hasty.raw(e.method, asks(e.method, e.path, overJSON)).is(413, "Requisição grande demais: o limite é de 1 MiB")
			hasty.isError(a)
		}
	}
	// To the byte, whether the length is said beforehand or not.
	pad := func(body string, size int) string { return body + strings.Repeat(" ", size-len(body)) }
	chunked := func(path, body string) *answer {
		req := m.request("POST", path, nil)
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(body)), -1
		return m.do(req)
	}
	m.call("POST", "/sale", pad(`{}`, 1<<20)).ok()
	m.call("POST", "/sale/cancel", pad(`{"showMessage":false}`, 1<<20)).ok()
	chunked("/sale", pad(`{}`, 1<<20)).ok()
	m.call("POST", "/sale/cancel", `{"showMessage":false}`).ok()
	chunked("/sale", pad(`{}`, 1<<20+1)).is(413, "Requisição grande demais: o limite é de 1 MiB")
	m.unchecked("POST", "/print/xml", pad("<x/>", 4<<20), header{"Content-Type", "text/xml"}).is(500, "Erro ao imprimir")
	chunked("/print/xml", pad("<x/>", 4<<20+1)).is(413, "Requisição grande demais: o limite é de 4 MiB")
	m.unchecked("POST", "/display/image", make([]byte, 16<<20)).is(500, "Erro ao exibir imagem")
	chunked("/display/image", string(make([]byte, 16<<20+1))).is(413, "Requisição grande demais: o limite é de 16 MiB")
	m.alive()
}

func TestInputMalformedHTTP(t *testing.T) {
	t.Parallel()
	m := start(t)
	halfClosed := (*net.TCPConn).CloseWrite
	get := "GET /status HTTP/1.1\r\nHost: x\r\n"
	for _, row := range []struct {
		name, text string
		status     int
		then       []func(*net.TCPConn) error
	}{
		{"rubbish", "LIXO\r\n\r\n", 400, nil},
		{"a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, nil},
		{"no version", "GET /status\r\n\r\n", 400, nil},
		{"leading blank", " GET /status HTTP/1.1\r\nHost: x\r\n\r\n", 400, nil},
		{"no Host", "GET /status HTTP/1.1\r\n\r\n", 400, nil},
		{"two Hosts", get + "Host: y\r\n\r\n", 400, nil},
		{"bad Host", "GET /status HTTP/1.1\r\nHost: a b\r\n\r\n", 400, nil},
		{"bad escape", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, nil},
		{"NUL in the path", "GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n", 400, nil},
		{"header without colon", get + "sem dois pontos\r\n\r\n", 400, nil},
		{"header with blank name", get + "a b: c\r\n\r\n", 400, nil},
		{"NUL in a header", get + "X: a\x00b\r\n\r\n", 400, nil},
		{"length no number", get + "Content-Length: abc\r\n\r\n", 400, nil},
		{"length negative", get + "Content-Length: -5\r\n\r\n", 400, nil},
		{"two lengths", get + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 400, nil},
		{"version 9.9", "GET /status HTTP/9.9\r\nHost: x\r\n\r\n", 505, nil},
		{"unknown coding", "POST /sale HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501, nil},
		{"endless header", get + "X: " + strings.Repeat("a", 200<<10) + "\r\n\r\n", 431, nil},
		{"unknown expectation", asks("POST", "/sale", "Expect: bolo", "Content-Length: 2") + "{}", 417, nil},
		{"bad chunk", asks("POST", "/sale", "Transfer-Encoding: chunked") + "zz\r\n{}\r\n0\r\n\r\n", 400, nil},
		{"body cut off", asks("POST", "/sale", "Content-Length: 100") + `{"customerName":`, 400, []func(*net.TCPConn) error{halfClosed}},
		{"chunk cut off", asks("POST", "/sale", "Transfer-Encoding: chunked") + "64\r\n{}", 400, []func(*net.TCPConn) error{halfClosed}},
	} {
		a := m.raw("POST", row.text, row.then...)
		a.what = row.name
		if a.status != row.status {
			t.Errorf("%s: %d %s, want %d", a.what, a.status, a.body, row.status)
		}
		var body struct {
			Code    int
			Message string
		}
		if err := json.Unmarshal(a.body, &body); err != nil || body.Code != a.status || body.Message == "" {
			t.Errorf("%s: %d %q is not {code, message}", a.what, a.status, a.body)
			continue
		}
		m.isError(a)
	}
	m.alive()
}

// Every field of sections 2.1 to 2.4 against what it must not be. With no sale open a 400 also proves that it
// comes before 409.
func TestInputSaleFields(t *testing.T) {
	t.Parallel()
	m := start(t)
	texts, numbers, flags := []string{`5`, `true`, `[]`, `{}`}, []string{`"10"`, `true`, `[]`, `{}`, `1e400`, `1e15`}, []string{`"true"`, `0`, `1`, `[]`, `{}`}
	sound := map[string]string{
		"/sale": `{}`, "/sale/finalize": `{}`, "/sale/cancel": `{}`, "/sale/payment": `{"value":1}`,
		"/sale/item": `{"code":"1","description":"A","quantity":1,"unitPrice":1,"total":1}`,
	}
	for _, row := range []struct {
		path     string
		fields   string
		bad      []string
		required bool
	}{
		{"/sale", "customerDocument customerName sellerName additionalInfo", texts, false},
		{"/sale/item", "id additionalInfo", texts, false},
		{"/sale/item", "code description", texts, true},
		{"/sale/item", "canceled", flags, false},
		{"/sale/item", "quantity", append(numbers, `0`, `0.000`, `-1`, `-0`), true},
		{"/sale/item", "unitPrice total", append(numbers, `-0.01`), true},
		{"/sale/item", "discount addition", append(numbers, `-0.01`), false},
		{"/sale/payment", "id description additionalInfo", texts, false},
		{"/sale/payment", "tPag", append(texts, `"02"`, `"3"`, `"Credit"`, `""`, `"dinheiro"`), false},
		{"/sale/payment", "value", append(numbers, `-0.01`), true},
		{"/sale/finalize", "message buttonCloseText", texts, false},
		{"/sale/finalize", "showMessage showCloseButton", flags, false},
		{"/sale/finalize", "messageInterval", []string{`"1"`, `1.5`, `-1`, `true`, `[]`, `1e30`}, false},
		{"/sale/cancel", "message buttonCloseText", texts, false},
		{"/sale/cancel", "showMessage showCloseButton", flags, false},
		{"/sale/cancel", "messageInterval", []string{`"1"`, `1.5`, `-1`, `true`, `[]`, `1e30`}, false},
	} {
		for field := range strings.FieldsSeq(row.fields) {
			with := func(value string) string {
				var body map[string]json.RawMessage
				if err := json.Unmarshal([]byte(sound[row.path]), &body); err != nil {
					t.Fatal(err)
				}
				if body[field] = json.RawMessage(value); value == "" {
					delete(body, field)
				}
				text, _ := json.Marshal(body)
				return string(text)
			}
			bad := row.bad
			if row.required {
				bad = append([]string{``, `null`}, bad...)
			}
			for _, value := range bad {
				m.call("POST", row.path, with(value)).blames(field)
				patched := map[string]string{"/sale": "/sale", "/sale/item": "/sale/item/nada", "/sale/payment": "/sale/payment/nada"}[row.path]
				if patched != "" && field != "id" && value != "" {
					m.call("PATCH", patched, `{"`+field+`":`+value+`}`).blames(field)
				}
			}
		}
	}
	m.call("GET", "/sale", nil).is(409, "Nenhuma venda ativa!")
}
