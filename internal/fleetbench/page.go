package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/rig/figures"
)

// rowsInSight is when the browser had painted the first rows, in milliseconds from the moment it was sent to the page.
const rowsInSight = `new Promise((resolve) => {
	const look = () => document.querySelector("[data-terminal]") ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))) : setTimeout(look, 5);
	look();
})`

// page has a real browser open the fleet again and again, signed in.
func (f *fleet) page() ([]figures.Row, error) {
	r := figures.Row{Measure: "fleet page of " + figures.Thousands(len(f.members)) + " to rows in sight, slowest", Goal: "≤ " + listGoal.String()}
	path := figures.FindBrowser()
	if path == "" {
		r.Value = "not measured: no chromium"
		return []figures.Row{r}, nil
	}
	page, closePage := figures.OpenBrowser(f.ctx, path, 1280, 900)
	defer closePage()
	who, err := json.Marshal(map[string]string{"name": "admin", "password": f.hub.password})
	if err != nil {
		return nil, err
	}
	address := "http://" + f.hub.Address + "/"
	var status int
	signIn := fmt.Sprintf(`fetch("/api/v1/session", {method: "POST", body: %q}).then((r) => r.status)`, who)
	awaited := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	if err := chromedp.Run(page, chromedp.Navigate(address), chromedp.Evaluate(signIn, &status, awaited)); err != nil || status != 200 {
		return nil, fmt.Errorf("signing in at the page: %d %w", status, err)
	}
	const times = 5
	took := make([]float64, times)
	for i := range took {
		if err := chromedp.Run(page, chromedp.Navigate("about:blank"), chromedp.Navigate(address), chromedp.Evaluate(rowsInSight, &took[i], awaited)); err != nil {
			return nil, fmt.Errorf("opening the page: %w", err)
		}
	}
	slices.Sort(took)
	slowest := time.Duration(took[times-1] * float64(time.Millisecond))
	r.Value, r.Against, r.OK = milliseconds(slowest), fmt.Sprintf("median %.3g ms, of %d", took[times/2], times), slowest <= listGoal
	return []figures.Row{r}, nil
}
