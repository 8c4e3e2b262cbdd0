//go:build unix

package app_test

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/controlpay/paysim"
	"github.com/maquininha/maquininha/internal/app"
)

func TestControlPayIsChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		given app.Acquirers
		want  string // part of the complaint
	}{
		{app.Acquirers{Card: "controlpay", ControlPay: app.ControlPay{Key: "k", Terminal: 1}}, ""},
		{app.Acquirers{Card: "controlpay"}, "precisa de MAQUININHA_CONTROLPAY_KEY, --controlpay-terminal"},
		{app.Acquirers{Pix: "controlpay", ControlPay: app.ControlPay{Key: "k", Terminal: 1}}, "--acquirer-pix deve ser um de"},
	} {
		err := c.given.Check(app.Production)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.given, err)
		}
	}
}

// inTheCloud runs ControlPay beside the test, with customers who pay at once.
func inTheCloud(t *testing.T, ledger string) (base string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done, ready := make(chan error, 1), make(chan string, 1)
	go func() {
		done <- paysim.Run(ctx, paysim.Config{
			Listen: "127.0.0.1:0", Key: "segredo", Ledger: ledger, AutoPay: time.Millisecond, Ready: func(a net.Addr) { ready <- "http://" + a.String() },
		})
	}()
	t.Cleanup(func() {
		stop()
		must(t, <-done)
	})
	return <-ready
}

// TestPaidThroughControlPay: sales that end, one of them given back, with both books the same.
func TestPaidThroughControlPay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	book := filepath.Join(dir, "controlpay.jsonl")
	c := config(filepath.Join(dir, "data"))
	c.AutopilotDelay = 0
	c.Acquirers = app.Acquirers{
		Card: "controlpay", Pix: "none", ControlPay: app.ControlPay{URL: inTheCloud(t, book), Key: "segredo", Terminal: paysim.Terminal, Password: paysim.Password},
	}
	term := start(t, c)
	for tPag, reference := range map[string]string{"03": "credito", "04": "debito"} {
		got := term.ok(t, "POST", "/transaction", `{"tPag":"`+tPag+`","amount":10.00,"referenceId":"`+reference+`"}`)
		if !strings.Contains(got, `"tPag":"`+tPag+`"`) || !strings.Contains(got, `"tBand":"01"`) {
			t.Error(got)
		}
	}
	term.ok(t, "POST", "/transaction/credito/reversal", "")
	if got := get[stored](t, term.caller, "/transaction/credito"); got.Details.Status != "reversed" {
		t.Errorf("%+v", got)
	}
	b, err := paysim.ReadBalance(book)
	must(t, err)
	standing := 0
	for _, s := range b.Sums {
		standing += s.Standing().Sign()
	}
	if len(b.Violations) != 0 || len(b.Sums) != 2 || standing != 1 {
		t.Errorf("%+v", b)
	}
}
