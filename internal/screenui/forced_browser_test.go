//go:build !race || everything

package screenui_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// vanished lists what says something by its colour alone, and can't be told from the ground. Lines and grounds are as the system has them.
const vanished = `(() => {
	const probe = document.body.appendChild(document.createElement("i"));
	probe.style.background = "Canvas";
	const ground = getComputedStyle(probe).backgroundColor;
	probe.remove();
	const gone = (colour) => !colour || colour === "none" || colour === ground || /^rgba.*, 0\)$/.test(colour);
	const wrong = [];
	for (const e of document.querySelectorAll(".mark path, .trouble > .icon, .success-mark path, .card-art-reader, .card-art-plastic, .pin-dots i.full, .pix-bar i, .payment-spinner, .payment-open span, .q-progress progress, .closing-time")) {
		if (!e.checkVisibility()) continue;
		const style = getComputedStyle(e);
		const seen = e instanceof SVGElement ? [style.stroke, style.fill] : [style.backgroundColor, style.borderTopColor];
		if (seen.every(gone)) wrong.push((e.className.baseVal ?? e.className) + " " + seen.join(" / ") + " on " + ground);
	}
	return wrong;
})()`

// Where the system chooses the colours, nothing that is said by a mark or a bar vanishes.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	p := handheld(t, start(t, lasting))
	p.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}))
	p.sees(`matchMedia("(forced-colors: active)").matches`)
	p.visit(func(view string) {
		t.Helper()
		for _, what := range browsertest.Eval[[]string](t, p.ctx, vanished) {
			t.Errorf("%s: %s", view, what)
		}
	})
}
