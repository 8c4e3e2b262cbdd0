package app_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/app"
)

// A manager with a window of its own is paid, and gives back, while nobody has the page open.
func TestPaidInTheManagersWindow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	ledger := filepath.Join(dir, "tef.jsonl")
	go func() { done <- tefsim.Run(ctx, tefsim.Config{Dir: filepath.Join(dir, "tef"), Ledger: ledger}) }()
	t.Cleanup(func() {
		stop()
		must(t, <-done)
	})
	c := config(filepath.Join(dir, "data"))
	c.Autopilot = false
	c.Acquirers = app.Acquirers{Card: "tef", Pix: "none", TEF: app.TEF{Profile: "paygo", Dir: filepath.Join(dir, "tef")}}
	term := start(t, c)
	if got := term.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"r"}`); !strings.Contains(got, `"tPag":"03"`) {
		t.Error(got)
	}
	term.ok(t, "POST", "/transaction/r/reversal", "")
	b, err := tefsim.ReadBalance(ledger)
	must(t, err)
	if len(b.Accounts) == 0 || b.Accounts[0].Standing() || len(b.Protests) > 0 {
		t.Errorf("%+v", b.Accounts)
	}
}
