//go:build !race || everything

package screenui_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

func printed(lines ...string) []object {
	var text []object
	for _, l := range lines {
		text = append(text, object{"text": object{"value": l, "size": 16}})
	}
	return text
}

func TestPaperComesOut(t *testing.T) {
	t.Parallel()
	m := start(t)
	first := handheld(t, m)
	second := first.another(browsertest.Window(1024, 768))
	both := func(do func(*page)) { do(first); do(second) }
	m.must("POST", "/print/text", printed("CUPOM", "Café 11,00"))
	both(func(p *page) {
		p.finds(`[data-paper="1"] img`)
		p.sees(`document.querySelector("[data-paper] img").naturalWidth === 384`)
		for kind, want := range map[string]string{"png": "200 image/png", "pdf": "200 application/pdf"} {
			got := browsertest.Eval[string](t, p.ctx, fmt.Sprintf(`fetch(document.querySelector("[data-do=paper-%s]").href).then(r => r.status + " " + r.headers.get("Content-Type"))`, kind))
			if got != want {
				t.Errorf("the %s to download: %s", kind, got)
			}
		}
	})
	m.must("POST", "/print/text", printed("SEGUNDO"))
	both(func(p *page) { p.finds(`[data-paper="2"]`) })
	first.push("paper-older")
	first.finds(`[data-paper="1"]`)
	first.push("tear")
	both(func(p *page) {
		p.sees(`!document.querySelector("[data-paper='1']") && !!document.querySelector("[data-paper='2']")`)
	})
	m.must("POST", "/print/text", printed("TERCEIRO"))
	both(func(p *page) { p.finds(`[data-paper="3"]`) })
	second.push("tear-all")
	both(func(p *page) { p.lacks(".paper") })
	first.do(chromedp.Reload())
	first.view("idle")
	first.lacks(".paper") // what was torn off does not come back
}

func TestPaperGivesWay(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	held := m.hold("/transaction", paying("99", 12))
	p.step("choose")
	// Payments answer only after people; a printer needs none, but the terminal is busy meanwhile.
	if a := m.call("POST", "/print/text", printed("agora não")); a.status != 503 {
		t.Errorf("printing during a payment: %d %s", a.status, a.body)
	}
	p.push("cancel")
	m.ends(held)
	m.must("POST", "/print/text", printed("CUPOM"))
	p.push("paper-away")
	p.says(`[data-do="paper"]`, "1 cupom")
	m.must("POST", "/print/text", printed("OUTRO"))
	p.finds(`[data-paper="2"]`) // a newer one comes out by itself

	held = m.hold("/transaction", paying("99", 12))
	p.step("choose")
	p.lacks("[data-paper]")
	p.push("choose-pix") // nothing lies over it
	p.step("pix")
	p.push("cancel")
	m.ends(held)
	long := make([]string, 80)
	for i := range long {
		long[i] = fmt.Sprint("Linha ", i)
	}
	p.view("idle")
	m.must("POST", "/print/text", printed(long...))
	p.finds(`[data-paper="3"]`)
	p.sees(`(box => (box.scrollTop = 1e6, box.scrollTop > 500))(document.querySelector("[data-paper='3']"))`)
	p.press("Escape")
	p.lacks("[data-paper]")
}
