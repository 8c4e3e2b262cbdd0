//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// kinds are those of the papers that came out, first to last.
func (term *terminal) kinds(t *testing.T) (kinds []string) {
	t.Helper()
	for _, j := range get[[]struct{ Kind string }](t, term.caller, "/emulator/printer/jobs") {
		kinds = append([]string{j.Kind}, kinds...)
	}
	return kinds
}

func (term *terminal) printed(t *testing.T, want string) {
	t.Helper()
	if got := strings.Join(term.kinds(t), " "); got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

// pays has a customer pay, and returns once the caller was answered.
func (term *terminal) pays(t *testing.T, reference string) {
	t.Helper()
	term.holds(t, "/transaction", fmt.Sprintf(`{"tPag":"03","amount":12.34,"referenceId":%q}`, reference))
}

func (term *terminal) reverses(t *testing.T, reference string) {
	t.Helper()
	term.holds(t, "/transaction/"+reference+"/reversal", "")
}

func (term *terminal) holds(t *testing.T, path, body string) {
	t.Helper()
	held := term.hold(t, "POST", path, body)
	waittest.Until(t, "somebody may pay", func() bool {
		status, _ := term.call(t, "POST", "/emulator/payment", `{"outcome":"approve"}`)
		return status == http.StatusOK
	})
	if a := <-held; a.status != http.StatusOK {
		t.Fatalf("POST %s: %d %s (%v)", path, a.status, a.body, a.err)
	}
}

func receipts(t *testing.T, mode string) *terminal {
	t.Helper()
	c := config(t.TempDir())
	c.CardReceipt = mode
	return start(t, c)
}

func TestReceiptsOnPaper(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]string{"": "", "none": "", "ask": "", "customer": "receipt", "both": "receipt receipt"} {
		t.Run(mode, func(t *testing.T) {
			term := receipts(t, mode)
			term.pays(t, "r1")
			term.printed(t, want)
			term.ok(t, "POST", "/print/text", oneText) // at once: the terminal is free when the caller knows
			want := strings.TrimSpace(want + " text")
			term.printed(t, want)
			term.ok(t, "POST", "/transaction", `{"tPag":"03","amount":12.34,"referenceId":"r1"}`) // known already
			term.printed(t, want)
			term.reverses(t, "r1")
			term.printed(t, strings.TrimSpace(want+map[string]string{"customer": " receipt", "both": " receipt receipt"}[mode]))
		})
	}
}

func TestReceiptsWithoutPaper(t *testing.T) {
	t.Parallel()
	term := receipts(t, "both")
	term.ok(t, "POST", "/emulator/printer", `{"state":"paperOut"}`)
	term.pays(t, "sem-papel")
	term.printed(t, "")
	if got := term.ok(t, "GET", "/transaction/sem-papel", ""); !strings.Contains(got, `"status":"approved"`) {
		t.Errorf("kept: %s", got)
	}
	waittest.Until(t, "the log tells", func() bool {
		logs := term.ok(t, "GET", "/logs?level=warning", "")
		return strings.Contains(logs, "comprovante não impresso: impressora sem papel") && strings.Contains(logs, "sem-papel")
	})
	op := operatorOf(t, term)
	op.want(t, 500, "POST", "/result/print", `{"copy":"customer"}`) // what failed is offered again
	term.ok(t, "POST", "/emulator/printer", `{"state":"ok"}`)
	op.want(t, 204, "POST", "/result/print", `{"copy":"customer"}`)
	term.printed(t, "receipt")
}

func TestReceiptsOnRequest(t *testing.T) {
	t.Parallel()
	term := receipts(t, "ask")
	op := operatorOf(t, term)
	op.want(t, 409, "POST", "/result/print", `{"copy":"customer"}`) // nothing is shown
	term.pays(t, "r")
	op.want(t, 409, "POST", "/result/print", `{"copy":"both"}`)
	op.want(t, 409, "POST", "/result/print", `{}`)
	op.want(t, 204, "POST", "/result/print", `{"copy":"merchant"}`)
	op.want(t, 204, "POST", "/result/print", `{"copy":"customer"}`)
	op.want(t, 204, "POST", "/result/print", `{"copy":"customer"}`)
	term.printed(t, "receipt receipt receipt")
	op.want(t, 204, "POST", "/result/dismiss", `{}`)
	op.want(t, 409, "POST", "/result/print", `{"copy":"customer"}`)
}

func TestReceiptsOnARealPrinter(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 384)
	c := config(t.TempDir())
	c.Printer, c.CardReceipt = app.Printer{Address: "tcp://" + fake.Address, Copies: 3, Drawer: true}, "both"
	term := start(t, c)
	term.pays(t, "r")
	if sheets := fake.Sheets(); len(sheets) != 2 { // copies are for coupons
		t.Errorf("%d sheets, want one for each side", len(sheets))
	}
	fake.Set(escpostest.Whims{Stall: 100})
	term.pays(t, "stalled") // it waits no longer than for a dead one: the printer's own tests know how long
}

func TestReceiptsWithoutAPrinter(t *testing.T) {
	t.Parallel()
	c := config(t.TempDir())
	c.Printer.Address, c.CardReceipt = "none", "both"
	term := start(t, c)
	term.pays(t, "r")
	operatorOf(t, term).want(t, 409, "POST", "/result/print", `{"copy":"customer"}`)
	if logs := term.ok(t, "GET", "/logs", ""); !strings.Contains(logs, "terminal sem impressora") || strings.Contains(logs, "comprovante não impresso") {
		t.Errorf("logs: %s", logs)
	}
}

func TestReceiptsSetOnTheScreen(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	term := start(t, unconfigured(data))
	op := operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/first", strings.Replace(firstStart, "virtual-384", "virtual-576", 1))
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	if text := op.want(t, 200, "GET", "/settings", ""); !strings.Contains(text, `"cardReceipt":"none","cardReceipts":[{"id":"none","label":"Não imprimir"}`) {
		t.Errorf("at first: %s", text)
	}
	if text := op.want(t, 422, "POST", "/settings", `{"cardReceipt":"all"}`); !strings.Contains(text, `"field":"cardReceipt"`) {
		t.Errorf("refused: %s", text)
	}
	shop := &terminal{caller: term.as("caixa", "segrêdo-123"), app: term.app}
	shop.pays(t, "before")
	shop.printed(t, "")
	op.want(t, 204, "POST", "/settings", `{"cardReceipt":"customer"}`)
	shop.pays(t, "after") // no restart was needed
	shop.printed(t, "receipt")
	must(t, term.stop())

	fixed := unconfigured(data)
	term = start(t, fixed)
	op = operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	if text := op.want(t, 200, "GET", "/settings", ""); !strings.Contains(text, `"cardReceipt":"customer"`) {
		t.Errorf("kept: %s", text)
	}
	must(t, term.stop())
	fixed.CardReceipt = "none"
	op = operatorOf(t, start(t, fixed))
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	op.want(t, 422, "POST", "/settings", `{"cardReceipt":"ask"}`)
	if text := op.want(t, 200, "GET", "/settings", ""); !strings.Contains(text, `"cardReceipt":"none"`) || !strings.Contains(text, `"fixed":["cardReceipt"]`) {
		t.Errorf("fixed: %s", text)
	}
}

func TestReceiptModesThatCannotBe(t *testing.T) {
	t.Parallel()
	c := config(t.TempDir())
	c.CardReceipt = "all"
	if _, err := app.New(c); err == nil || !strings.Contains(err.Error(), "--card-receipt") {
		t.Errorf("%v", err)
	}
}
