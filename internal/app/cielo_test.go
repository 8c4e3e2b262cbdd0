//go:build unix

package app_test

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/cielo/ordersim"
	"github.com/maquininha/maquininha/internal/app"
)

func TestCieloIsChecked(t *testing.T) {
	t.Parallel()
	whole := app.Cielo{ClientID: "c", Token: "t", Merchant: "m"}
	for _, c := range []struct {
		given app.Acquirers
		want  string // part of the complaint
	}{
		{app.Acquirers{Card: "cielo", Cielo: whole}, ""},
		{app.Acquirers{Card: "cielo"}, "precisa de --cielo-client-id, MAQUININHA_CIELO_TOKEN, --cielo-merchant-id"},
		{app.Acquirers{Pix: "cielo", Cielo: whole}, "--acquirer-pix deve ser um de emulator, tef, pix, connecttef, none"},
	} {
		err := c.given.Check(app.Production)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.given, err)
		}
	}
}

// TestPaidAtCielo: a sale whose reversal is 409 until somebody has made it at the device, with both books the same.
func TestPaidAtCielo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	book := filepath.Join(dir, "cielo.jsonl")
	account, err := ordersim.New(ordersim.Config{ClientID: "c", Token: "segredo", Merchant: "m", Ledger: book, AutoPay: time.Millisecond})
	must(t, err)
	url := simulated(t, func(ctx context.Context, ready func(net.Addr)) error {
		return account.Simulator.Serve(ctx, "127.0.0.1:0", ready, account)
	})
	c := config(filepath.Join(dir, "data"))
	c.AutopilotDelay = 0
	c.Acquirers = app.Acquirers{Card: "cielo", Pix: "none", Cielo: app.Cielo{URL: url + ordersim.Base, ClientID: "c", Token: "segredo", Merchant: "m"}}
	term := start(t, c)
	if got := term.ok(t, "POST", "/transaction", `{"tPag":"04","amount":10.00,"referenceId":"venda"}`); !strings.Contains(got, `"tBand":"02"`) || !strings.Contains(got, `"tPag":"04"`) || !strings.Contains(got, "01027058000191") {
		t.Error(got)
	}
	for _, body := range []string{"", `{"amount":4.00}`} {
		status, got := term.call(t, "POST", "/transaction/venda/reversal", body)
		if status != 409 || body == "" && !strings.Contains(got, "só é feito na maquininha") {
			t.Errorf("%d %s", status, got)
		}
	}
	if got := get[stored](t, term.caller, "/transaction/venda"); got.Details.Status != "approved" {
		t.Errorf("%+v", got)
	}
	must(t, account.Void(""))
	term.ok(t, "POST", "/transaction/venda/reversal", "")
	if got := get[stored](t, term.caller, "/transaction/venda"); got.Details.Status != "reversed" {
		t.Errorf("%+v", got)
	}
	b, err := ordersim.ReadBalance(book)
	must(t, err)
	if len(b.Violations) != 0 || len(b.Sums) != 1 || b.Sums[0].Paid != 1000 || b.Sums[0].Standing().Sign() != 0 {
		t.Errorf("%+v", b)
	}
}
