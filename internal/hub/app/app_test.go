package app_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// running is a whole hub, and what its first screen said.
type running struct {
	*app.App
	welcome string
	stop    func()
}

func start(t *testing.T, c app.Config) *running {
	t.Helper()
	a, err := app.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	r := &running{App: a, welcome: a.Welcome()}
	r.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		ended <- nil
	}
	t.Cleanup(r.stop)
	hubtest.FirstHandshake(t, a.Address().String())
	return r
}

// said is what follows a word on the first screen.
func (r *running) said(word string) string {
	found := regexp.MustCompile(`(?m)` + word + `\s+(\S+)`).FindStringSubmatch(r.welcome)
	if found == nil {
		return ""
	}
	return found[1]
}

// place is where a hub can be started again: 127.0.0.1 is what its certificate names.
func place() string { return rig.FreeAddressAt("127.0.0.1") }

// client trusts the hub's own certificate, by its file in the data folder.
func client(t *testing.T, data string) *http.Client {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(data, certificate.OwnName))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// ask is a request with the key of the first start, or none.
func ask(t *testing.T, c *http.Client, method, url, key string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if id, secret, ok := strings.Cut(key, ":"); ok {
		r.SetBasicAuth(id, secret)
	}
	resp, err := c.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// From an empty folder to a terminal that answers through the hub, by nothing but what the first screen says; then the hub starts
// again, and the terminal is back by itself; then it is revoked, and never comes back.
func TestFromNothingToATerminal(t *testing.T) {
	config := app.Config{Listen: place(), Plain: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data"), Version: "9.9"}
	hub := start(t, config)
	key, url := hub.said("Chave de API"), hub.said("Página")
	if hub.said("Pessoa") != "admin" || len(hub.said("Senha")) < 20 || key == "" || url != hub.URL() || !strings.Contains(hub.welcome, "curl --cacert ") {
		t.Fatal(hub.welcome)
	}
	line := regexp.MustCompile(`maquininha join (\S+) (\S+) --pin (\S+)`).FindStringSubmatch(hub.welcome)
	if line == nil {
		t.Fatal(hub.welcome)
	}
	c := client(t, config.Data)
	if code, body := ask(t, c, "GET", url+"/status", ""); code != http.StatusOK || !strings.Contains(body, `"version":"9.9"`) {
		t.Error(code, body)
	}
	if code, body := ask(t, http.DefaultClient, "GET", "http://"+hub.Plain().String()+"/", ""); code != http.StatusOK || !strings.Contains(body, "/js/main.js") {
		t.Error(code, body)
	}
	http.DefaultClient.CloseIdleConnections()
	terminal := hubtest.Join(t, tunnel.Invitation{Address: line[1], Code: line[2], Pin: line[3], Name: "Caixa 1"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "caixa "+r.URL.Path) //nolint:errcheck // a test
	}))
	answers := func() bool {
		code, body := ask(t, c, "GET", url+"/terminals/"+terminal.ID+"/status", key)
		return code == http.StatusOK && body == "caixa /status"
	}
	waittest.Until(t, "the terminal answers through the hub", answers)
	if code, body := ask(t, c, "GET", url+"/metrics", key); code != http.StatusOK || !strings.Contains(body, "maquininha_hub_terminals_online 1\n") {
		t.Error(code, body)
	}
	// Who pays without a reference is told the hub's in advance, but not through the port for a reverse proxy: nginx hung on it.
	for base, want := range map[string]int{url: 1, "http://" + hub.Plain().String(): 0} {
		told := 0
		r, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error { told++; return nil }}),
			"POST", base+"/terminals/"+terminal.ID+"/transaction", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		id, secret, _ := strings.Cut(key, ":")
		r.SetBasicAuth(id, secret)
		resp, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if told != want || resp.Header.Get("X-Reference-Id") == "" {
			t.Errorf("%s: told %d times in advance, want %d; %v", base, told, want, resp.Header)
		}
	}

	hub.stop()
	again := start(t, config)
	if strings.Contains(again.welcome, "Senha") || strings.Contains(again.welcome, "maquininha join") {
		t.Errorf("a later start says: %s", again.welcome)
	}
	waittest.Until(t, "the terminal answers through the hub that started again", answers)
	if code, body := ask(t, c, "DELETE", url+"/api/v1/terminals/"+terminal.ID, key); code != http.StatusNoContent {
		t.Error(code, body)
	}
	if code, _ := ask(t, c, "GET", url+"/terminals/"+terminal.ID+"/status", key); code == http.StatusOK {
		t.Error("a revoked terminal answers")
	}
}

// What is in the folder is this user's alone, and is the same at every start.
func TestTheDataFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	config := app.Config{Listen: "127.0.0.1:0", Data: dir}
	hub := start(t, config)
	pin := hub.Pin()
	if _, err := app.New(t.Context(), config); err == nil || !strings.Contains(err.Error(), "em uso por outra instância") {
		t.Error(err)
	}
	hub.stop()
	for _, name := range []string{app.KeyFile, "hub.db", "tls-key.pem"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	password, err := app.NewPassword(t.Context(), config, "Admin") // as it is typed by some
	if err != nil || password == "" {
		t.Error(password, err)
	}
	if _, err := app.NewPassword(t.Context(), config, "ninguém"); err == nil || !strings.Contains(err.Error(), `"ninguém"`) {
		t.Error(err)
	}
	id, secret, err := app.NewKey(t.Context(), config, "PDV")
	if err != nil {
		t.Fatal(err)
	}
	again := start(t, config)
	c := client(t, dir)
	if code, body := ask(t, c, "GET", again.URL()+"/api/v1/terminals", id+":"+secret); code != http.StatusOK || again.Pin() != pin {
		t.Error(code, body, again.Pin())
	}
	resp, err := c.Post(again.URL()+"/api/v1/session", "application/json", strings.NewReader(`{"name":"admin","password":"`+password+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var who struct{ Role string }
	if err := json.NewDecoder(resp.Body).Decode(&who); err != nil || who.Role != "administers" {
		t.Error(resp.Status, who, err)
	}
	again.stop()
	if err := os.WriteFile(filepath.Join(dir, app.KeyFile), []byte("lixo"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := app.New(t.Context(), config); err == nil || !strings.Contains(err.Error(), "está danificada; restaure-a") {
		t.Error(err)
	}
}

func TestWhatNoHubCouldRunWith(t *testing.T) {
	for want, c := range map[string]app.Config{
		"--url deve ser um endereço como https://hub.exemplo.com.br":                   {URL: "http://x"},
		"--database deve ser um endereço como postgres://usuario:senha@servidor/banco": {Database: "mysql://u:segredo@x"},
		"--tls-cert e --tls-key andam juntos: o certificado e a chave dele":            {Cert: "x.pem"},
		"o banco de dados de --database não pode ser usado: ":                          {Database: "postgres://u:segredo@127.0.0.1:1/x", Listen: "127.0.0.1:0"},
		"não foi possível escutar em 127.0.0.1:99999 (--listen): endereço inválido":    {Listen: "127.0.0.1:99999"},
	} {
		c.Data = filepath.Join(t.TempDir(), "data")
		if _, err := app.New(t.Context(), c); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "segredo") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Behind a proxy that ends TLS, or with a certificate that an authority vouches for, no pin is asked for.
func TestTheJoinLine(t *testing.T) {
	hub := start(t, app.Config{Listen: "127.0.0.1:0", Data: t.TempDir(), URL: "https://hub.exemplo.com.br/"})
	if line := hub.JoinLine("ABCD2345"); line != "maquininha join https://hub.exemplo.com.br ABCD2345" {
		t.Error(line)
	}
}
