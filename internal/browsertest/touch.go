package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func awaiting(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// Tap touches what the selector finds, as a finger does: once it is there, in sight, not moving, not disabled and not
// under something else.
func Tap(selector string) chromedp.Action { return tapUpTo(patience, selector) }

func tapUpTo(limit time.Duration, selector string) chromedp.Action {
	return hit(limit, selector, func(ctx context.Context, x, y float64) error {
		if err := input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: x, Y: y}}).Do(ctx); err != nil {
			return err
		}
		return input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}).Do(ctx)
	})
}

// Click is Tap with the mouse.
func Click(selector string) chromedp.Action {
	return hit(patience, selector, func(ctx context.Context, x, y float64) error { return chromedp.MouseClickXY(x, y).Do(ctx) })
}

// hit aims and presses. What comes to lie over the place between the two takes the press instead: then it is aimed again, as
// a person would.
func hit(limit time.Duration, selector string, press func(ctx context.Context, x, y float64) error) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for {
			x, y, err := aim(ctx, limit, selector)
			if err != nil {
				return err
			}
			if err := press(ctx, x, y); err != nil {
				return err
			}
			var missed bool // false also of a page that is another by now
			if err := chromedp.Evaluate(pressed, &missed, awaiting).Do(ctx); err != nil || !missed {
				return leftThePage(err)
			}
		}
	})
}

// pressed tells whether a press has missed, once it is known where its click went. Not all have one: what a key types comes with the press.
const pressed = `globalThis.aimed && Promise.race([aimed.clicked, new Promise(over => setTimeout(over, 500))]).then(() => aimed.missed) || false`

// leftThePage forgives a press for having led to another page before it could be asked about.
func leftThePage(err error) error {
	if err != nil && strings.Contains(err.Error(), "navigated or closed") {
		return nil
	}
	return err
}

// onlyJustShown is a page that does not take decisions yet: people look before they press.
const onlyJustShown = `("fresh" in document.documentElement.dataset)`

const aimAt = `(selector => {
	const found = [...document.querySelectorAll(selector)];
	const e = found.find(e => e.getClientRects().length > 0);
	if (!e) return {Obstacle: found.length ? "is not in sight" : "is not there"};
	if (e.matches(":disabled")) return {Obstacle: "is disabled"};
	if (` + onlyJustShown + ` && !e.closest(".side, .mouth")) return {Obstacle: "was only just shown"};
	e.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
	const box = e.getBoundingClientRect();
	const x = box.x + box.width / 2, y = box.y + box.height / 2;
	const hit = document.elementFromPoint(x, y);
	if (!hit) return {Obstacle: "is outside the window"};
	if (!e.contains(hit) && !hit.closest("label")?.contains(e)) return {Obstacle: "is under " + hit.outerHTML.slice(0, 120)};
	return {Obstacle: "", X: x, Y: y};
})`

// takeAim remembers whether the next press misses: it lands on something else, at its beginning or, where the page moves under the
// finger, at its end; or on a screen that has only just come. Keys type at once even then. The page hears nothing of a press that misses:
// it would do what nobody meant.
const takeAim = `(selector => {
	const e = [...document.querySelectorAll(selector)].find(e => e.getClientRects().length > 0);
	globalThis.aimed?.over.abort();
	const over = new AbortController(), aimed = globalThis.aimed = {missed: false, over};
	const once = {capture: true, once: true, signal: over.signal};
	const on = event => e.contains(event.target) || event.target.closest?.("label")?.contains(e);
	addEventListener("pointerdown", event => {
		aimed.missed = !on(event) || ` + onlyJustShown + ` && !e.closest("[data-key], .side, .mouth");
	}, once);
	aimed.clicked = new Promise(heard => addEventListener("click", event => {
		aimed.missed ||= !on(event) && e.isConnected && !e.closest("[data-key]");
		heard();
	}, once));
	for (const kind of ["pointerdown", "touchstart", "mousedown", "pointerup", "touchend", "mouseup", "click"]) {
		addEventListener(kind, event => {
			if (!aimed.missed) return;
			event.stopImmediatePropagation();
			if (event.cancelable) event.preventDefault();
		}, {capture: true, passive: false, signal: over.signal});
	}
})`

// atRest looks until the place is the same two frames running, for half a second at most.
const atRest = `(selector => new Promise((resolve, reject) => {
	let last = {}, left = 30;
	const look = () => {
		try {
			const now = ` + aimAt + `(selector), rests = now.X !== undefined && now.X === last.X && now.Y === last.Y;
			if (rests) ` + takeAim + `(selector);
			if (rests || --left === 0) return resolve(rests || now.Obstacle ? now : {Obstacle: "does not stay where it is"});
			last = now;
			setTimeout(look, 16);
		} catch (fault) { reject(fault); }
	};
	look();
}))`

// aim finds the middle of an element, once it can be touched there.
func aim(ctx context.Context, limit time.Duration, selector string) (x, y float64, err error) {
	quoted, err := json.Marshal(selector)
	if err != nil {
		return 0, 0, err
	}
	var place struct {
		Obstacle string
		X, Y     float64
	}
	err = poll(ctx, limit, func() (string, error) {
		place.Obstacle = "can't be looked for"
		err := chromedp.Evaluate(atRest+"("+string(quoted)+")", &place, awaiting).Do(ctx)
		if err != nil || place.Obstacle != "" {
			return selector + " " + place.Obstacle, err
		}
		return "", nil
	})
	return place.X, place.Y, err
}

// Press presses keys one after the other, once the page takes decisions, each by its name ("Enter", "ArrowDown", "F2") or its letter, with modifiers
// in front ("Shift+Tab").
func Press(keys ...string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for _, key := range keys {
			if err := Wait("!" + onlyJustShown).Do(ctx); err != nil {
				return err
			}
			if err := press(ctx, key); err != nil {
				return err
			}
		}
		return nil
	})
}

var modifiers = map[string]input.Modifier{
	"Shift": input.ModifierShift, "Control": input.ModifierCtrl, "Alt": input.ModifierAlt, "Meta": input.ModifierMeta,
}

func press(ctx context.Context, key string) error {
	var held input.Modifier
	for {
		name, rest, more := strings.Cut(key, "+")
		modifier, known := modifiers[name]
		if !more || !known {
			break
		}
		held, key = held|modifier, rest
	}
	if len([]rune(key)) != 1 {
		code, known := named[key]
		if !known {
			return fmt.Errorf("there is no key named %q", key)
		}
		key = string(code)
	}
	return stroke(ctx, []rune(key)[0], held)
}

// stroke sends a key down and up. What it types goes along with the key's going down: sent apart, as chromedp does, it comes even where
// the page has taken the key for itself, and presses whatever has the focus by then.
func stroke(ctx context.Context, key rune, held input.Modifier) error {
	events := kb.Encode(key)
	down, up := events[0], events[len(events)-1]
	if down.Type = input.KeyRawDown; len(events) == 3 && held&^input.ModifierShift == 0 {
		typed := events[1]
		down.Type, down.Text, down.UnmodifiedText = input.KeyDown, typed.Text, typed.UnmodifiedText
	}
	for _, e := range []*input.DispatchKeyEventParams{down, up} {
		e.Modifiers |= held
		if err := e.Do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// named are the keys that no letter stands for.
var named = func() map[string]rune {
	names := map[string]rune{"Space": ' '}
	for code, key := range kb.Keys {
		if !key.Print {
			names[key.Key] = code
		}
	}
	for name, code := range map[string]string{"Enter": kb.Enter, "Tab": kb.Tab, "Backspace": kb.Backspace, "Escape": kb.Escape, "Delete": kb.Delete} {
		names[name] = []rune(code)[0]
	}
	return names
}()

// Type presses the key of each letter at once: pages take what is typed from the first moment.
func Type(text string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for _, key := range text {
			if err := stroke(ctx, key, 0); err != nil {
				return err
			}
		}
		return nil
	})
}
