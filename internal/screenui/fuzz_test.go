package screenui_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

var touches = []struct {
	path  string
	seeds []string
}{
	{"/page/visible", []string{`{"page":"x","visible":true}`}},
	{"/page/beat", []string{`{"page":"x"}`}},
	{"/page/gone", []string{`{"page":"x"}`}},
	{"/question/check", []string{`{"serial":1,"index":0,"value":"529.982.247-25"}`, `{"serial":1,"index":-1,"value":""}`}},
	{"/question/answer", []string{`{"serial":1,"index":0,"value":"1"}`, `{"serial":18446744073709551615}`}},
	{"/question/cancel", []string{`{"serial":1}`}},
	{"/payment/act", []string{`{"serial":1,"action":"choose","method":"credit","installments":3}`, `{"serial":1,"action":"cancel"}`}},
	{"/result/dismiss", []string{`{}`}},
	{"/result/print", []string{`{"copy":"customer"}`}},
	{"/closing/dismiss", []string{`{}`}},
	{"/display/close", []string{`{"id":1}`}},
	{"/paper/tear", []string{`{"n":1}`}},
	{"/settings", []string{`{"locale":"en"}`, `{"user":"a:b","password":"12345678","passwordAgain":"1"}`, `{"printer":"tcp://[::1"}`}},
	{"/settings/first", []string{`{"later":true}`, `{"user":"x","password":"12345678","pin":"1234","name":"Loja"}`}},
	{"/settings/pin", []string{`{"pin":"1234"}`, `{"pin":"12"}`}},
	{"/settings/unlock", []string{`{"pin":"0000"}`}},
	{"/settings/lock", []string{`{}`}},
	{"/emulator/answer", []string{`{"value":"1"}`}},
	{"/emulator/payment", []string{`{"outcome":"approve"}`}},
}

// A page may send what it likes: it is told in words, and nothing falls over. A question stays on the screen, so that
// its answers are read.
func FuzzTouches(f *testing.F) {
	for route, r := range touches {
		for _, seed := range r.seeds {
			f.Add(uint8(route), []byte(seed))
		}
		for _, seed := range []string{"", "null", "[]", `{"serial":-1}`, `{"serial":1e3}`, `{"page":{}}`, "\xff"} {
			f.Add(uint8(route), []byte(seed))
		}
	}
	m := start(f)
	m.call("POST", "/display/text", `{"content":[{"text":{"value":"Oi"}}],"backgroundColor":"#fff"}`)
	go m.keepAsking(f.Context())
	f.Fuzz(func(t *testing.T, route uint8, body []byte) {
		path := touches[int(route)%len(touches)].path
		m.fuzz(t, path, body, nil)
	})
}

// Whatever the operator's page sends as settings, they are kept or refused in words.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{
		`{"name":"Mercado da Conceição"}`, `{"name":"\u0000"}`, `{"locale":"es"}`, `{"locale":""}`, `{"user":"a:b"}`, `{"password":"12345678","passwordAgain":"12345678"}`,
		`{"printer":"none"}`, `{"printer":"tcp://[::1"}`, `{"printer":"file:/dev/null?baud=1"}`, `{"acquirer":"emulator"}`, `{"cardReceipt":"both"}`, `{"cardReceipt":null,"name":""}`, `{"tradeName":"on","phone":"","itemNotes":"off"}`, `{}`, `[]`, `{"name":1}`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	const pin = `{"pin":"1234"}`
	m := start(f)
	m.touch("/settings/pin", pin)
	var key *http.Cookie
	f.Fuzz(func(t *testing.T, body []byte) {
		if key == nil { // at first, and after a change that restarts the service
			_, set := m.fuzz(t, "/settings/unlock", []byte(pin), nil)
			if len(set) == 0 {
				t.Skip("another has set another PIN")
			}
			key = set[0]
		}
		if status, _ := m.fuzz(t, "/settings", body, key); status == http.StatusForbidden {
			key = nil
		}
	})
}

// fuzz sends what a page might: the answer is nothing, JSON, or a refusal in words; never a fault of ours.
func (m *terminal) fuzz(t *testing.T, path string, body []byte, key *http.Cookie) (status int, set []*http.Cookie) {
	r, err := http.NewRequestWithContext(t.Context(), "POST", m.screen+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", m.screen)
	if key != nil {
		r.AddCookie(key)
	}
	resp, err := m.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Message string }
	switch {
	case resp.StatusCode == http.StatusNoContent && len(got) == 0:
	case resp.StatusCode == http.StatusOK && json.Valid(got):
	case resp.StatusCode >= 400 && resp.StatusCode < 500 && json.Unmarshal(got, &said) == nil && said.Message != "":
	default:
		t.Errorf("%s with %q: %d %q", path, body, resp.StatusCode, got)
	}
	return resp.StatusCode, resp.Cookies()
}

// keepAsking has a question on the screen, whoever answers it, until the context or the service ends.
func (m *terminal) keepAsking(ctx context.Context) {
	for ctx.Err() == nil {
		r, err := http.NewRequestWithContext(ctx, "POST", m.api+"/ask", strings.NewReader(`{"question":{"type":"TEXT","required":true}}`))
		if err != nil {
			panic(err) // a constant
		}
		r.SetBasicAuth(testUser, testPassword)
		resp, err := m.client.Do(r)
		if err != nil {
			return
		}
		resp.Body.Close()
	}
}
