//go:build unix

package app_test

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/app"
)

func TestMercadoPagoIsChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		given app.Acquirers
		want  string // part of the complaint
	}{
		{app.Acquirers{Card: "mercadopago", MercadoPago: app.MercadoPago{Token: "t", Device: "d"}}, ""},
		{app.Acquirers{Card: "mercadopago"}, "precisa de MAQUININHA_MERCADOPAGO_TOKEN, --mercadopago-device"},
		{app.Acquirers{Card: "mercadopago", MercadoPago: app.MercadoPago{Token: "t"}}, "precisa de --mercadopago-device"},
		{app.Acquirers{Pix: "mercadopago", MercadoPago: app.MercadoPago{Token: "t", Device: "d"}}, "--acquirer-pix deve ser um de"},
	} {
		err := c.given.Check(app.Production)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.given, err)
		}
	}
}

// TestPaidAtAPoint: a sale, part of it given back, then the rest, with both books the same.
func TestPaidAtAPoint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	book := filepath.Join(dir, "mercadopago.jsonl")
	url := simulated(t, func(ctx context.Context, ready func(net.Addr)) error {
		return pointsim.Run(ctx, pointsim.Config{Listen: "127.0.0.1:0", Token: "segredo", Ledger: book, AutoPay: time.Millisecond, Ready: ready})
	})
	c := config(filepath.Join(dir, "data"))
	c.AutopilotDelay = 0
	c.Acquirers = app.Acquirers{Card: "mercadopago", MercadoPago: app.MercadoPago{URL: url, Token: "segredo", Device: pointsim.VirtualDevice}}
	term := start(t, c)
	pay := func(tPag, reference string) string {
		return term.ok(t, "POST", "/transaction", fmt.Sprintf(`{"tPag":%q,"amount":10.00,"referenceId":%q}`, tPag, reference))
	}
	if got := pay("04", "débito"); !strings.Contains(got, `"tBand":"02"`) || !strings.Contains(got, `"tPag":"04"`) {
		t.Error(got)
	}
	pay("03", "crédito")
	term.ok(t, "POST", "/transaction/cr%C3%A9dito/reversal", `{"amount":4.00}`)
	term.ok(t, "POST", "/transaction/cr%C3%A9dito/reversal", "")
	if got := get[stored](t, term.caller, "/transaction/cr%C3%A9dito"); got.Details.Status != "reversed" {
		t.Errorf("%+v", got)
	}
	b, err := pointsim.ReadBalance(book)
	must(t, err)
	if len(b.Violations) != 0 || len(b.Sums) != 2 || b.Sums[0].Standing().String() != "10.00" || b.Sums[1].Standing().Sign() != 0 || len(b.Sums[1].Refunds) != 2 {
		t.Errorf("%+v", b)
	}
}
