//go:build !race || everything

package screenui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
)

// fiveSizes are the screens that the page is made for.
var fiveSizes = [][2]int{{320, 480}, {480, 800}, {720, 1280}, {1024, 768}, {1920, 1080}}

// benchSizes are those where the emulator's panel stands beside the device.
var benchSizes = [][2]int{{1024, 768}, {1920, 1080}}

// gallery writes pictures of the page at several sizes, for somebody to look at.
type gallery struct {
	*page
	dir   string
	sizes [][2]int
	rest  [2]int // between pictures
}

// exhibit opens one; without a folder to write to, nobody wants to look.
func exhibit(t *testing.T, sizes [][2]int, options ...func(*app.Config)) *gallery {
	t.Helper()
	dir := os.Getenv("MAQUININHA_SCREENS")
	if dir == "" {
		t.Skip("MAQUININHA_SCREENS is not set: make screens writes every screen to screens/")
	}
	m := start(t, options...)
	return &gallery{openPage(t, m, browsertest.Window(480, 800)), dir, sizes, [2]int{480, 800}}
}

// take writes the page at each size. The toast of the last command is waited for to go.
func (g *gallery) take(name string) {
	g.t.Helper()
	time.Sleep(200 * time.Millisecond) // it has yet to come, perhaps
	g.lacks(".has-toast")
	for _, size := range g.sizes {
		g.do(browsertest.Resize(browsertest.Window(size[0], size[1])))
		g.snap(name, size)
	}
	g.do(browsertest.Resize(browsertest.Window(g.rest[0], g.rest[1])))
}

func (g *gallery) snap(name string, size [2]int) {
	g.t.Helper()
	browsertest.Eval[bool](g.t, g.ctx, browsertest.Rest)
	browsertest.SaveScreenshot(g.t, g.ctx, filepath.Join(g.dir, fmt.Sprintf("%s-%dx%d.png", name, size[0], size[1])))
}

func TestScreensOfSales(t *testing.T) {
	t.Parallel()
	g := exhibit(t, fiveSizes)
	m := g.m
	g.take("idle")
	m.must("POST", "/emulator/printer", object{"state": "paperOut"})
	g.take("idle-printer-out-of-paper")
	g.failsToPrint("paperOut")
	g.take("printer-out-of-paper")
	m.must("POST", "/emulator/printer", object{"state": "ok"})
	g.take("printer-ready")
	g.push("later")

	m.must("POST", "/sale", object{})
	g.take("sale-empty")
	m.must("PATCH", "/sale", object{"customerName": "Ana Beatriz de Souza Albuquerque", "customerDocument": "52998224725", "sellerName": "Davi", "additionalInfo": "Mesa 12"})
	var last string
	for i, description := range []string{"Café torrado e moído 500 g", "Pão francês", "Queijo minas frescal artesanal da Serra da Canastra", "Leite integral 1 L"} {
		body := object{"code": fmt.Sprint(789 + i), "description": description, "quantity": 2, "unitPrice": 7.9, "total": 15.8}
		switch i {
		case 1:
			body["quantity"], body["unitPrice"], body["total"] = 0.35, 18.9, 6.62
		case 2:
			body["discount"], body["total"], body["additionalInfo"] = 2, 13.8, "Sem lactose"
		}
		last = m.must("POST", "/sale/item", body)["itemId"].(string)
	}
	m.must("POST", "/sale/item/"+last+"/cancel", nil)
	g.take("sale-short")
	m.must("POST", "/sale/discount", object{"description": "Cupom de aniversário da cliente, em toda a loja", "value": 5, "additionalInfo": "Programa de fidelidade"})
	m.must("POST", "/sale/discount", object{"value": 1.5})
	delivery := m.must("POST", "/sale/addition", object{"description": "Entrega", "value": 8, "additionalInfo": "até 5 km"})["additionId"].(string)
	g.take("sale-adjusted")
	m.must("POST", "/sale/payment", object{"tPag": "pix", "value": 20, "description": "PIX da Ana"})
	m.must("POST", "/sale/payment", object{"tPag": "money", "value": 20})
	g.take("sale-change")
	m.must("POST", "/emulator/printer", object{"state": "coverOpen"})
	for i := range 500 {
		m.must("POST", "/sale/item", object{"code": "1", "description": fmt.Sprint("Produto ", i+1), "quantity": 1, "unitPrice": 1999.99, "total": 1999.99})
	}
	m.must("PATCH", "/sale/addition/"+delivery, object{"description": "Entrega e montagem no endereço da cliente", "value": 123456.78})
	g.take("sale-long")
	m.must("POST", "/emulator/printer", object{"state": "ok"})
	m.must("POST", "/sale/finalize", object{"message": "Obrigado pela preferência, Ana! Volte sempre.", "messageInterval": 600000})
	g.take("closing-finalized")
	m.must("POST", "/sale", object{"total": 37.5})
	m.must("POST", "/sale/payment", object{"tPag": "money", "value": 50})
	m.must("POST", "/sale/finalize", object{"messageInterval": 600000})
	g.take("closing-change")
	m.must("POST", "/sale", object{})
	m.must("POST", "/sale/cancel", object{"messageInterval": 600000, "buttonCloseText": "Entendi"})
	g.take("closing-cancelled")
	g.push("close")

	for i, job := range [][]object{printed("LOJA DA ANA", "Rua das Flores, 100", "", "Café 500 g      15,80", "Pão francês      6,62", "TOTAL           22,42"), printed("Via do cliente")} {
		m.must("POST", "/print/text", job)
		g.take(fmt.Sprintf("paper-%d", i+1))
	}
	g.push("paper-away")
	g.take("paper-away")
	g.push("paper")
	g.push("tear-all")
	g.lacks(".paper")
	m.stop()
	g.finds(".lost")
	g.take("reconnecting")
	g.leave()
}

func TestScreensOfDisplays(t *testing.T) {
	t.Parallel()
	g := exhibit(t, fiveSizes)
	m := g.m
	m.must("POST", "/display/image", plain(green, 1600, 900))
	g.finds(".display-image")
	g.take("display-image")
	content := []object{
		{"text": object{"value": "Promoção", "size": 40, "bold": true, "align": "center"}},
		{"line": object{"divider": true}},
		{"text": object{"value": "Leve 3, pague 2 em toda a linha de cafés especiais até domingo", "size": 20}},
		{"line": object{"divider": false}},
		{"text": object{"value": "Consulte o regulamento na loja", "size": 12, "align": "right"}},
	}
	for name, colour := range map[string]string{"dark": "#123a63", "light": "#fff4d6"} {
		m.must("POST", "/display/text", object{"backgroundColor": colour, "content": content})
		g.finds(".display-text")
		g.take("display-text-" + name)
		m.must("POST", "/display/pop", nil)
	}
	m.must("POST", "/display/carousel", object{
		"images": []string{base64Of(plain(red, 900, 900)), base64Of(plain(blue, 900, 900))}, "intervalMs": 600000, "backgroundColor": "#000", "showCloseButton": true,
	})
	g.finds(".carousel")
	g.take("display-carousel")
	m.must("POST", "/display/clear", nil)
}

func TestScreensOfTheFirstStart(t *testing.T) {
	t.Parallel()
	g := exhibit(t, fiveSizes, func(c *app.Config) { c.SkipSetup, c.Username, c.Password = false, "", "" })
	write := map[string]string{"user": "loja", "password": "segredo-2026", "name": "Padaria da Ana"}
	for {
		step := browsertest.Eval[string](t, g.ctx, `document.querySelector("[data-view=setup]").dataset.step ?? "wait"`)
		switch step {
		case "wait":
			g.finds("[data-view=setup][data-step]")
			continue
		case "done":
			g.take("setup-done")
			g.push("finish")
			g.view("idle")
			g.take("idle-named")
			return
		case "pin":
			g.do(browsertest.Type("12"))
			g.take("setup-pin")
			g.do(browsertest.Type("34"), browsertest.Press("Enter"), browsertest.Wait(`document.querySelector("[data-typed]").dataset.typed === "0"`))
			g.do(browsertest.Type("1234"), browsertest.Press("Enter"))
		default:
			if text, ok := write[step]; ok {
				g.do(chromedp.Evaluate(`document.querySelector("[data-field]").select()`, nil), browsertest.Type(text))
			}
			g.take("setup-" + step)
			g.push("next")
		}
		g.sees(`document.querySelector("[data-view=setup]").dataset.step !== %q`, step)
	}
}

func TestScreensOfTheSettings(t *testing.T) {
	t.Parallel()
	g := exhibit(t, fiveSizes, func(c *app.Config) { c.PaperWidth = 0 })
	g.push("settings")
	g.take("settings-choose-pin")
	for range 2 {
		g.do(browsertest.Wait(`document.querySelector("[data-typed]").dataset.typed === "0"`), browsertest.Type("1234"), browsertest.Press("Enter"))
	}
	g.finds(`[data-step="settings"]`)
	g.take("settings")
	for _, field := range []string{"name", "locale", "printer", "cardReceipt", "phone"} {
		g.push("edit-" + field)
		g.take("settings-" + field)
		g.push("back")
	}
	g.push("edit-logo")
	g.chooseFile("[data-field=logo]", logoFile(t))
	g.finds(".setup-logo img")
	g.take("settings-logo")
	g.push("back")
	g.push("edit-printer", "printer-network", "next")
	g.take("settings-printer-network")
	g.push("back", "back", "edit-hub")
	g.setupStep("hub")
	g.take("settings-hub")
	hub := tunneltest.New(t)
	g.do(browsertest.Type("maquininha join "+hub.URL+" "+tunneltest.Code+" --pin "+hub.Pin()), browsertest.Press("Enter"))
	g.says("[data-hub] dd", "Hub conectado")
	g.take("settings-hub-joined")
	g.push("leave")
	g.take("settings-hub-leave")
	g.push("back", "back")
	g.push("close")
	g.push("settings")
	g.do(browsertest.Type("9999"), browsertest.Press("Enter"))
	g.agree(422, "/settings/unlock")
	g.says(".setup-error", "PIN")
	g.take("settings-locked")
}

func TestScreensOfTheBench(t *testing.T) {
	t.Parallel()
	g := exhibit(t, benchSizes)
	m := g.m
	g.rest = [2]int{1280, 900} // the panel is open beside the device
	g.do(browsertest.Resize(browsertest.Window(g.rest[0], g.rest[1])), chromedp.Navigate(m.screen+"/"))
	g.take("emulator-idle")
	g.agree(409, "/try/ask") // which is cancelled below
	g.click("try-cpf")
	g.finds(`[data-view="question"]`)
	g.take("emulator-try")
	m.must("POST", "/ask/cancel", nil)
	g.click("tab-simulate")
	m.cart(12)
	m.must("POST", "/print/text", printed("LOJA DA ANA", "Café 11,00"))
	m.must("POST", "/drawer", nil)
	m.must("POST", "/notification", object{"title": "Caixa 3", "message": "Chame o gerente"})
	m.must("POST", "/notification", object{"title": "Entrega", "message": "O pedido 42 está pronto: peça ao cliente que mostre o número que recebeu por mensagem"})
	g.take("emulator-sale")
	held := m.hold("/transaction", paying("99", 129.9))
	g.take("emulator-payment")
	m.must("POST", "/emulator/payment", object{"outcome": "cancel"})
	m.ends(held)
	m.must("POST", "/emulator/foreground", object{"active": false})
	m.must("POST", "/sale/item", item("Mais um"))
	g.take("emulator-home")
	g.sizes = fiveSizes
	g.do(chromedp.Navigate(m.screen + "/?kiosk"))
	g.finds(`[data-view="home"]`)
	m.must("POST", "/sale/item", item("Mais um"))
	g.finds(`[data-do="notification"]`)
	g.rest = [2]int{480, 800}
	g.take("home")
	g.sizes = fiveSizes[:2]
	g.do(chromedp.Navigate(m.screen + "/"))
	g.push("panel")
	g.take("emulator-drawer")
}
