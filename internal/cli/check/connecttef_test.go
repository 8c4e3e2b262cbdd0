package check

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
)

// TestCheckConnectTEF: whether it is there, and nothing is asked of the device to find out.
func TestCheckConnectTEF(t *testing.T) {
	t.Parallel()
	p, base := clitest.StartConnectTEF(t, filepath.Join(t.TempDir(), "livro.jsonl"))
	dir := clitest.Written(t, "[acquirer]\ncard = 'connecttef'\n[connecttef]\nurl = '"+base+"'\n")
	said, well := checked(t, dir, nil)
	clitest.Wants(t, said, "✓ Adquirente    Connect TEF (API local): ", "✓ Connect TEF   a API local responde em "+strings.TrimPrefix(base, "http://"))
	if !well {
		t.Error(said)
	}
	said, _ = checked(t, dir, nil, "--offline")
	clitest.Wants(t, said, "– Connect TEF   não consultado (--offline)")
	p.Signal(os.Kill)
	if everything, _ := p.Ends(); strings.Contains(everything, "POST") && strings.Contains(everything, "venda ") && strings.Contains(everything, " de R$") {
		t.Errorf("check did more than look: %s", everything)
	}
	said, _ = checked(t, dir, nil)
	clitest.Wants(t, said, "✗ Connect TEF   ", " recusou a conexão: o Connect TEF está aberto, neste endereço (--connecttef-url")

	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for _, url := range []string{other.URL, clitest.StartStranger(t)} {
		said, well = checked(t, dir, nil, "--connecttef-url", url)
		clitest.Wants(t, said, "✗ Connect TEF   o que responde em "+strings.TrimPrefix(url, "http://")+" não é o Connect TEF")
		if well {
			t.Errorf("all is well at %s", url)
		}
	}
	vague := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }))
	defer vague.Close()
	said, _ = checked(t, dir, nil, "--connecttef-url", vague.URL)
	clitest.Wants(t, said, "! Connect TEF   ", "nada na resposta prova que seja o Connect TEF")
	said, _ = checked(t, dir, nil, "--connecttef-url", "http://pos.example:3000")
	clitest.Wants(t, said, "✗ Connect TEF   --connecttef-url", " deve ser deste computador ou da rede da loja, ou começar com https://")
	said, _ = checked(t, dir, nil, "--connecttef-wait", "1s")
	clitest.Wants(t, said, "✗ Connect TEF   --connecttef-wait", " deve estar entre 30s e 1h")
}
