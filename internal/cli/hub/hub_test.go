//go:build unix

package hub

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// Joining, what check says then, and leaving, as a person types it; and what is said of what was typed wrongly.
func TestJoinAndLeave(t *testing.T) {
	t.Parallel()
	hub := tunneltest.New(t)
	data := filepath.Join(t.TempDir(), "new", "data")
	at := func(args ...string) []string { return append(args, "--data", data) }
	for _, c := range []struct {
		args []string
		want string
	}{
		{at("leave"), "este terminal não está em nenhum hub"},
		{at("join", hub.URL, "ZZZZ9999", "--pin", hub.Pin()), "o hub recusou: Código desconhecido ou vencido"},
		{at("join", hub.URL, tunneltest.Code), "com --pin sha256/…"},
		{at("join", hub.URL, tunneltest.Code, "--pin", "sha256/"+strings.Repeat("A", 43)+"="), "o certificado do hub não é o do --pin"},
		{at("join", hub.URL, tunneltest.Code, "--pin", "x"), "o pin não é válido"},
		{at("join", "http://hub.exemplo", tunneltest.Code), "não é o endereço de um hub"},
		{at("join", hub.URL, tunneltest.Code, "--pin", hub.Pin(), "--proxy", "proxy"), "não é o endereço de um proxy"},
		{at("join", hub.URL, tunneltest.Code, "--pin", hub.Pin(), "--proxy", "http://127.0.0.1:1"), "pelo proxy: conectando a 127.0.0.1:1: conexão recusada"},
		{at("join", hub.URL), "informe o código"},
	} {
		if said := clitest.Complaint(t, c.args...); !strings.Contains(said, c.want) {
			t.Errorf("%q: %s", c.args, said)
		}
	}
	if _, err := os.Stat(filepath.Dir(data)); !os.IsNotExist(err) {
		t.Errorf("a join that failed leaves a folder behind: %v", err)
	}
	said := clitest.Output(t, at("join", hub.URL, "abcd-2345", "--pin", hub.Pin(), "--name", "Caixa 7")...)
	for _, want := range []string{"Caixa 7 (terminal-1)", "Loja", hub.URL, "Quando iniciar"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
	if info, err := os.Stat(filepath.Join(data, tunnel.File)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v: %v", info, err)
	}
	if said := clitest.Complaint(t, at("join", hub.URL, tunneltest.Code, "--pin", hub.Pin())...); !strings.Contains(said, "maquininha leave") {
		t.Errorf("joining twice: %s", said)
	}
	if said := clitest.Output(t, at("check", "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")...); !strings.Contains(said, "✓ Hub           "+hub.URL+" responde e aceita este terminal") {
		t.Errorf("check: %s", said)
	}
	hub.Revoke()
	said, code := clitest.Start(t, at("check", "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")...).Ends()
	if code != 1 || !strings.Contains(said, "✗ Hub           "+hub.URL+" responde, mas recusa este terminal: o hub revogou este terminal") {
		t.Errorf("check of a hub that has revoked it: %d %s", code, said)
	}
	if len(hub.Accepted) > 0 {
		t.Error("a look is taken for a link")
	}
	hub.Close()
	if said := clitest.Output(t, at("check", "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")...); !strings.Contains(said, "! Hub           "+hub.URL+" não responde") {
		t.Errorf("check of a hub that is away: %s", said)
	}
	if said := clitest.Output(t, at("leave")...); !strings.Contains(said, hub.URL) || !strings.Contains(said, "O serviço não está no ar: os últimos pagamentos, se o hub não os leu, ficam só neste terminal.") {
		t.Errorf("leaving: %s", said)
	}
	if _, err := os.Stat(filepath.Join(data, tunnel.File)); !os.IsNotExist(err) {
		t.Error(err)
	}
}
