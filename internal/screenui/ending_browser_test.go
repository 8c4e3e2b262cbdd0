//go:build !race || everything

package screenui_test

import (
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// inSight tells whether all of these are whole inside the view, and none lies over another.
const inSight = `((...selectors) => {
	const frame = document.querySelector("main").getBoundingClientRect();
	const boxes = selectors.map((s) => [...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect())).flat();
	const inside = (b) => b.height > 0 && b.top >= frame.top - 1 && b.bottom <= frame.bottom + 1 && b.left >= frame.left - 1 && b.right <= frame.right + 1;
	const apart = (a, b) => a.bottom <= b.top + 1 || b.bottom <= a.top + 1 || a.right <= b.left + 1 || b.right <= a.left + 1;
	return boxes.length === selectors.length && boxes.every(inside) && boxes.every((a, i) => boxes.every((b, j) => i === j || apart(a, b)));
})`

// resize has the page as large as that.
func (p *page) resize(size [2]int) {
	p.t.Helper()
	p.do(browsertest.Resize(browsertest.Window(size[0], size[1]), browsertest.Touch))
	p.sees("innerWidth === %d && innerHeight === %d", size[0], size[1])
}

// However long the caller's message is, it is the message that gives way, not the change.
func TestBrowserChangeIsInSightUnderALongMessage(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	for _, letters := range []int{10, 47, 100, 223, 1000} {
		m.must("POST", "/sale", object{})
		m.must("POST", "/sale/item", object{"code": "1", "description": "Geladeira", "quantity": 1, "unitPrice": 1234.5, "total": 1234.5})
		m.must("POST", "/sale/payment", object{"tPag": "money", "value": 12345.67})
		message := strings.Repeat("Obrigado por comprar na nossa loja. ", 30)[:letters]
		m.must("POST", "/sale/finalize", object{"message": message, "messageInterval": 600000})
		p.says(".closing h1", message[:10])
		for _, size := range fiveSizes {
			p.resize(size)
			p.sees(inSight + `(".closing .mark", ".closing-kind", ".closing h1", ".closing-total", ".closing-change", ".closing-foot")`)
			p.sees(`(h => h.clientHeight >= Math.min(h.scrollHeight, 2 * parseFloat(getComputedStyle(h).lineHeight)) - 6)(document.querySelector(".closing h1"))`)
		}
	}
}

// A long reason of a refusal lies over nothing.
func TestBrowserLongRefusal(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	held := m.hold("/transaction", paying("03", 1234.5))
	p.step("card")
	m.must("POST", "/emulator/payment", object{"outcome": "refuse", "message": strings.Repeat("Transação não autorizada pelo emissor. ", 6)})
	m.ends(held)
	p.view("result")
	for _, size := range fiveSizes {
		p.resize(size)
		p.sees(inSight + `(".result .mark", ".result h1", ".result-message", ".result-amount", ".result-how", ".result-hint")`)
	}
}
