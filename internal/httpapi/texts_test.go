//go:build !race || everything

package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/maquininha/maquininha/internal/httpapi/apidoc"
)

// Every text that a caller sends has a limit that the description names: a text of that many characters is taken, one more is 400
// and says which.
func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	m := start(t)
	doc, err := openapi3.NewLoader().LoadFromData(apidoc.Spec())
	if err != nil {
		t.Fatal(err)
	}
	item := `"code":"1","description":"A","quantity":1,"unitPrice":1,"total":1`
	bodies := map[string]string{ // by method and path; % is the field with its text
		"POST /sale": `{%}`, "PATCH /sale": `{%}`, "POST /sale/item": `{` + item + `,%}`, "PATCH /sale/item/{itemId}": `{%}`,
		"POST /sale/payment": `{"value":1,%}`, "PATCH /sale/payment/{paymentId}": `{%}`, "POST /sale/finalize": `{%}`, "POST /sale/cancel": `{%}`,
		"POST /transaction": `{"tPag":"03","amount":0.51,%}`,
		"POST /ask":         `{"question":{},"parameters":{%}}`, "POST /ask question": `{"question":{%}}`, "POST /ask option": `{"question":{"type":"LIST","options":[{"id":1,"name":"a","value":"b",%}]}}`,
		"POST /emulator/answer": `{%}`, "POST /emulator/payment": `{"outcome":"approve",%}`, "POST /emulator/card": `{"entry":"tap",%}`, "POST /emulator/acquirer": `{"next":"approve",%}`,
		"POST /print/text": `[{"text":{%}}]`, "POST /display/text": `{"backgroundColor":"#fff","content":[{"text":{%}}]}`,
	}
	schemas := map[string]string{
		"POST /sale": "SaleData", "PATCH /sale": "SaleData", "POST /sale/item": "ItemInput", "PATCH /sale/item/{itemId}": "ItemPatch", "POST /sale/payment": "PaymentInput",
		"PATCH /sale/payment/{paymentId}": "PaymentPatch", "POST /sale/finalize": "ClosingOptions", "POST /sale/cancel": "ClosingOptions", "POST /transaction": "TransactionRequest",
		"POST /ask": "QuestionParameters", "POST /ask question": "Question", "POST /ask option": "Option",
	}
	tried := 0
	for route, body := range bodies {
		method, rest, _ := strings.Cut(route, " ")
		path, _, _ := strings.Cut(rest, " ")
		var properties openapi3.Schemas
		if name := schemas[route]; name != "" {
			properties = doc.Components.Schemas[name].Value.Properties
		} else if strings.HasPrefix(path, "/emulator/") {
			properties = doc.Paths.Value(path).Post.RequestBody.Value.Content["application/json"].Schema.Value.Properties
		} else {
			properties = doc.Components.Schemas["Instruction"].Value.OneOf[0].Value.Properties["text"].Value.Properties
		}
		path = strings.NewReplacer("{itemId}", "1", "{paymentId}", "1").Replace(path)
		for name, p := range properties {
			if !p.Value.Type.Includes("string") || p.Value.Enum != nil {
				continue
			}
			if p.Value.MaxLength == nil {
				t.Errorf("%s: %s has no limit in the description", route, name)
				continue
			}
			most := int(*p.Value.MaxLength)
			words := fmt.Sprintf("%s deve ter no máximo %d caracteres", name, most)
			send := func(length int) *answer {
				return m.unchecked(method, path, strings.Replace(body, "%", fmt.Sprintf(`"%s":"%s"`, name, strings.Repeat("ç", length)), 1))
			}
			if a := send(most + 1); a.status != 400 || !strings.HasSuffix(a.json()["message"].(string), words) {
				t.Errorf("%s: %s of %d characters: %d %.200s", route, name, most+1, a.status, a.body)
			}
			if path == "/ask" || path == "/transaction" || path == "/print/text" {
				continue // would be held, or printed
			}
			if a := send(most); strings.Contains(string(a.body), "caracteres") {
				t.Errorf("%s: %s of %d characters: %d %.200s", route, name, most, a.status, a.body)
			}
			tried++
		}
	}
	if tried < 20 {
		t.Errorf("only %d texts were tried", tried)
	}
}

// A reference must fit into a path; one that no payment can have says so there too.
func TestLongReferences(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	const words = "Requisição inválida: referenceId deve ter no máximo 256 caracteres"
	for _, letter := range []string{"a", "é", "😀", "/"} {
		longest := strings.Repeat(letter, 256)
		m.call("POST", "/transaction", map[string]any{"tPag": "03", "amount": 1, "referenceId": longest}).ok()
		m.call("GET", "/transaction/"+url.PathEscape(longest), nil).ok()
		m.call("POST", "/transaction/"+url.PathEscape(longest)+"/reversal", nil).ok()
		m.call("POST", "/transaction", map[string]any{"tPag": "03", "amount": 1, "referenceId": longest + letter}).is(400, words)
		m.call("GET", "/transaction/"+url.PathEscape(longest+letter), nil).is(400, words)
		m.call("POST", "/transaction/"+url.PathEscape(longest+letter)+"/reversal", nil).is(400, words)
	}
}

// Half of a surrogate pair is no letter: two references that differ in one must not become the same.
func TestHalfLetters(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	for _, body := range []string{
		`{"tPag":"03","amount":1,"referenceId":"\ud800"}`, `{"tPag":"03","amount":1,"referenceId":"a\udfffb"}`, `{"tPag":"03","amount":1,"details":{"a":["\ud83d"]}}`,
		`{"tPag":"03","amount":1,"details":{"\ud83d\ud83d":1}}`, `{"tPag":"03","amount":1,"unknown":"\udc00\ud800"}`,
	} {
		if a := m.call("POST", "/transaction", body); a.status != 400 || !strings.Contains(string(a.body), "pela metade") {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"\ud83d\ude00"}`).ok()
	m.call("GET", "/transaction/"+url.PathEscape("😀"), nil).ok()
}

// What is kept of a body can be read again by anybody: it nests no deeper than that.
func TestDeepDetails(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	deep := func(n int) string {
		return `{"tPag":"03","amount":1,"details":` + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + `}`
	}
	m.call("POST", "/transaction", deep(63)).ok()
	m.call("POST", "/transaction", deep(64)).is(400, "Requisição inválida: o corpo tem níveis demais, um dentro do outro: o limite é de 64")
	var list []any
	if err := json.Unmarshal(m.call("GET", "/transaction", nil).ok().body, &list); err != nil || len(list) != 1 {
		t.Errorf("%d transactions, %v", len(list), err)
	}
}
