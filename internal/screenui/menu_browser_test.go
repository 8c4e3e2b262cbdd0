//go:build !race || everything

package screenui_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/connecttef/gpsim"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// withManager has the terminal paid through a TEF manager that does as it is told.
func withManager(t *testing.T, orders <-chan tefsim.Order) (option func(*app.Config), books string) {
	t.Helper()
	dir := t.TempDir()
	books = filepath.Join(dir, "livro.jsonl")
	ctx, stop := context.WithCancel(context.Background())
	done, ready := make(chan error, 1), make(chan struct{})
	go func() {
		done <- tefsim.Run(ctx, tefsim.Config{Dir: dir, As: "tefdial", Ledger: books, Orders: orders, Ready: func() { close(ready) }})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-ready
	return func(c *app.Config) {
		lasting(c)
		c.Acquirers = app.Acquirers{Card: "tef", Pix: "none", TEF: app.TEF{Profile: "tefdial", Dir: dir}}
	}, books
}

// The operator opens the manager's menu from the settings: its paper is offered, and a sale that is cancelled there is reversed here.
func TestBrowserTEFMenu(t *testing.T) {
	t.Parallel()
	orders := make(chan tefsim.Order, 4)
	option, books := withManager(t, orders)
	m := start(t, option)
	if got := m.touch("/settings/menu", nil); got.status != http.StatusForbidden {
		t.Errorf("without the PIN: %d %s", got.status, got.body)
	}
	if got := m.touch("/settings/pin", object{"pin": newPIN}); got.status != http.StatusNoContent {
		t.Fatalf("%d %s", got.status, got.body)
	}
	p := openPage(t, m, browsertest.Window(320, 480), browsertest.Touch)
	m.must("POST", "/transaction", object{"tPag": "03", "amount": 10.5, "referenceId": "venda"})
	p.verdict("approved", "R$ 10,50")
	p.push("dismiss")

	p.unlock()
	p.says("[data-do=menu]", "Menu do TEF")
	p.push("menu")
	p.finds(`[data-view=result][data-kind=menu][data-verdict=approved]`)
	p.says(".result-say", "Menu concluído")
	p.receipt("ask") // whoever opened the menu wants paper, though payments print none
	p.push("print-customer")
	p.receipt("printed")
	p.push("dismiss")
	p.push("tear")

	orders <- tefsim.Order{Command: "ADM", Case: tefsim.Reverse}
	p.unlock()
	p.push("menu")
	p.finds(`[data-view=result][data-kind=menu][data-verdict=approved]`)
	p.push("dismiss")
	if got := m.must("GET", "/transaction/venda", nil)["details"].(object)["status"]; got != "reversed" {
		t.Errorf("the sale that was cancelled in the menu is %v", got)
	}
	waittest.Until(t, "the manager knows that it counts", func() bool {
		b, err := tefsim.ReadBalance(books)
		return err == nil && len(b.Accounts) == 1 && b.Accounts[0].Cancelled && !b.Accounts[0].Open && len(b.Waiting) == 0 && len(b.Protests) == 0
	})

	orders <- tefsim.Order{Command: "ADM", Case: tefsim.Silence} // it stays open
	p.unlock()
	p.push("menu")
	p.finds(`[data-view=payment][data-kind=menu][data-step=menu]`)
	p.says(".payment-say", "Use o menu do gerenciador TEF")
	p.fits("the menu")
	if got := m.call("POST", "/transaction", paying("03", 1)); got.status != http.StatusServiceUnavailable {
		t.Errorf("a payment beside the menu: %d %s", got.status, got.body)
	}
	m.until("callers are told of the menu, which nobody calls off any more", func() bool {
		running := m.must("GET", "/operation", nil)["operation"].(object)
		return running["kind"] == "menu" && running["step"] == "menu" && running["cancellable"] == false
	})
}

// A manager that was closed never answers. Somebody stops waiting for it, and the terminal is free; what became of it is found out later.
func TestBrowserStopsWaiting(t *testing.T) {
	t.Parallel()
	orders := make(chan tefsim.Order, 1)
	option, _ := withManager(t, orders)
	m := start(t, option, func(c *app.Config) { c.Acquirers.TEF.Leave = time.Millisecond })
	p := openPage(t, m, browsertest.Window(320, 480), browsertest.Touch)
	orders <- tefsim.Order{Case: tefsim.Silence}
	held := m.hold("/transaction", object{"tPag": "03", "amount": 10.5, "referenceId": "venda"})
	p.finds(`[data-view=payment][data-step=card] [data-do=leave]`)
	p.says(".payment-say", "O gerenciador TEF não respondeu.")
	p.push("leave")
	m.ends(held)
	m.until("the terminal is free", func() bool { return m.must("GET", "/operation", nil)["operation"] == nil })
	m.until("nothing is said to be paid that was not", func() bool {
		return m.must("GET", "/transaction/venda", nil)["details"].(object)["status"] == "cancelled"
	})
}

// The card is asked for at another device: the page says at which.
func TestBrowserNamesTheDevice(t *testing.T) {
	t.Parallel()
	manager, err := gpsim.New(gpsim.Config{Ledger: filepath.Join(t.TempDir(), "livro.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { manager.Close() })
	server := httptest.NewServer(manager)
	t.Cleanup(server.Close)
	m := start(t, func(c *app.Config) {
		c.Acquirers = app.Acquirers{Card: "connecttef", Pix: "none", ConnectTEF: app.ConnectTEF{URL: server.URL}}
	})
	p := openPage(t, m, browsertest.Window(320, 480), browsertest.Touch)
	held := m.hold("/transaction", object{"tPag": "03", "amount": 10.5})
	p.says("[data-view=payment][data-step=card]", "Siga na maquininha: Connect TEF")
	m.until("callers are told too", func() bool {
		running, is := m.must("GET", "/operation", nil)["operation"].(object)
		return is && running["message"] == "Siga na maquininha: Connect TEF"
	})
	m.until("the customer pays", func() bool { return manager.Pay("") == nil })
	m.ends(held)
}

// Where the acquirer has no menu of its own, the settings offer none.
func TestBrowserNoTEFMenu(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered)
	p := openSettings(t, m, browsertest.Window(320, 480), browsertest.Touch)
	p.agree(http.StatusNotFound, "/settings/menu")
	p.finds("[data-do=edit-pin]")
	if browsertest.Eval[bool](t, p.ctx, `document.querySelector("[data-do=menu]") !== null`) {
		t.Error("a menu is offered")
	}
	if got := browsertest.Eval[int](t, p.ctx, `fetch("/settings/menu", {method: "POST"}).then(r => r.status)`); got != http.StatusNotFound {
		t.Errorf("opening it all the same: %d", got)
	}
}

// Commands of this machine have a key, and nobody else gets in by their door.
func TestLocalDoor(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, key := range []string{"", "Bearer ", "Bearer falsa"} {
		got := m.do("POST", m.screen+"/local/menu", nil, func(r *http.Request) { r.Header.Set("Authorization", key) })
		if got.status != http.StatusForbidden {
			t.Errorf("%q: %d %s", key, got.status, got.body)
		}
	}
}
