package browsertest

import (
	"context"
	_ "embed"
	"testing"

	"github.com/chromedp/chromedp"
)

//go:embed axe/axe.min.js
var axe string

// Violations are what axe-core finds wrong with a page as it stands, for people who don't see, hear or move as most do: which rule,
// where, and how. What moves is brought to its end first: half a fade has no contrast.
func Violations(t testing.TB, page context.Context) []string {
	t.Helper()
	if !Eval[bool](t, page, `typeof axe === "object"`) {
		if err := chromedp.Run(page, chromedp.Evaluate(axe+";true", nil)); err != nil {
			t.Fatal(err)
		}
	}
	Eval[bool](t, page, Rest)
	return Eval[[]string](t, page, `axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations.flatMap(({id, nodes}) =>
		nodes.map(n => id + ": " + n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " "))))`)
}

// Rest waits until nothing moves: what ends is brought to its end, what goes round is stopped on its way.
const Rest = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(async () => {
	for (const a of document.getAnimations()) {
		const {iterations, duration} = a.effect.getComputedTiming();
		if (iterations === Infinity) { a.pause(); a.currentTime = duration * .6; } else if (duration < 2000) a.finish();
	}
	await Promise.all([...document.images].map(i => i.decode().catch(() => {})));
	done(true);
})))`
