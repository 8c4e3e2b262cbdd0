//go:build !race || everything

package screenui_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
)

// failsToPrint brings the printer into a state in which a caller's print fails, and the screen says so.
func (p *page) failsToPrint(state string) {
	p.t.Helper()
	p.m.must("POST", "/emulator/printer", object{"state": state})
	if a := p.m.call("POST", "/print/text", printed("CUPOM")); a.status != http.StatusInternalServerError {
		p.t.Fatalf("a print with the printer %s: %d %s", state, a.status, a.body)
	}
	p.finds(`[data-view="printer"][data-why="` + state + `"]`)
	p.lacks(".has-toast")
}

// logged counts the entries of the log that say so.
func (m *terminal) logged(text string) int {
	return strings.Count(string(m.call("GET", "/logs", nil).body), text)
}

// What failed for want of paper is offered again, over the sale, until it is on paper or nobody wants it.
func TestBrowserPrintThatWaits(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	p.agree(http.StatusInternalServerError, "/printer/print")
	m.must("POST", "/sale", object{})
	p.view("sale")
	p.failsToPrint("paperOut")
	p.reads("h1", "Sem papel")
	p.reads(`[data-do="print-waiting"]`, "Reponha e toque aqui")
	p.says(".trouble-say p", "O texto não foi impresso.")
	p.push("print-waiting") // there is no paper yet
	m.until("the printer has refused it again", func() bool {
		return m.logged("Impressão pedida de novo na tela: texto") == 1 && m.logged("Impressão falhou: impressora sem papel (texto)") == 2
	})
	p.reads("h1", "Sem papel")
	m.must("POST", "/emulator/printer", object{"state": "ok"})
	p.reads("h1", "Impressora pronta")
	p.push("print-waiting")
	p.view("sale")
	if n := len(m.jobs()); n != 1 {
		t.Errorf("%d jobs are printed", n)
	}

	for state, says := range map[string]string{"coverOpen": "Feche a tampa e toque aqui", "offline": "Ligue e toque aqui"} {
		p.failsToPrint(state)
		p.reads(`[data-do="print-waiting"]`, says)
	}
	p.push("later")
	p.view("sale")
	p.failsToPrint("paperOut")
	held := p.asks(object{"id": 1, "question": "Qual é o seu nome?", "type": "TEXT"}, object{}) // the caller's business goes first
	m.must("POST", "/ask/cancel", nil)
	m.ends(held)
	p.view("printer")
	m.must("POST", "/emulator/printer", object{"state": "ok"})
	m.must("POST", "/print/text", printed("CUPOM")) // the caller has sent it again
	p.view("sale")
	p.failsToPrint("paperOut")
	m.must("POST", "/sale/cancel", object{"showMessage": false})
	m.must("POST", "/sale", object{}) // the next customer's business goes first, too
	p.view("sale")
	if got := m.must("GET", "/emulator/screen", nil); got["view"] != "sale" || got["printer"] != nil {
		t.Errorf("the screen says %v %v", got["view"], got["printer"])
	}
}

// The end of a sale is seen after the printer was seen to, for its whole time.
func TestBrowserClosingUnderAPrintThatWaits(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := openPage(t, m, browsertest.Window(1024, 768))
	m.must("POST", "/sale", object{})
	p.failsToPrint("paperOut")
	m.must("POST", "/sale/finalize", object{"message": "Volte sempre", "messageInterval": 600000})
	p.sees(`document.querySelector("[data-view=printer]")`)
	p.press("Escape")
	p.view("closing")
	p.finds(".closing-time")
}

// A real printer that is out of paper prints the whole job when somebody has seen to it.
func TestBrowserPrintThatWaitsAtARealPrinter(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 384)
	m := start(t, func(c *app.Config) { c.Printer.Address = "tcp://" + fake.Address })
	p := handheld(t, m)
	fake.SetStatus(escpos.PaperOut)
	if a := m.call("POST", "/print/text", printed("CUPOM")); a.status != http.StatusInternalServerError {
		t.Fatalf("a print without paper: %d %s", a.status, a.body)
	}
	p.reads("h1", "Sem papel")
	fake.SetStatus(0)
	p.press("Enter")
	p.view("idle")
	if n := len(fake.Sheets()); n != 1 {
		t.Errorf("%d sheets", n)
	}
}
