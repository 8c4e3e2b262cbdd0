//go:build !race || everything

package screenui_test

import "testing"

// What a customer looks for on the sale is in sight on every screen: what was scanned last, whatever follows it, its name,
// four payments and the sums side by side.
func TestBrowserSaleShowsWhatMatters(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	m.must("POST", "/sale", object{})
	for _, name := range []string{"Café torrado e moído 500 g", "Pão francês", "Televisor de tela plana"} {
		m.must("POST", "/sale/item", item(name))
	}
	for range 6 {
		m.must("POST", "/sale/discount", object{"value": 0.5})
	}
	m.must("POST", "/sale/payment", object{"tPag": "17", "value": 1, "description": "Pix da Ana"})
	p.resize([2]int{320, 480})
	p.sees(`(e => e && e.scrollHeight <= e.clientHeight + 1)(document.querySelector(".is-newest .item-name"))`)
	const newest = `((row, box) => row && row.top >= box.top - 1 && row.bottom <= box.bottom + 1)(document.querySelector(".item.is-newest")?.getBoundingClientRect(), document.querySelector(".vlist-box").getBoundingClientRect())`
	for _, size := range fiveSizes {
		p.resize(size)
		p.sees(newest)
	}
	p.resize([2]int{480, 800})
	p.sees(`document.querySelectorAll(".sum:not(.hero)").length === 4`)
	p.sees(`(tops => tops[0] === tops[1] && tops[2] === tops[3] && tops[1] < tops[2])([...document.querySelectorAll(".sum:not(.hero)")].map(e => Math.round(e.getBoundingClientRect().top)))`)
	m.must("DELETE", "/sale/discount/clear", nil)
	for range 4 {
		m.must("POST", "/sale/payment", object{"tPag": "17", "value": 1, "description": "Pix da Ana"})
	}
	p.resize([2]int{1024, 768})
	p.sees(`[...document.querySelectorAll(".sale-payments .pay-note")].filter(e => e.checkVisibility() && e.getBoundingClientRect().bottom <= document.querySelector(".sale-totals").getBoundingClientRect().top).length === 4`)
	p.says(".sale-payments", "+1 anterior")

	// What the caller says takes room of its own.
	m.must("POST", "/notification", object{"title": "Caixa 3", "message": "Chame o gerente, por favor, que um cliente pergunta pelo preço"})
	p.sees(`((said, head) => said.height > 0 && said.bottom <= head.top + 1)(document.querySelector(".toast.is-said").getBoundingClientRect(), document.querySelector(".sale-head").getBoundingClientRect())`)
}
