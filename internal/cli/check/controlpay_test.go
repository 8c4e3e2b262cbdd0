package check

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
)

// TestCheckControlPay: the key is tried without a sale, and told to nobody.
func TestCheckControlPay(t *testing.T) {
	t.Parallel()
	p := clitest.Start(t, "simulate", "controlpay", "--listen", "127.0.0.1:0", "--ledger", filepath.Join(t.TempDir(), "livro.jsonl"), "--key", "chave-da-loja")
	_, base, _ := strings.Cut(p.Sees("  API "), "API")
	text := "[acquirer]\ncard = 'controlpay'\npix = 'none'\n[controlpay]\nurl = '" + strings.TrimSpace(base) + "'\nkey = 'chave-da-loja'\npassword = '314159'\n"
	dir := clitest.Written(t, text+"terminal = 314\n")
	said, well := checked(t, dir, nil)
	clitest.Wants(t, said, "✓ ControlPay    a chave é aceita; o terminal 314 é conferido na primeira venda", "✓ Relógio ")
	if !well || strings.Contains(said, "chave-da-loja") {
		t.Error(said)
	}
	said, _ = checked(t, dir, []string{"MAQUININHA_CONTROLPAY_KEY=outra-chave"})
	clitest.Wants(t, said, "✗ ControlPay    a chave de integração foi recusada")
	if strings.Contains(said, "outra-chave") {
		t.Error(said)
	}
	said, _ = checked(t, dir, nil, "--offline")
	clitest.Wants(t, said, "– ControlPay    não consultado (--offline)")
	said, _ = checked(t, clitest.Written(t, text), nil)
	clitest.Wants(t, said, "o adquirente controlpay precisa de --controlpay-terminal")
	said, well = checked(t, dir, nil, "--controlpay-url", clitest.StartStranger(t))
	clitest.Wants(t, said, "✗ ControlPay    o que responde em ", " não é o ControlPay: confira o endereço (--controlpay-url")
	if well {
		t.Error("all is well at a wrong address")
	}
	said, _ = checked(t, clitest.Written(t, strings.ReplaceAll(text, "password = '314159'\n", "terminal = 314\n")), nil)
	clitest.Wants(t, said, "falta a senha técnica (MAQUININHA_CONTROLPAY_PASSWORD ou ")
	said, _ = checked(t, dir, nil, "--controlpay-url", "http://127.0.0.1:1")
	clitest.Wants(t, said, "✗ ControlPay    ", " recusou a conexão")
}
