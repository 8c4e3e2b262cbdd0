//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/thorough"
)

// longText is some forty thousand bytes on the line, so that the printer can vanish in the middle of it.
var longText = `[` + strings.Repeat(`{"text":{"value":"linha de um cupom"}},`, 30) + `{"text":{"value":"fim"}}]`

// Printer and acquirer come and go while the cashier goes on ringing up: each print and payment ends in its own way,
// the sale never notices, and the terminal is free at once when they are back.
func TestHardwareVanishesUnderTraffic(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 384)
	c := config(t.TempDir())
	c.Printer, c.AutopilotDelay = app.Printer{Address: "tcp://" + fake.Address}, 0
	term := start(t, c)
	term.ok(t, "POST", "/sale", "")
	var stop atomic.Bool
	var items int
	var selling sync.WaitGroup
	selling.Go(func() {
		for ; !stop.Load(); items++ {
			if status, body := term.call(t, "POST", "/sale/item", itemBody(fmt.Sprint(items), "1.00")); status != http.StatusOK {
				t.Errorf("an item: %d %s", status, body)
				return
			}
		}
	})
	prints := func(want int) {
		t.Helper()
		if status, body := term.call(t, "POST", "/print/text", longText); status != want {
			t.Errorf("a print: %d %s, want %d", status, body, want)
		}
	}
	payments := 0
	pay := func(amount string, want int, words string) string {
		t.Helper()
		payments++
		reference := fmt.Sprintf("p%d", payments)
		status, body := term.call(t, "POST", "/transaction", fmt.Sprintf(`{"tPag":"03","amount":%s,"referenceId":%q}`, amount, reference))
		if status != want || !strings.Contains(body, words) {
			t.Errorf("a payment: %d %s, want %d %s", status, body, want, words)
		}
		return reference
	}

	rounds := thorough.Rounds(1, 3)
	for range rounds {
		prints(200)
		fake.Set(escpostest.Whims{HangUp: 5000})
		prints(500)
		pay("10.00", 200, "approved")
		fake.Set(escpostest.Whims{})
		prints(200)
		fake.Unplug()
		prints(500)
		pay("10.00", 200, "approved")
		fake.Plug(t)
		prints(200)

		term.ok(t, "POST", "/emulator/acquirer", `{"next":"offline"}`)
		pay("10.00", 403, "Adquirente fora do ar")
		prints(200)
		pay("10.00", 200, "approved")
	}
	// Nobody knows how this one ended, until the acquirer speaks again.
	lost := pay("0.98", 503, "Situação da transação desconhecida")
	prints(200)
	if now := get[stored](t, term.caller, "/transaction/"+lost).Details.Status; now != "pending" {
		t.Errorf("while the acquirer is silent the payment is %s", now)
	}
	pay("10.00", 200, "approved") // it waits for the other to be settled
	if now := get[stored](t, term.caller, "/transaction/"+lost).Details.Status; now != "cancelled" {
		t.Errorf("once the acquirer takes another the payment is %s", now)
	}
	stop.Store(true)
	selling.Wait()
	if there := linesOf(get[saleAnswer](t, term.caller, "/sale")); len(there) != items {
		t.Errorf("%d items are there, %d were acknowledged", len(there), items)
	}
	t.Logf("%d items rung up meanwhile, none refused; %d times the printer vanished, %d times the acquirer", items, 2*rounds, rounds+1)
	must(t, term.stop())
}
