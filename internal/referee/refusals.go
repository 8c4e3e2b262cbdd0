package referee

import (
	"fmt"
	"slices"
	"strings"
)

// chapter is how far the shop's sales had come when a request arrived.
type chapter struct {
	openings, ends int  // of sales, so far
	open           bool // a sale is known to be
}

// chapters are those of the exchanges, in their order.
func (c *courtroom) chapters() []chapter {
	all := make([]chapter, len(c.Exchanges))
	var now chapter
	for i := range c.Exchanges {
		all[i] = now
		switch x := &c.Exchanges[i]; {
		case x.Route == openSale && x.Status == ok:
			now.openings++
			now.open = true
		case x.Route == openSale && x.says(conflict, openText), x.Route == addItem && x.Status == ok:
			now.open = true
		case (x.Route == finalize || x.Route == cancel) && x.Status == ok:
			now.ends++
			now.open = false
		}
	}
	return all
}

func (c *courtroom) chapter(x *Exchange) chapter { return c.chapterOf[x.N-1] }

// together tells that no sale ended between the two: what they are about may be one customer's.
func (c *courtroom) together(x, y *Exchange) bool { return c.chapter(x).ends == c.chapter(y).ends }

// busyNotRetried looks for refusals that promise another answer later and that nobody came back to. Who tried twice knows how
// to; and what else may have been decided instead, ends the matter.
func (c *courtroom) busyNotRetried() {
	refused := map[string]*Exchange{} // the last of each operation, and of each route
	for i := range c.Exchanges {
		x := &c.Exchanges[i]
		rule, is := x.tryLater()
		operation := x.Route + "\x00" + x.Reference + "\x00" + x.Content
		if !is {
			delete(refused, operation)
			delete(refused, x.Route)
			continue
		}
		again := false
		for _, name := range []string{operation, x.Route} {
			before := refused[name]
			again = again || before != nil && c.retries(before, x)
			refused[name] = x
		}
		if again || c.unfinished(x.Answered) {
			continue
		}
		if c.after(x.Answered, func(y *Exchange) bool { return c.retries(x, y) || c.decides(x, y) }) == nil {
			c.accuse(rule, x, fmt.Sprintf("%s%s recebeu 503 %q e não foi enviado de novo", x.sentence(), x.named(), x.Message))
		}
	}
}

// tryLater tells of a refusal that promises another answer later. Those of the display are left out: what was to be
// shown may not matter any more.
func (x *Exchange) tryLater() (Rule, bool) {
	switch {
	case x.Route != pay && x.Route != reverse && !x.asks() && !strings.HasPrefix(x.Route, printPref):
		return "", false
	case x.Cut:
		return "", false
	case x.says(unavailable, busyText), x.says(unavailable, unresolvedText):
		return BusyNotRetried, true
	case x.says(unavailable, backgroundText):
		return BackgroundNotRetried, true
	}
	return "", false
}

func (x *Exchange) asks() bool { return x.Route == ask || x.Route == askForm }

// retries tells that a later request may be the refused one again, or what took its place. Where either was not read, it may.
func (c *courtroom) retries(x, y *Exchange) bool {
	if y.Route != x.Route || y.Status == stranger {
		return false
	}
	alike := x.Content == "" || y.Content == "" || x.Content == y.Content
	switch {
	case x.Route == reverse:
		return x.Reference == y.Reference
	case x.Route == pay && (x.Charge.TPag == "" || y.Charge.TPag == ""):
		return true
	case x.Route == pay && x.Reference != "" && x.Reference == y.Reference:
		return true
	case x.Route == pay && c.chapter(x).open:
		return c.together(x, y) // another card, or a part, or a new reference
	case x.Route == pay: // without a sale, more than was due is somebody else's
		return c.together(x, y) && y.Charge.Amount.Cmp(x.Charge.Amount) <= 0
	case x.asks():
		return alike && c.together(x, y) // the next customer is asked the same
	}
	// A receipt may bear the time it was sent at; that of the next sale is another.
	return alike || c.chapter(x).openings == c.chapter(y).openings
}

// decides tells that a later request shows the refused one to be no longer wanted, or done.
func (c *courtroom) decides(x, y *Exchange) bool {
	if y.Status == stranger {
		return false
	}
	money, asks := x.Route == pay || x.Route == reverse, x.asks()
	switch y.Route {
	case lookUp: // busy may have been with this very payment
		return money && (y.Reference == x.Reference || x.Route == pay && x.Charge.TPag == "") && slices.Contains(settled, y.Outcome)
	case cancel: // which gives no money back, and takes no receipt of a sale before
		return c.together(x, y) && (x.Route == pay || asks || !money && c.chapter(x).open)
	case finalize: // paid in another way; whether it was, other rules ask
		return c.together(x, y) && x.Route == pay && y.Status == ok
	case cancelAsk:
		return asks && c.together(x, y)
	case callOff: // of what was believed to be under way
		return asks && c.together(x, y) || money && x.Reference != "" && y.Reference == x.Reference
	}
	return false
}
