package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
)

// TestCheckCielo: which of the credentials are wrong, and no order is made to find out.
func TestCheckCielo(t *testing.T) {
	t.Parallel()
	p, base := clitest.StartCielo(t, filepath.Join(t.TempDir(), "livro.jsonl"))
	text := "[acquirer]\ncard = 'cielo'\npix = 'none'\n[cielo]\nurl = '" + base + "'\nclient_id = 'simulador'\ntoken = 'simulador-token'\n"
	dir := clitest.Written(t, text+"merchant_id = 'loja-do-simulador'\n")
	said, well := checked(t, dir, nil)
	clitest.Wants(t, said, "✓ Cielo         as credenciais servem", ", como o do banco")
	if !well || strings.Contains(said, "simulador-token") {
		t.Error(said)
	}
	said, _ = checked(t, dir, []string{"MAQUININHA_CIELO_TOKEN=outro-segredo"})
	clitest.Wants(t, said, "✗ Cielo         a Cielo recusou o Client-Id ou o Access-Token")
	if strings.Contains(said, "outro-segredo") {
		t.Error(said)
	}
	said, _ = checked(t, dir, nil, "--cielo-merchant-id", "outra")
	clitest.Wants(t, said, "✗ Cielo         estas credenciais não dão acesso a este Merchant-Id")
	said, _ = checked(t, dir, nil, "--offline")
	clitest.Wants(t, said, "– Cielo         não consultado (--offline)")
	said, _ = checked(t, clitest.Written(t, text), nil)
	clitest.Wants(t, said, "o adquirente cielo precisa de --cielo-merchant-id")
	said, well = checked(t, dir, nil, "--cielo-url", clitest.StartStranger(t))
	clitest.Wants(t, said, "✗ Cielo         o que responde em ", " não é a Cielo: confira o endereço (--cielo-url")
	if well {
		t.Error("all is well at a wrong address")
	}
	p.Signal(os.Kill)
	if everything, _ := p.Ends(); strings.Contains(everything, "rascunho") {
		t.Errorf("check did more than look: %s", everything)
	}
	said, _ = checked(t, dir, nil)
	clitest.Wants(t, said, "✗ Cielo         ", " recusou a conexão")
	said, _ = checked(t, dir, nil, "--cielo-url", "http://api.example")
	clitest.Wants(t, said, "✗ Cielo         --cielo-url", " deve começar com https://")
}
