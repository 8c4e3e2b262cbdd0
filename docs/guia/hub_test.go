//go:build unix

package guia_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

// running is a hub that was started as the chapter says, and what it said first.
type running struct {
	t       *testing.T
	data    string
	welcome string
	client  *http.Client
}

// startHub runs the program of the command on free ports.
func (s stage) startHub(command string) *running {
	s.t.Helper()
	if strings.TrimSpace(command) != "go run ./cmd/maquininha-hub" {
		s.t.Fatalf("the chapter starts it with %q", command)
	}
	h := &running{t: s.t, data: filepath.Join(s.t.TempDir(), "hub")}
	cmd := exec.Command(hub(s.t))
	cmd.Env = append(os.Environ(), "MAQUININHA_HUB_DATA="+h.data, "MAQUININHA_HUB_LISTEN=127.0.0.1:0", "MAQUININHA_HUB_HTTP=127.0.0.1:0")
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		cmd.Process.Kill() //nolint:errcheck // it may have ended
		cmd.Wait()         //nolint:errcheck // it was killed
		if s.t.Failed() {
			s.t.Logf("the hub said:\n%s", &complaints)
		}
	})
	for lines := bufio.NewScanner(out); !strings.Contains(h.welcome, " join ") && lines.Scan(); {
		h.welcome += lines.Text() + "\n"
	}
	go io.Copy(io.Discard, out) //nolint:errcheck // it must not wait for a reader
	roots := x509.NewCertPool()
	text, err := os.ReadFile(filepath.Join(h.data, "tls-cert.pem"))
	if err != nil || !roots.AppendCertsFromPEM(text) {
		s.t.Fatalf("%v: %s", err, h.welcome)
	}
	h.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}}
	return h
}

// said is what stands behind a name on the first screen.
func (h *running) said(name string) string {
	h.t.Helper()
	found := regexp.MustCompile(`(?m)^ +` + name + ` +(\S+)`).FindStringSubmatch(h.welcome)
	if found == nil {
		h.t.Fatalf("no %s in:\n%s", name, h.welcome)
	}
	return found[1]
}

// holds tells whether an answer of the hub has a text.
func (h *running) holds(path, text string) bool {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, h.said("Página")+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	id, secret, _ := strings.Cut(h.said("Chave de API"), ":")
	r.SetBasicAuth(id, secret)
	answer, err := h.client.Do(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return err == nil && strings.Contains(string(body), text)
}

// compareScreen finds what the guide shows of the first screen, line by line. One line is there only where the machine has another
// address.
func (h *running) compareScreen(shown string) {
	h.t.Helper()
	rest := h.welcome
	for line := range strings.Lines(shown) {
		if line = strings.TrimRight(line, "\n"); strings.HasSuffix(line, "(neste computador)") {
			continue
		}
		at := regexp.MustCompile("(?m)^" + strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + "$").FindStringIndex(rest)
		if at == nil {
			h.t.Fatalf("the hub does not say %q here:\n%s", line, rest)
		}
		rest = rest[at[1]:]
	}
}

// perform runs blocks in one shell; programs among them are built before.
func (s stage) perform(bash string, blocks []block, from, to int) {
	s.t.Helper()
	script := "set -eu\n"
	for i := from; i < to; i++ {
		b := blocks[i]
		switch {
		case b.skipped():
		case b.lang == "sh":
			script += fmt.Sprintf("exec >%q\n%s", s.output(i), s.here(b.text))
		case b.lang == "go":
			script += fmt.Sprintf("%q\n", s.buildGo(b))
		case b.lang == "js":
			script += fmt.Sprintf("%q %s\n", need(s.t, "node"), s.moduleOf(b))
		}
	}
	if said, err := s.run(bash, "-c", script); err != nil {
		s.t.Fatalf("%v\n%s", err, said)
	}
}

// The chapter of the hub, from its first command to its last, with the real programs.
func TestManyShops(t *testing.T) {
	t.Parallel()
	bash := need(t, "bash")
	need(t, "curl")
	blocks := read(t, manyShops).blocks
	at := func(lang, text string) int {
		t.Helper()
		for i, b := range blocks {
			if b.lang == lang && !b.skipped() && (strings.Contains(b.text, text) || b.remark == text) {
				return i
			}
		}
		t.Fatalf("the chapter has no %s", text)
		return 0
	}
	s := newStage(t)
	start, join, away := at("sh", "go run "), at("sh", "maquininha join "), at("sh", "away")
	h := s.startHub(blocks[start].text)
	h.compareScreen(blocks[start+1].text)
	blocks[join].text = regexp.MustCompile(`maquininha join .*`).FindString(h.welcome) + "\n"
	address := h.said("Página")
	s.env = []string{
		"HUB=" + address, "CHAVE=" + h.said("Chave de API"), "CURL_CA_BUNDLE=" + filepath.Join(h.data, "tls-cert.pem"),
		"MAQUININHA_HUB_DATA=" + h.data, "MAQUININHA_HUB_LISTEN=" + strings.TrimPrefix(address, "https://"),
	}
	s.perform(bash, blocks, join, join+1)
	waittest.Until(t, "the terminal is there", func() bool { return h.holds("/api/v1/terminals?state=online", `"printer":"ok"`) })
	kept, err := os.ReadFile(filepath.Join(s.process.Data, "hub.json"))
	var member struct{ Terminal string }
	if err == nil {
		err = json.Unmarshal(kept, &member)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "TERMINAL="+member.Terminal)
	fleet := at("sh", "/api/v1/terminals?state=online")
	s.perform(bash, blocks, join+1, fleet)
	waittest.Until(t, "the hub has heard that nothing is being paid", func() bool { return h.holds("/api/v1/terminals?state=online", `"busy":false`) })
	s.perform(bash, blocks, fleet, away)
	waittest.Until(t, "the hub has read what was paid", func() bool { return h.holds("/api/v1/transactions?referenceId=pedido-4&status=approved", "pedido-4") })
	s.behindNginx(h, blocks[at("text", "proxy_pass")].text, member.Terminal)
	s.process.Kill()
	waittest.Until(t, "the terminal has gone", func() bool { return h.holds("/api/v1/terminals?state=offline", `"online":false`) })
	s.perform(bash, blocks, away, len(blocks))
	write(t, s.output(start), blocks[start+1].text) // compared above
	s.compareOutputs(blocks)
}

// behindNginx puts nginx before the hub, with the chapter's own configuration, and pays through it.
func (s stage) behindNginx(h *running, config, terminal string) {
	s.t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx" // not everybody's path has it
	}
	if _, err := os.Stat(program); err != nil {
		s.t.Log("there is no nginx")
		return
	}
	dir := s.t.TempDir()
	if len(dir) > 80 { // the name of a socket has no room for more
		if dir, err = os.MkdirTemp("", "nginx"); err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { os.RemoveAll(dir) })
	}
	socket := filepath.Join(dir, "s")
	server := strings.NewReplacer("listen 443 ssl", "listen unix:"+socket+" ssl", "/etc/ssl/hub.pem", filepath.Join(h.data, "tls-cert.pem"),
		"/etc/ssl/hub.key", filepath.Join(h.data, "tls-key.pem"), "http://127.0.0.1:9061", h.said("HTTP")).Replace(config)
	around := "daemon off;\nmaster_process off;\npid %[1]s/pid;\nerror_log %[1]s/error.log;\nevents {}\nhttp {\naccess_log off;\n"
	for _, folder := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		around += folder + "_temp_path %[1]s/" + folder + ";\n"
	}
	write(s.t, filepath.Join(dir, "nginx.conf"), fmt.Sprintf(around, dir)+server+"}\n")
	nginx := exec.Command(program, "-p", dir, "-c", filepath.Join(dir, "nginx.conf"), "-e", filepath.Join(dir, "early.log"))
	if err := nginx.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		nginx.Process.Kill() //nolint:errcheck // it may have ended
		nginx.Wait()         //nolint:errcheck // as above
	})
	curl := func(args ...string) string {
		said, _ := s.run("curl", append([]string{"-s", "-i", "--unix-socket", socket, "-u", h.said("Chave de API")}, args...)...)
		return said
	}
	waittest.Until(s.t, "nginx answers", func() bool { return strings.Contains(curl("https://localhost/status"), `"database":"ok"`) })
	paid := curl("https://localhost/terminals/"+terminal+"/transaction", "-d", `{"tPag":"03","amount":1}`)
	if !strings.Contains(paid, "Transação aprovada") || strings.Count(paid, "X-Reference-Id: ") != 1 {
		errors, _ := os.ReadFile(filepath.Join(dir, "error.log"))
		s.t.Errorf("through nginx: %s\n%s", paid, errors)
	}
}
