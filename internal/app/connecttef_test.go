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

	"github.com/maquininha/maquininha/internal/acquirer/connecttef/gpsim"
	"github.com/maquininha/maquininha/internal/app"
)

// TestPaidThroughConnectTEF: sales by card and PIX, one of them given back, with both books the same.
func TestPaidThroughConnectTEF(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	book := filepath.Join(dir, "connecttef.jsonl")
	url := simulated(t, func(ctx context.Context, ready func(net.Addr)) error {
		return gpsim.Run(ctx, gpsim.Config{Listen: "127.0.0.1:0", Ledger: book, AutoPay: time.Millisecond, Ready: ready})
	})
	c := config(filepath.Join(dir, "data"))
	c.AutopilotDelay = 0
	c.Acquirers = app.Acquirers{Card: "connecttef", ConnectTEF: app.ConnectTEF{URL: url}}
	term := start(t, c)
	pay := func(tPag, reference string) string {
		return term.ok(t, "POST", "/transaction", fmt.Sprintf(`{"tPag":%q,"amount":10.00,"referenceId":%q}`, tPag, reference))
	}
	if got := pay("04", "débito"); !strings.Contains(got, `"tBand":"01"`) || !strings.Contains(got, `"tPag":"04"`) || !strings.Contains(got, "16501555000157") {
		t.Error(got)
	}
	if got := pay("17", "pix"); !strings.Contains(got, `"tPag":"17"`) {
		t.Error(got)
	}
	pay("03", "crédito")
	if status, got := term.call(t, "POST", "/transaction/cr%C3%A9dito/reversal", `{"amount":4.00}`); status != 409 {
		t.Errorf("%d %s", status, got)
	}
	term.ok(t, "POST", "/transaction/cr%C3%A9dito/reversal", "")
	if got := get[stored](t, term.caller, "/transaction/cr%C3%A9dito"); got.Details.Status != "reversed" {
		t.Errorf("%+v", got)
	}
	b, err := gpsim.ReadBalance(book)
	must(t, err)
	if len(b.Violations) != 0 || len(b.Sums) != 3 || b.Sums[1].Standing().String() != "10.00" || b.Sums[2].Standing().Sign() != 0 || len(b.Sums[2].Refunds) != 1 {
		t.Errorf("%+v", b)
	}
}

// simulated runs the other side until the test is over, and says where it is.
func simulated(t *testing.T, run func(ctx context.Context, ready func(net.Addr)) error) (url string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done, ready := make(chan error, 1), make(chan string, 1)
	go func() { done <- run(ctx, func(a net.Addr) { ready <- "http://" + a.String() }) }()
	t.Cleanup(func() {
		stop()
		must(t, <-done)
	})
	return <-ready
}
