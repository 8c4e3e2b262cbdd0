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
	p.failsToPrintText(state, "CUPOM")
}

func (p *page) failsToPrintText(state, text string) {
	p.t.Helper()
	p.m.must("POST", "/emulator/printer", object{"state": state})
	if a := p.m.call("POST", "/print/text", printed(text)); a.status != http.StatusInternalServerError {
		p.t.Fatalf("a print with the printer %s: %d %s", state, a.status, a.body)
	}
	p.finds(`:is([data-view="printer"], .waiting)[data-why="` + state + `"]`)
	p.lacks(".has-toast")
}

// logged counts the entries of the log that say so.
func (m *terminal) logged(text string) int {
	return strings.Count(string(m.call("GET", "/logs", nil).body), text)
}

// What failed for want of paper is offered again, until it is on paper or nobody wants it.
func TestBrowserPrintThatWaits(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	p.agree(http.StatusInternalServerError, "/printer/print")
	p.failsToPrint("paperOut")
	p.view("printer")
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
	p.view("idle")
	if n := len(m.jobs()); n != 1 {
		t.Errorf("%d jobs are printed", n)
	}

	for state, says := range map[string]string{"coverOpen": "Feche a tampa e toque aqui", "offline": "Ligue e toque aqui"} {
		p.failsToPrint(state)
		p.reads(`[data-do="print-waiting"]`, says)
	}
	p.push("later")
	p.view("idle")
	p.failsToPrint("paperOut")
	held := p.asks(object{"id": 1, "question": "Qual é o seu nome?", "type": "TEXT"}, object{}) // the caller's business goes first
	m.must("POST", "/ask/cancel", nil)
	m.ends(held)
	p.view("printer")
	m.must("POST", "/emulator/printer", object{"state": "ok"})
	m.must("POST", "/print/text", printed("CUPOM")) // the caller has sent it again
	p.view("idle")
	p.failsToPrint("paperOut")
	m.must("POST", "/sale", object{}) // the next customer's business goes first, too
	p.view("sale")
	p.lacks(".waiting.is-up")
	if got := m.must("GET", "/emulator/screen", nil); got["view"] != "sale" || got["printer"] != nil {
		t.Errorf("the screen says %v %v", got["view"], got["printer"])
	}
}

// An open sale goes on while prints wait: they have a row above it, which says how many there are and prints them in order.
func TestBrowserPrintsThatWaitAboveASale(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	m.must("POST", "/sale", object{})
	p.failsToPrintText("paperOut", "PRIMEIRO")
	p.view("sale")
	p.says(".waiting-print", "Sem papel Reponha e toque aqui")
	p.failsToPrintText("paperOut", "SEGUNDO")
	m.must("POST", "/sale/item", item("Café"))
	p.says(".item-name", "Café")
	p.says(".waiting-print", "Sem papel · 2 impressões Reponha e toque aqui")
	got := m.must("GET", "/emulator/screen", nil)
	if waits, _ := got["printer"].(object); got["view"] != "sale" || waits["count"] != 2.0 || waits["reason"] != "paperOut" {
		t.Errorf("the screen says %v %v", got["view"], got["printer"])
	}
	m.must("POST", "/emulator/printer", object{"state": "ok"})
	m.must("POST", "/print/text", printed("OUTRO")) // none of the two
	p.says(".waiting-print", "Impressora pronta · 2 impressões Toque aqui para imprimir")
	p.push("print-waiting")
	p.lacks(".waiting.is-up")
	m.until("both are logged", func() bool { return m.logged("Impressão feita: texto") == 3 })
	if n := len(m.jobs()); n != 3 {
		t.Errorf("%d jobs are printed", n)
	}
	p.failsToPrint("offline")
	p.push("later")
	p.lacks(".waiting.is-up")
	p.view("sale")
}

// The change is seen before the printer is seen to, for its whole time, whatever comes over it.
func TestBrowserClosingBeforeAPrintThatWaits(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := openPage(t, m, browsertest.Window(1024, 768), browsertest.Moving)
	m.must("POST", "/sale", object{})
	m.must("POST", "/sale/item", item("Café"))
	m.must("POST", "/sale/payment", object{"tPag": "money", "value": 50})
	m.must("POST", "/sale/finalize", object{"message": "Volte sempre", "messageInterval": 600000})
	p.view("closing")
	m.must("POST", "/emulator/printer", object{"state": "paperOut"})
	if a := m.call("POST", "/print/text", printed("CUPOM")); a.status != http.StatusInternalServerError {
		t.Fatalf("a print without paper: %d %s", a.status, a.body)
	}
	held := p.asks(object{"id": 1, "question": "Qual é o seu nome?", "type": "TEXT"}, object{})
	m.must("POST", "/ask/cancel", nil)
	m.ends(held)
	p.view("closing")
	p.says(`[data-sum="change"] b`, "R$ 39,00")
	p.finds(".closing-time")
	p.press("Escape")
	p.view("printer")
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
