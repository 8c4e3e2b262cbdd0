//go:build unix && (!race || everything)

package app_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

var bannerScreen = regexp.MustCompile(`(?m)^ +Tela +(https?://\S+?)/\?token=(\S+)`)

// Every way in is used, rightly and wrongly, with secrets that are known here; then all that the service said, wrote
// and answered is searched for them.
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	const (
		password, wrongPassword = "Senha-Escolhida-77", "Senha-Errada-78"
		pin, wrongPIN           = "80254613", "80254614"
	)
	data := filepath.Join(t.TempDir(), "data")
	// The most generous umask: modes must not depend on it.
	p := command(t, environment(), "--data", data, "--listen", "127.0.0.1:0", "--screen", "0.0.0.0:0", "--tls-listen", "127.0.0.1:0", "--autopilot-delay", "1ms")
	p.cmd = exec.Command("/bin/sh", append([]string{"-c", `umask 000; exec "$0" "$@"`, p.cmd.Path}, p.cmd.Args[1:]...)...)
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = environment(), p.stdout, p.stderr
	p.start(t)
	waittest.Until(t, "the banner", func() bool { return strings.Contains(p.stdout.String(), "Experimente:") })
	generatedUser, generated := credentialsIn(t, p.stdout.String())
	screen := bannerScreen.FindStringSubmatch(p.stdout.String())
	if screen == nil {
		t.Fatalf("no link in:\n%s", p.stdout)
	}
	token := screen[2]
	base := "http://127.0.0.1:" + screen[1][strings.LastIndex(screen[1], ":")+1:]
	p.caller = newCaller(t, bannerAPI.FindStringSubmatch(p.stdout.String())[1])

	said := map[string][]byte{} // every answer, by request
	note := func(what string, resp *http.Response, err error) {
		t.Helper()
		must(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(io.LimitReader(resp.Body, 8<<20))
		must(t, err)
		var headers bytes.Buffer
		for name, values := range resp.Header {
			if name != "Set-Cookie" { // how a device gets its token, and the operator's page its own
				headers.WriteString(name + ": " + strings.Join(values, ", ") + "\n")
			}
		}
		said[what] = append(headers.Bytes(), body...)
	}
	touch := func(method, path, body string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		must(t, err)
		req.Header.Set("Origin", base)
		req.Header.Set("Cookie", "maquininha_screen="+token)
		resp, err := p.client.Do(req)
		note("screen: "+method+" "+path, resp, err)
	}
	ask := func(user, password, method, path, body string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, p.base+path, strings.NewReader(body))
		must(t, err)
		req.SetBasicAuth(user, password)
		resp, err := p.client.Do(req)
		note("caller: "+method+" "+path, resp, err)
	}
	ask(generatedUser, generated, "GET", "/status", "")
	ask(generatedUser, wrongPassword, "POST", "/sale", "{}")
	ask("admin:"+wrongPassword, "", "GET", "/"+"nada", "")
	resp, err := http.Get(base + "/?token=" + token)
	note("screen: the link", resp, err)
	resp, err = http.Get(base + "/?token=" + token + "x")
	note("screen: a wrong link", resp, err)
	touch("POST", "/settings/first", `{"user":"caixa","password":"`+password+`","passwordAgain":"`+password+`","name":"Loja","pin":"`+pin+`","printer":"virtual-576","acquirer":"emulator","locale":"pt-BR"}`)
	touch("POST", "/settings/unlock", `{"pin":"`+wrongPIN+`"}`)
	touch("POST", "/settings/unlock", `{"pin":"`+pin+`"`) // malformed
	touch("POST", "/settings/unlock", `{"pin":"`+pin+`"}`)
	for _, path := range []string{"/", "/settings", "/js/main.js", "/js/feed.js", "/emulator/screen", "/emulator/requests", "/logs", "/manifest.webmanifest"} {
		touch("GET", path, "")
	}
	ask("caixa", password, "POST", "/sale", `{"customerName":"Ana"`) // malformed: its beginning is logged
	ask("caixa", password, "POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"r"}`)
	ask("caixa", password, "POST", "/print/text", `[{"text":{"value":"oi"}}]`)
	ask("caixa", password, "POST", "/restart", "")
	for _, path := range []string{
		"/", "/docs", "/openapi.bundle.yaml", "/status", "/info", "/sale", "/transaction", "/transaction/r", "/logs?limit=100000", "/emulator/screen",
		"/emulator/requests", "/emulator/printer/jobs", "/nada",
	} {
		ask("caixa", password, "GET", path, "")
	}
	if !bytes.Contains(said["caller: GET /status"], []byte(`"ok"`)) || !bytes.Contains(said["caller: GET /transaction/r"], []byte("nsu")) {
		t.Fatalf("the password that was chosen does not open: %s", said["caller: GET /status"])
	}
	arguments, err := os.ReadFile("/proc/self/cmdline")
	if err == nil {
		arguments, err = os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/cmdline")
		must(t, err)
	}
	said["arguments"] = arguments

	keyFile, err := os.ReadFile(filepath.Join(data, "tls-key.pem"))
	must(t, err)
	key := strings.Split(string(keyFile), "\n")[1]
	secrets := []string{
		password, wrongPassword, pin, wrongPIN, key, "$2a$", "$sha256$",
		base64.StdEncoding.EncodeToString([]byte("caixa:" + password)), base64.StdEncoding.EncodeToString([]byte(generatedUser + ":" + wrongPassword)),
	}
	search := func(where string, text []byte, secrets ...string) {
		t.Helper()
		for _, secret := range secrets {
			if i := bytes.Index(text, []byte(secret)); i >= 0 {
				t.Errorf("%s has %q: …%q…", where, secret, text[max(0, i-60):min(len(text), i+len(secret)+20)])
			}
		}
	}
	for what, text := range said {
		search(what, text, append(secrets, token, generated)...)
	}
	folder := func(when string) {
		t.Helper()
		must(t, filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; info.Mode().Perm() != want {
				t.Errorf("%s: %s has mode %v, want %v", when, path, info.Mode(), want)
			}
			if d.IsDir() || d.Name() == "tls-key.pem" {
				return nil
			}
			content, err := os.ReadFile(path)
			search(when+": "+d.Name(), content, password, wrongPassword, pin, wrongPIN, key, generated, secrets[len(secrets)-1], secrets[len(secrets)-2])
			if strings.HasPrefix(d.Name(), "logs") {
				search(when+": "+d.Name(), content, append(secrets, token)...)
			}
			return err
		}))
	}
	folder("while it runs")
	p.terminate(t)
	folder("afterwards")
	// The link and the password that was made are shown once, to whoever started it; nothing else ever is.
	search("standard output", []byte(p.stdout.String()), secrets...)
	search("standard error", []byte(p.stderr.String()), append(secrets, token, generated)...)

	// What a careless copy opened up is closed again at the next start.
	for _, name := range []string{"maquininha.db", "logs.db", "tls-key.pem", "maquininha.lock", "emulator-host.jsonl"} {
		must(t, os.Chmod(filepath.Join(data, name), 0o666))
	}
	p = serve(t, data, withSecret(), "--tls-listen", "127.0.0.1:0")
	folder("after a careless copy")
	if strings.Contains(p.stdout.String(), "Atenção") {
		t.Errorf("a warning without a reason:\n%s", p.stdout)
	}
	p.terminate(t)
	must(t, os.Chmod(data, 0o755))
	p = serve(t, data, withSecret())
	if !strings.Contains(p.stdout.String(), "chmod 700") {
		t.Errorf("an open folder is not worth a word:\n%s", p.stdout)
	}
	p.terminate(t)
}
