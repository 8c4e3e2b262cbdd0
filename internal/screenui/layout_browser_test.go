//go:build !race || everything

package screenui_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/thorough"
	"github.com/maquininha/maquininha/internal/waittest"
)

// sizes are the screens the terminal must be right on: the narrowest, a wide one and, with everything, those between and beyond.
var sizes = [][2]int{{320, 480}, {1024, 768}, {480, 800}, {720, 1280}, {1920, 1080}}[:thorough.Rounds(2, 5)]

// misfits lists what a person could not see or hit: targets too small, and what lies outside the window or is cut off by
// what is around it, unless that scrolls. The many keys of a keyboard share the width there is.
const misfits = `(() => {
	const wrong = [];
	const name = (e) => e.dataset.key ?? e.dataset.do ?? e.dataset.value ?? (e.className || e.tagName);
	const seen = (e) => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0;
	const root = document.documentElement;
	if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) wrong.push("the page scrolls: " + root.scrollWidth + "×" + root.scrollHeight);
	const frameOf = (e) => {
		let frame = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
		for (let around = e.parentElement; around; around = around.parentElement) {
			const style = getComputedStyle(around), box = around.getBoundingClientRect();
			if (/auto|scroll/.test(style.overflowY)) return null; // it can be scrolled to
			if (style.overflowY === "hidden" || style.overflowY === "clip")
				frame = {left: Math.max(frame.left, box.left), top: Math.max(frame.top, box.top), right: Math.min(frame.right, box.right), bottom: Math.min(frame.bottom, box.bottom)};
		}
		return frame;
	};
	for (const e of document.querySelectorAll("[data-view] :is(button, input, h1, p, progress, [data-entry], .q-options, footer)")) {
		if (!seen(e)) continue;
		const box = e.getBoundingClientRect(), at = frameOf(e);
		const where = name(e) + " " + [box.left, box.top, box.right, box.bottom].map(Math.round).join(",");
		if (at && (box.left < at.left - 1 || box.top < at.top - 1 || box.right > at.right + 1 || box.bottom > at.bottom + 1)) wrong.push(where + " is cut off");
		if (e.matches("h1, p, [data-entry]:not(input)") && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)) wrong.push(where + " hides a part of its words");
		if (!e.matches("button")) continue;
		if (box.height < 48 - .01) wrong.push(where + " is " + box.height.toFixed(1) + " high");
		if (box.width < 48 - .01 && !e.closest(".keyboard")) wrong.push(where + " is " + box.width.toFixed(1) + " wide");
		if (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1) wrong.push(where + " is smaller than its words");
	}
	const buttons = [...document.querySelectorAll("[data-view] button")].filter(seen).map(e => [e, e.getBoundingClientRect()]);
	for (const [a, p] of buttons) for (const [b, q] of buttons)
		if (a !== b && p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1 && frameOf(a) && frameOf(b)) wrong.push(name(a) + " lies over " + name(b));
	return wrong;
})()`

// fits resizes the page through all sizes and names what does not fit, each with its size.
func (p *page) fits(what string) {
	p.t.Helper()
	for _, size := range sizes {
		p.do(browsertest.Resize(browsertest.Window(size[0], size[1]), browsertest.Touch), browsertest.Wait(fmt.Sprintf("innerWidth === %d", size[0])))
		// What still moves comes to rest in the end.
		var wrong []string
		for deadline := time.Now().Add(waittest.Limit); ; {
			if wrong = browsertest.Eval[[]string](p.t, p.ctx, misfits); len(wrong) == 0 || time.Now().After(deadline) {
				break
			}
		}
		if len(wrong) > 0 {
			p.t.Fatalf("%s at %d×%d: %q", what, size[0], size[1], wrong)
		}
	}
}

func TestBrowserQuestionsFitEveryScreen(t *testing.T) {
	t.Parallel()
	p := stage(t)
	p.agree(422, "/question/answer")
	crowd := []object{}
	for i := range 12 {
		crowd = append(crowd, object{"id": i, "name": fmt.Sprintf("Opção de nome comprido número %d", i), "value": fmt.Sprint(i)})
	}
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			p := p.in(t)
			q := s.asked(object{"question": "Qual é o documento para a sua nota fiscal?", "required": false})
			if s.chosen() {
				q["options"] = crowd
			}
			other := maps.Clone(q)
			q["id"], other["id"] = 1, 2
			// A form, with everything a question can have around it.
			held := p.asksForm([]object{q, other}, object{"showCancelButton": true, "confirmAnswer": true, "buttonText": "Continuar", "buttonCancelText": "Não quero responder"})
			p.fits("empty")
			if s.chosen() {
				p.press("Escape")
				p.cancelled(held, byPerson)
				return
			}
			p.do(browsertest.Type(s.wrong), browsertest.Press("Enter"))
			p.reads("[data-fault]", s.says)
			p.fits("refused")
			for range s.wrong {
				p.press("Backspace")
			}
			p.do(browsertest.Type(s.right), browsertest.Press("Enter"))
			p.wait(`document.querySelector("[data-step=confirm]")`)
			p.fits("confirming")
			p.press("Enter")
			p.at(2, 2)
			p.press("Escape")
			p.cancelled(held, byPerson)
		})
	}
}

// The layers and layouts of the keyboards, on the smallest screen and the others.
func TestBrowserKeyboardsFitEveryScreen(t *testing.T) {
	t.Parallel()
	p := stage(t)
	for _, row := range []struct {
		kind   string
		layers []string
	}{{"TEXT", []string{"digits", "signs", "letters", "accents"}}, {"EMAIL", []string{"digits"}}, {"CPFORCNPJ", []string{"letters"}}} {
		t.Run(row.kind, func(t *testing.T) {
			p := p.in(t)
			held := p.asks(object{"type": row.kind}, object{"showCancelButton": true})
			for _, layer := range row.layers {
				p.tap(key(layer))
				p.wait(fmt.Sprintf(`document.querySelector(".keyboard")?.dataset.layer === %s`, quoted(layer)))
				p.fits(layer)
			}
			p.press("Escape")
			p.cancelled(held, byPerson)
		})
	}
}

// A prompt that does not fit says that there is more, until it has been read to its end.
func TestBrowserLongPromptSaysThatItGoesOn(t *testing.T) {
	t.Parallel()
	p := openPage(t, start(t), browsertest.Window(320, 480), browsertest.Touch)
	ask := func(text string) <-chan answer {
		t.Helper()
		return p.asks(object{"type": "TEXT", "question": text}, object{"showCancelButton": true})
	}
	const goesOn = `document.querySelector(".q-prompt").hasAttribute("data-more")`
	held := ask("Qual é o seu nome?")
	p.sees("!" + goesOn)
	p.press("Escape")
	p.cancelled(held, byPerson)
	held = ask(strings.Repeat("Informe o seu nome completo, como no documento. ", 4))
	p.sees(goesOn)
	p.do(chromedp.Evaluate(`document.querySelector(".q-prompt").scrollTop = 1e6`, nil))
	p.sees("!" + goesOn)
	p.do(chromedp.Evaluate(`document.querySelector(".q-prompt").scrollTop = 0`, nil))
	p.sees(goesOn)
	p.do(browsertest.Resize(browsertest.Window(1024, 768), browsertest.Touch))
	p.sees("!" + goesOn)
	p.press("Escape")
	p.cancelled(held, byPerson)
}
