//go:build !race || everything

package screenui_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// watchMotion notes what is moved for how many milliseconds, and what the large figure reads on its way.
const watchMotion = `void (() => {
	window.moved = {};
	window.passed = new Set();
	addEventListener("animationstart", e => { moved[e.animationName] = parseFloat(getComputedStyle(e.target).animationDuration) * 1000; }, true);
	new MutationObserver(() => {
		const figure = document.querySelector('.hero dd[aria-busy="true"]');
		if (figure) passed.add(figure.innerText);
	}).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
})()`

// A view comes, an item arrives and the total counts up, each in less than 200 ms; where less motion is asked for nothing moves.
func TestMotion(t *testing.T) {
	t.Parallel()
	for _, still := range []bool{false, true} {
		t.Run(map[bool]string{false: "usual", true: "reduced"}[still], func(t *testing.T) {
			t.Parallel()
			m := start(t)
			options := []browsertest.Option{browsertest.Window(480, 800), browsertest.Touch}
			if !still {
				options = append(options, browsertest.Moving)
			}
			p := openPage(t, m, options...)
			p.do(chromedp.Evaluate(watchMotion, nil))
			m.must("POST", "/sale", object{})
			p.view("sale")
			m.must("POST", "/sale/item", item("Pão"))
			p.says(".item.is-newest", "Pão")
			p.says(".hero dd", "R$ 11,00")
			m.must("POST", "/sale/item", item("Queijo"))
			p.says(`.hero dd[aria-busy="false"]`, "R$ 22,00")
			p.sees(`"item-arrives" in moved`)
			// The list is scrolled by how high it is in the moment it grows.
			if high := browsertest.Eval[int](t, p.ctx, `(() => { const all = document.querySelector(".vlist-all"); all.style.height = "4321px"; return all.offsetHeight; })()`); high != 4321 {
				t.Errorf("the list becomes higher in its own time: %d", high)
			}
			figures := browsertest.Eval[[]string](t, p.ctx, `[...passed]`)
			for name, lasts := range browsertest.Eval[map[string]float64](t, p.ctx, `moved`) {
				if still && lasts > 1 || !still && (lasts < 150 || lasts > 200) && name != "bell" {
					t.Errorf("%s lasts %v ms", name, lasts)
				}
			}
			if (len(figures) == 0) != still {
				t.Errorf("on its way the total reads %q", figures)
			}
		})
	}
}
