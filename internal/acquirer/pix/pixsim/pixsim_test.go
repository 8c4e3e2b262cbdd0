package pixsim_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	txid = "abcdefghijklmnopqrstuvwxyz0123"
	good = `{"calendario":{"expiracao":300},"valor":{"original":"10.00"},"chave":"k"}`
)

type client struct {
	t     *testing.T
	base  string
	token string
	http  http.Client
}

// run starts the PSP as the program does; stop ends it.
func run(t *testing.T, ledger string) (*client, func()) {
	t.Helper()
	return runWith(t, pixsim.Config{Ledger: ledger})
}

func runWith(t *testing.T, config pixsim.Config) (*client, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan net.Addr, 1), make(chan error, 1)
	config.Listen, config.ClientID, config.ClientSecret, config.Key = "127.0.0.1:0", "a", "b", "k"
	config.Ready = func(a net.Addr) { ready <- a }
	go func() { done <- pixsim.Run(ctx, config) }()
	c := &client{t: t}
	select {
	case a := <-ready:
		c.base = "http://" + a.String()
	case err := <-done:
		t.Fatal(err)
	}
	c.http.Transport = &http.Transport{DisableKeepAlives: true}
	c.token = c.asks(url.Values{"grant_type": {"client_credentials"}, "scope": {"cob.write cob.read pix.write pix.read"}})
	return c, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// inside is a client of a PSP without a network, for a test in a bubble.
func inside(t *testing.T, config pixsim.Config) (c *client, stop func()) {
	t.Helper()
	config.ClientID, config.ClientSecret, config.Key = "a", "b", "k"
	b, err := pixsim.New(config)
	if err != nil {
		t.Fatal(err)
	}
	c = &client{t: t, base: "http://psp"}
	c.http.Transport = handled{b}
	c.token = c.asks(url.Values{"grant_type": {"client_credentials"}, "scope": {"cob.write cob.read pix.write pix.read"}})
	return c, func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

type handled struct{ http.Handler }

func (h handled) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result(), nil
}

func (c *client) asks(form url.Values) string {
	c.t.Helper()
	r, _ := http.NewRequest(http.MethodPost, c.base+"/oauth/token", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth("a", "b")
	_, body := c.send(r)
	token, _ := body["access_token"].(string)
	return token
}

func (c *client) send(r *http.Request) (int, map[string]any) {
	c.t.Helper()
	res, err := c.http.Do(r)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	var body map[string]any
	if err := json.Unmarshal(raw, &body); err != nil {
		c.t.Fatalf("%s: %v", raw, err)
	}
	return res.StatusCode, body
}

func (c *client) call(method, path, body string) (int, map[string]any) {
	c.t.Helper()
	r, err := http.NewRequest(method, c.base+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return c.send(r)
}

func (c *client) want(status int, method, path, body string) map[string]any {
	c.t.Helper()
	got, answer := c.call(method, path, body)
	if got != status {
		c.t.Fatalf("%s %s: %d %v, want %d", method, path, got, answer, status)
	}
	return answer
}

func (c *client) violations() int {
	c.t.Helper()
	return len(c.want(200, "GET", "/sim/violations", "")["violations"].([]any))
}

func TestRulesAreHeld(t *testing.T) {
	c, stop := run(t, filepath.Join(t.TempDir(), "ledger"))
	defer stop()
	e2eid := strings.Repeat("E", 32)
	for i, bad := range []struct {
		status             int
		method, path, body string
	}{
		{400, "PUT", "/cob/short", good},
		{400, "PUT", "/cob/" + strings.Repeat("a", 36), good},
		{400, "PUT", "/cob/" + txid + "_", good},
		{400, "PUT", "/cob/" + txid, `{`},
		{400, "PUT", "/cob/" + txid, good + good},
		{400, "PUT", "/cob/" + txid, `{"valor":{"original":"10.00"},"chave":"k"}`},
		{400, "PUT", "/cob/" + txid, strings.Replace(good, "300", "0", 1)},
		{400, "PUT", "/cob/" + txid, strings.Replace(good, "300", `"300"`, 1)},
		{400, "PUT", "/cob/" + txid, strings.Replace(good, "10.00", "10", 1)},
		{400, "PUT", "/cob/" + txid, strings.Replace(good, "10.00", "0.00", 1)},
		{400, "PUT", "/cob/" + txid, strings.Replace(good, "10.00", "12345678901.00", 1)},
		{400, "PUT", "/cob/" + txid, strings.Replace(good, `"k"`, `"other"`, 1)},
		{400, "PUT", "/cob/" + txid, strings.Replace(good, `{`, `{"more":1,`, 1)},
		{400, "PUT", "/cob/" + txid, strings.Replace(good, `{`, `{"solicitacaoPagador":"`+strings.Repeat("x", 141)+`",`, 1)},
		{400, "PUT", "/cob/" + txid + "?a=b", good},
		{400, "GET", "/cob/short", ""},
		{405, "DELETE", "/cob/" + txid, ""},
		{404, "GET", "/nowhere", ""},
		{400, "PUT", "/pix/short/devolucao/a", `{"valor":"1.00"}`},
		{400, "PUT", "/pix/" + e2eid + "/devolucao/" + strings.Repeat("a", 36), `{"valor":"1.00"}`},
	} {
		if got := c.want(bad.status, bad.method, bad.path, bad.body); got["type"] == "" || got["status"] != float64(bad.status) {
			t.Errorf("%v", got)
		}
		if n := c.violations(); n != i+1 {
			t.Fatalf("%+v: %d violations", bad, n)
		}
	}
	before := c.violations()
	c.token = c.asks(url.Values{"grant_type": {"client_credentials"}, "scope": {"cob.read"}})
	c.want(403, "PUT", "/cob/"+txid, good)
	c.token = ""
	c.want(401, "GET", "/cob/"+txid, "")
	for _, form := range []url.Values{{}, {"grant_type": {"password"}}, {"grant_type": {"client_credentials"}, "scope": {"all"}}} {
		if c.asks(form) != "" {
			t.Errorf("a token for %v", form)
		}
	}
	if n := c.violations() - before; n != 5 {
		t.Errorf("%d violations more", n)
	}
}

func TestLifeOfACharge(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	c, stop := run(t, ledger)
	made := c.want(201, "PUT", "/cob/"+txid, good)
	if made["status"] != "ATIVA" || !strings.HasPrefix(made["pixCopiaECola"].(string), "000201") {
		t.Errorf("%v", made)
	}
	c.want(400, "PUT", "/cob/"+txid, good)
	c.want(404, "GET", "/cob/"+txid+"x", "")
	if open := c.want(200, "GET", "/sim/charges", "")["charges"].([]any); len(open) != 1 {
		t.Errorf("%v", open)
	}
	e2eid := c.want(200, "POST", "/sim/pay/"+txid, "")["endToEndId"].(string)
	c.want(409, "POST", "/sim/pay/"+txid, "")
	c.want(404, "POST", "/sim/pay/nobody", "")
	c.want(400, "PATCH", "/cob/"+txid, `{"status":"REMOVIDA_PELO_USUARIO_RECEBEDOR"}`)
	c.want(200, "POST", "/sim/next", `{"misbehaviour":"refund-slowly","ms":50}`)
	c.want(400, "POST", "/sim/next", `{"misbehaviour":"nonsense"}`)
	back := "/pix/" + e2eid + "/devolucao/"
	if r := c.want(201, "PUT", back+"a", `{"valor":"4.00"}`); r["status"] != "EM_PROCESSAMENTO" {
		t.Errorf("%v", r)
	}
	c.want(400, "PUT", back+"b", `{"valor":"6.01"}`)
	if n := c.violations(); n != 0 {
		t.Errorf("%d violations", n)
	}
	stop()

	// A line that a power loss cut off is no event.
	f, err := os.OpenFile(ledger, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(`{"event":"pay`)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c, stop = run(t, ledger)
	defer stop()
	waittest.Until(t, "the refund is made", func() bool { return c.want(200, "GET", back+"a", "")["status"] == "DEVOLVIDO" })
	c.want(201, "PUT", back+"b", `{"valor":"6.00"}`)
	if seen := c.want(200, "GET", "/cob/"+txid, ""); seen["status"] != "CONCLUIDA" {
		t.Errorf("%v", seen)
	}
	events, err := pixsim.ReadLedger(ledger)
	if err != nil || len(events) != 5 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func TestMisbehavioursEnd(t *testing.T) {
	c, stop := run(t, filepath.Join(t.TempDir(), "ledger"))
	defer stop()
	c.want(200, "POST", "/sim/next", `{"misbehaviour":"500-after","on":"create"}`)
	c.want(500, "PUT", "/cob/"+txid, good)
	c.want(200, "GET", "/cob/"+txid, "")
	c.want(200, "POST", "/sim/next", `{"misbehaviour":"drop","times":2}`)
	c.want(0, "GET", "/cob/"+txid, "")
	c.want(200, "POST", "/sim/behave", "")
	c.want(200, "GET", "/cob/"+txid, "")
	c.want(200, "POST", "/sim/remove/"+txid, "")
	if seen := c.want(200, "GET", "/cob/"+txid, ""); seen["status"] != "REMOVIDA_PELO_PSP" {
		t.Errorf("%v", seen)
	}
}
