//go:build !race || everything

package screenui_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/thorough"
)

// visit shows the views one after the other, and has each looked at.
func (p *page) visit(look func(view string)) {
	p.t.Helper()
	m := p.m
	p.view("idle")
	look("idle")
	p.visitQuestions(look)
	p.visitPayments(look)
	p.visitPrinter(look)
	m.must("POST", "/sale", object{"customerName": "Ana", "sellerName": "Davi"})
	p.finds(".sale-empty")
	look("an empty sale")
	m.must("POST", "/sale/item", object{"code": "1", "description": "Café", "quantity": 2, "unitPrice": 7.9, "discount": 2, "total": 13.8, "additionalInfo": "Moído"})
	gone := m.must("POST", "/sale/item", item("Pão"))["itemId"].(string)
	m.must("POST", "/sale/item/"+gone+"/cancel", nil)
	m.must("POST", "/sale/item", item("Queijo"))
	m.must("POST", "/sale/addition", object{"description": "Entrega", "value": 3})
	m.must("POST", "/sale/payment", object{"tPag": "money", "value": 5})
	p.finds(`.hero[data-sum="due"]`)
	p.lacks(".has-toast")
	look("a sale")
	m.must("POST", "/sale/payment", object{"tPag": "money", "value": 50})
	p.finds(`.hero[data-sum="change"]`)
	look("a sale with change")
	m.must("POST", "/sale/finalize", object{"message": "Volte sempre", "messageInterval": 600000})
	p.view("closing")
	look("the end of a sale")
	p.push("close")
	p.view("idle")
}

func (p *page) visitPrinter(look func(view string)) {
	p.t.Helper()
	p.failsToPrint("paperOut")
	look("a print that waits")
	p.m.must("POST", "/emulator/printer", object{"state": "ok"})
	p.finds(`[data-view="printer"][data-why="ok"]`)
	look("a print that can be printed")
	p.push("later")
	p.view("idle")
}

func (p *page) visitQuestions(look func(view string)) {
	p.t.Helper()
	for _, s := range samples {
		question := s.asked(object{"question": "O que prefere?", "required": false})
		held := p.asks(question, object{"showCancelButton": true})
		look("a question: " + s.name)
		p.m.must("POST", "/ask/cancel", nil)
		p.cancelled(held, byCaller)
	}
}

func (p *page) visitPayments(look func(view string)) {
	p.t.Helper()
	m := p.m
	held := m.hold("/transaction", paying("99", 1299.9))
	for _, at := range []struct{ step, do string }{{"choose", "choose-credit"}, {"installments", "installments-10"}} {
		p.step(at.step)
		look("a payment: " + at.step)
		p.push(at.do)
	}
	p.step("card")
	look("a payment: card")
	m.must("POST", "/emulator/card", object{"entry": "insert"})
	p.step("pin")
	look("a payment: PIN")
	m.must("POST", "/emulator/payment", object{"outcome": "refuse"})
	m.ends(held)
	p.finds(`[data-verdict="refused"]`)
	look("a payment: refused")
	p.dismiss()
	held = m.hold("/transaction", paying("17", 45.67))
	p.step("pix")
	look("a payment: PIX")
	m.must("POST", "/emulator/payment", object{"outcome": "approve"})
	m.ends(held)
	p.finds(`[data-verdict="approved"]`)
	look("a payment: approved")
	p.dismiss()
}

// accessible fails for whatever axe-core finds.
func (p *page) accessible(view string) {
	p.t.Helper()
	for _, v := range browsertest.Violations(p.t, p.ctx) {
		p.t.Errorf("%s: %s", view, v)
	}
}

// The usual look in one language; the others with each theme below, where a view has as much to say.
func TestViewsAreAccessible(t *testing.T) {
	for _, locale := range app.Locales()[:thorough.Rounds(1, len(app.Locales()))] {
		t.Run(locale, func(t *testing.T) {
			t.Parallel()
			p := handheld(t, start(t, lasting, func(c *app.Config) { c.Locale = locale }))
			p.visit(p.accessible)
			p.push("settings")
			p.finds("[data-typed]")
			p.accessible("choosing a PIN")
			for range 2 {
				p.do(browsertest.Wait(`document.querySelector("[data-typed]").dataset.typed === "0"`), browsertest.Type("1234"), browsertest.Press("Enter"))
			}
			p.finds(`[data-step="settings"]`)
			p.accessible("settings")
			p.push("edit-colour")
			p.accessible("settings: colour")
			p.do(chromedp.Navigate(p.m.screen + "/"))
			p.finds(`[data-do="panel"]`)
			p.push("panel")
			p.push("try-open")
			p.finds(`[data-tried="4"]`)
			for _, tab := range []string{"try", "simulate", "records"} {
				p.push("tab-" + tab)
				p.accessible("the emulator's panel: " + tab)
			}
		})
	}
}

// However a shop wants its screen, it can be read: in pale colours, dark ones, and those that are nearly the ground.
func TestLooksCanBeRead(t *testing.T) {
	for theme, shop := range map[string]struct {
		locale  string
		colours []string
	}{
		"light": {"en", []string{"#ffc107", "#0b57d0", "#c62828", "#0d1b2a", "#f5f6f8", "#7f7f7f"}},
		"dark":  {"es", []string{"#0d1b2a", "#0b57d0", "#c62828", "#ffc107", "#f5f6f8", "#7f7f7f"}},
	} {
		t.Run(theme, func(t *testing.T) {
			t.Parallel()
			for _, colour := range shop.colours[:thorough.Rounds(1, len(shop.colours))] {
				p := handheld(t, start(t, lasting, func(c *app.Config) { c.Look, c.Locale = app.Look{Colour: colour, Theme: theme}, shop.locale }))
				if got := browsertest.Eval[string](t, p.ctx, `getComputedStyle(document.querySelector(".screen")).getPropertyValue("--accent")`); got != colour {
					t.Errorf("the screen's colour is %s, want %s", got, colour)
				}
				p.visit(func(view string) { t.Helper(); p.accessible(theme + " " + colour + ": " + view) })
			}
		})
	}
}

// Every colour leaves one that can be read on the screen's grounds, and has black or white that can be read on it. The
// contrast is computed here once more, not by the page's own means.
func TestAnyColourCanBeRead(t *testing.T) {
	t.Parallel()
	p := handheld(t, start(t))
	worst := browsertest.Eval[[]float64](t, p.ctx, `import("/js/colour.js").then(({readableOn, textOn}) => {
		const light = (hex) => {
			const full = hex.length === 4 ? "#" + [...hex.slice(1)].map(d => d + d).join("") : hex;
			const [r, g, b] = [1, 3, 5].map(at => parseInt(full.slice(at, at + 2), 16) / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
			return .2126 * r + .7152 * g + .0722 * b;
		};
		const contrast = (a, b) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05);
		let read = 21, on = 21;
		for (let n = 0; n < 4096; n++) {
			const colour = "#" + n.toString(16).padStart(3, "0").replace(/./g, "$&$&");
			for (const grounds of [["#f5f6f8", "#ffffff"], ["#11161c", "#1a212a"]]) {
				for (const ground of grounds) read = Math.min(read, contrast(readableOn(colour, grounds), ground));
			}
			on = Math.min(on, contrast(textOn(colour), colour));
		}
		return [read, on];
	})`)
	for _, w := range worst {
		if w < 4.5 {
			t.Errorf("the worst contrasts are %v, want at least 4.5", worst)
		}
	}
}
