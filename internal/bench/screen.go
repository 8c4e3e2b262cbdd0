package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

// pixelsGoal is how long a change may take to show, at the 95th percentile.
const pixelsGoal = 100 // ms

// watchPixels notes when the browser has painted an item of the cart. The page's clock and ours are the same
// machine's.
const watchPixels = `
	window.painted = {};
	new MutationObserver(() => {
		const seen = (document.querySelector('[data-view="sale"]')?.textContent ?? "").match(/marca-\d+/g);
		const last = seen?.at(-1);
		if (!last || painted[last]) return;
		painted[last] = 1; // seen, not painted yet
		requestAnimationFrame(() => {
			const after = new MessageChannel(); // its message comes once the frame is out
			after.port1.onmessage = () => painted[last] = Date.now(); // performance.now() does not follow a clock that is being set
			after.port2.postMessage(0);
		});
	}).observe(document.body, {subtree: true, childList: true, characterData: true});`

// measureScreen has a browser show a sale and asks it when each item came into sight, from the moment its caller
// began to send it: the request, the disk and the page are all in the figure.
func (b *bench) measureScreen() ([]figures.Row, error) {
	r := figures.Row{Measure: "item sent to pixels in the browser, p95", Goal: fmt.Sprintf("≤ %d ms", pixelsGoal)}
	path := figures.FindBrowser()
	if path == "" {
		r.Value = "not measured: no chromium"
		return []figures.Row{r}, nil
	}
	service, err := b.freshService("screen")
	if err != nil {
		return nil, err
	}
	defer service.Stop() //nolint:errcheck // what it answered is counted already
	page, closePage := figures.OpenBrowser(b.ctx, path, 480, 800)
	defer closePage()
	if _, err := rig.Send(service.Address, openSale); err != nil {
		return nil, err
	}
	err = chromedp.Run(page, chromedp.Navigate("http://"+service.Screen+"/?kiosk"),
		chromedp.WaitVisible(`[data-view="sale"]`, chromedp.ByQuery), chromedp.Evaluate(watchPixels, nil))
	if err != nil {
		return nil, fmt.Errorf("opening the page: %w", err)
	}
	sent := map[string]float64{}
	for n := range b.pixels {
		name := fmt.Sprintf("marca-%05d", n)
		sent[name] = float64(time.Now().UnixMicro()) / 1000
		if _, err := rig.Send(service.Address, rig.Request("POST", "/sale/item", `{"code":"1","description":"`+name+`","quantity":1,"unitPrice":5.49,"total":5.49}`)); err != nil {
			return nil, err
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-b.ctx.Done():
			return nil, b.ctx.Err()
		}
	}
	var painted map[string]float64
	if err := chromedp.Run(page, chromedp.Evaluate(`window.painted`, &painted)); err != nil {
		return nil, err
	}
	return judgePixels(r, sent, painted)
}

func judgePixels(r figures.Row, sent, painted map[string]float64) ([]figures.Row, error) {
	var took []float64
	for name, at := range sent {
		if seen := painted[name]; seen > 1 {
			took = append(took, seen-at)
		}
	}
	if len(took) < len(sent)*9/10 {
		text, _ := json.Marshal(painted)
		return nil, errors.Join(fmt.Errorf("only %d of %d items came into sight", len(took), len(sent)), errors.New(string(text)))
	}
	slices.Sort(took)
	p95 := took[len(took)*95/100]
	r.Value, r.OK = fmt.Sprintf("%.0f ms", p95), p95 <= pixelsGoal
	r.Against = fmt.Sprintf("median %.0f ms, of %d items", took[len(took)/2], len(took))
	return []figures.Row{r}, nil
}
