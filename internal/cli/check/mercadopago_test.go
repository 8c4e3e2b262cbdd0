package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
)

// TestCheckMercadoPago: which of token, device and mode is wrong, and no order is made to find out.
func TestCheckMercadoPago(t *testing.T) {
	t.Parallel()
	p, base := clitest.StartMercadoPago(t, filepath.Join(t.TempDir(), "livro.jsonl"))
	text := "[acquirer]\ncard = 'mercadopago'\npix = 'none'\n[mercadopago]\nurl = '" + base + "'\ntoken = 'APP_USR-0-simulador-0-1'\n"
	dir := clitest.Written(t, text+"device = 'NEWLAND_N950__SBX0000001'\n")
	said, well := checked(t, dir, nil)
	clitest.Wants(t, said, "✓ Mercado Pago  a maquininha NEWLAND_N950__SBX0000001 é da conta e está em modo PDV", "✓ Relógio ", ", como o do banco")
	if !well || strings.Contains(said, "APP_USR-0-simulador-0-1") {
		t.Error(said)
	}
	said, _ = checked(t, dir, []string{"MAQUININHA_MERCADOPAGO_TOKEN=outro-segredo"})
	clitest.Wants(t, said, "✗ Mercado Pago  o access token foi recusado")
	if strings.Contains(said, "outro-segredo") {
		t.Error(said)
	}
	said, _ = checked(t, dir, nil, "--mercadopago-device", "PAX_A910__1")
	clitest.Wants(t, said, "✗ Mercado Pago  a conta não tem a maquininha PAX_A910__1", "; tem NEWLAND_N950__SBX0000001")
	said, _ = checked(t, dir, nil, "--offline")
	clitest.Wants(t, said, "– Mercado Pago  não consultado (--offline)")
	said, _ = checked(t, clitest.Written(t, text), nil)
	clitest.Wants(t, said, "o adquirente mercadopago precisa de --mercadopago-device")
	said, well = checked(t, dir, nil, "--mercadopago-url", clitest.StartStranger(t))
	clitest.Wants(t, said, "✗ Mercado Pago  o que responde em ", " não é o Mercado Pago: confira o endereço (--mercadopago-url")
	if well {
		t.Error("all is well at a wrong address")
	}
	p.Signal(os.Kill)
	everything, _ := p.Ends()
	if strings.Contains(everything, "/v1/orders") && strings.Contains(everything, "criada") {
		t.Errorf("check did more than ask for the devices: %s", everything)
	}
	said, _ = checked(t, dir, nil)
	clitest.Wants(t, said, "✗ Mercado Pago  ", " recusou a conexão")

	_, base = clitest.StartMercadoPago(t, filepath.Join(t.TempDir(), "livro.jsonl"), "--mode", "STANDALONE")
	said, _ = checked(t, dir, nil, "--mercadopago-url", base)
	clitest.Wants(t, said, "✗ Mercado Pago  a maquininha NEWLAND_N950__SBX0000001 está no modo STANDALONE")
	said, _ = checked(t, dir, nil, "--mercadopago-url", "http://api.example")
	clitest.Wants(t, said, "✗ Mercado Pago  --mercadopago-url ou [mercadopago] url deve começar com https://")
}
