package screenui_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// crooked are the buttons of the page, links among them, whose text is not in their middle, touches the border or is underlined, and those whose
// picture is not beside the text's middle.
const crooked = `[...document.querySelectorAll(".act")].map((act) => {
	const middle = (r) => (r.top + r.bottom) / 2, box = act.getBoundingClientRect(), range = document.createRange();
	range.selectNodeContents(act.querySelector("span") ?? act);
	const text = range.getBoundingClientRect(), icon = act.querySelector("svg")?.getBoundingClientRect();
	const wrong = [];
	if (Math.abs(middle(text) - middle(box)) > 3) wrong.push("not in the middle");
	if (text.left - box.left < 8 || box.right - text.right < 8) wrong.push("touches the border");
	if (getComputedStyle(act).textDecorationLine !== "none") wrong.push("underlined");
	if (icon && Math.abs(middle(icon) - middle(text)) > 2) wrong.push("picture beside");
	return wrong.length ? act.innerText + ": " + wrong.join(", ") : "";
}).filter(Boolean).join("; ")`

// Links that look like buttons are like the buttons beside them, in a window and on a telephone; what was revoked is listed last.
func TestLooksOfButtons(t *testing.T) {
	t.Parallel()
	h := startHub(t)
	p := browsertest.Start(t)
	do := func(actions ...chromedp.Action) { t.Helper(); browsertest.Run(t, p, actions...) }
	eval := func(expression string) string { t.Helper(); return browsertest.Eval[string](t, p, expression) }
	for i, name := range []string{"Antigo", "Retaguarda", "Painel"} {
		id := h.call(t, "POST", "/api/v1/webhooks", fmt.Sprintf(`{"name":%q,"url":"https://erp.exemplo.com.br/%d"}`, name, i))
		if i == 0 {
			h.call(t, "DELETE", "/api/v1/webhooks/"+id, "")
		}
	}
	h.call(t, "POST", "/api/v1/settings", `{"values":{"locale":"pt-BR"},"comment":"x","base":0}`)
	do(signIn(h, "pt-BR"))
	for _, size := range [][2]int{{1280, 800}, {360, 740}} {
		do(browsertest.Resize(browsertest.Window(size[0], size[1])))
		for _, view := range []string{"webhooks", "settings"} {
			do(goTo("#/"+view), browsertest.Wait(`document.querySelector("[data-view=`+view+`] a.act")`))
			if wrong := eval(crooked); wrong != "" {
				t.Errorf("%s, %d wide: %s", view, size[0], wrong)
			}
		}
	}
	do(goTo("#/webhooks"), shows("Painel"))
	if order := eval(`[...document.querySelectorAll("[data-item]")].map((row) => row.dataset.item).join(" ")`); order != "Retaguarda Painel Antigo" {
		t.Errorf("webhooks are listed as %s", order)
	}
	do(browsertest.Tap(`[data-item=Painel] a.act`), browsertest.Wait(`document.querySelector(".view-head .back")?.getBoundingClientRect().left === document.querySelector(".view-head h1")?.getBoundingClientRect().left`))
}
