package screenui

import (
	"slices"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/cardnumber"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/screen"
)

// amount is a decimal as a page gets it: a text, because JavaScript's numbers are binary.
type amount struct{ money.Decimal }

// MarshalJSON replaces the decimal's own, which writes a number.
func (a amount) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, a.String()), nil }

func amountOrNil(d *money.Decimal) *amount {
	if d == nil {
		return nil
	}
	return &amount{*d}
}

type object = map[string]any

// hello is what does not change while a page is connected.
func (ui *UI) hello(page string) object {
	return object{
		"page": page, "boot": ui.boot, "emulator": ui.Panel != nil, "version": ui.Device.Identity.Version,
		"locale": ui.Settings.Locale(), "name": ui.Settings.Name(), "apiUrl": ui.APIURL, "now": time.Now().UnixMilli(),
	}
}

// state is everything a page shows but the sale's lines. Each key is sent when it changed.
func (ui *UI) state(open sale.Delta, hasSale bool) object {
	fg, model := ui.Screen.Foreground.State(), ui.Screen.State()
	shown, asked := ui.Questions.Shown()
	paying, pays := ui.Payments.Shown()
	ended, hasEnded := ui.Payments.Ended()
	success, succeeded := ui.Questions.Success()
	waiting := ui.Printing.Waiting()
	setup := ui.Settings.Setup()
	s := object{
		"active": fg.Active, "override": fg.Override, "pages": fg.Pages, "busy": ui.Device.Gate.Busy(), "turn": ui.Device.Gate.Turn(),
		"locale": ui.Settings.Locale(), "name": ui.Settings.Name(), "look": ui.look(),
		"printer": object{"state": ui.Printer.State()}, "acquirer": object{"state": ui.Acquirer(), "pending": ui.Payments.Unresolved()}, "hub": ui.hub(),
		"sale": nil, "closing": nil, "question": nil, "success": nil, "payment": nil, "result": nil, "settled": nil, "display": nil, "waiting": nil, "notification": nil, "announcement": nil,
		"paper": ui.papers.hanging(ui.Printer.Jobs()), "setup": object{"needed": setup.Needed, "pin": setup.PIN},
		"view": screen.Presence{
			Sale: hasSale, Closing: model.Closing != nil, Printer: len(waiting) > 0, Display: len(model.Stack) > 0,
			Success: succeeded, Question: asked, Result: hasEnded, Payment: pays,
		}.Top(),
	}
	if hasSale {
		s["sale"] = saleOf(open)
	}
	if c := model.Closing; c != nil {
		s["closing"] = object{
			"finalized": c.Finalized, "message": orNil(c.Message), "showCloseButton": c.ShowCloseButton,
			"buttonCloseText": orNil(c.ButtonCloseText), "interval": c.Interval.Milliseconds(), "began": momentOrNil(c.Began), "left": c.Left.Milliseconds(),
			"total": amount{c.Total}, "paid": amount{c.Paid}, "change": amount{c.Change},
		}
	}
	if n := len(waiting); n > 0 {
		_, running := ui.Printing.Running()
		w := waiting[n-1]
		s["waiting"] = object{"id": w.ID, "kind": w.Kind, "why": w.Why, "count": n, "printing": running}
	}
	if asked {
		s["question"] = questionOf(shown)
	}
	if succeeded {
		s["success"] = object{"message": orNil(success.Message)}
	}
	if pays {
		s["payment"] = paymentOf(paying)
	}
	if hasEnded {
		s["result"] = resultOf(ended)
	}
	if n, ok := ui.Payments.Settled(); ok {
		s["settled"] = object{"id": n.ID, "kind": n.Kind, "reference": reference(n.Reference), "amount": amount{n.Amount}, "made": n.Made}
	}
	if n := len(model.Stack); n > 0 {
		s["display"] = displayOf(model.Stack[n-1])
	}
	for _, n := range slices.Backward(model.Notifications) { // the newest of each kind is left in the end
		if !n.Said() {
			s["notification"] = object{"id": n.ID, "at": n.At.UnixMilli()}
		} else {
			s["announcement"] = announcementOf(n)
		}
	}
	if ui.Panel != nil {
		s["drawers"], s["announcements"], s["user"] = drawersOf(ui.Drawers()), announcementsOf(model.Notifications), ui.Settings.User()
	}
	return s
}

func announcementOf(n screen.Notification) object {
	o := object{"id": n.ID, "at": n.At.UnixMilli(), "title": n.Title, "text": n.Text, "seen": n.Seen}
	if n.Own != nil {
		o["own"] = object{"kind": n.Own.Kind, "amount": n.Own.Amount, "reference": reference(n.Own.Reference)}
	}
	return o
}

// announcementsOf is what the caller said by and by, for the panel.
func announcementsOf(all []screen.Notification) []object {
	list := []object{}
	for _, n := range all {
		if n.Said() {
			list = append(list, announcementOf(n))
		}
	}
	return list
}

func drawersOf(drawers []printing.CashDrawer) []object {
	list := make([]object, len(drawers))
	for i, d := range drawers {
		list[i] = object{"n": d.N, "open": d.Open, "openings": d.Openings, "openedAt": d.OpenedAt.UnixMilli()}
	}
	return list
}

// hub is how the link to it is; which hub that is only the settings say.
func (ui *UI) hub() object {
	if ui.Hub == nil {
		return object{"state": "none", "reason": ""}
	}
	l := ui.Hub.Link()
	return object{"state": l.State, "reason": l.Reason}
}

// orEmpty keeps a page from having to know null as a list.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// reference is what a caller calls a payment, as people may read it: some put a card's number there.
func reference(text string) *string { return orNil(cardnumber.Mask(text)) }

func momentOrNil(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	ms := t.UnixMilli()
	return &ms
}

func saleOf(d sale.Delta) object {
	s, sum := d.Session, d.Summary.For(d.Session.Total) // what is due is of the total that is shown
	return object{
		"number": d.Number, "openedAt": d.OpenedAt.UnixMilli(), "customerName": s.CustomerName, "customerDocument": s.CustomerDocument,
		"sellerName": s.SellerName, "additionalInfo": s.AdditionalInfo,
		"summary": object{
			"subtotal": amount{sum.Subtotal}, "discount": amount{sum.Discount}, "addition": amount{sum.Surcharge}, "total": amount{sum.Total},
			"paid": amount{sum.Paid}, "due": amount{sum.Due}, "change": amount{sum.Change}, "itemCount": sum.ItemCount,
		},
	}
}

func questionOf(s question.Shown) object {
	p, q := s.Form.Parameters, s.Form.Questions[s.Index]
	var options []object
	for _, o := range q.Options {
		options = append(options, object{"id": o.ID, "name": o.Name, "value": o.Value})
	}
	return object{
		"serial": s.Serial, "index": s.Index, "count": len(s.Form.Questions),
		"parameters": object{
			"buttonText": p.ButtonText, "showCancelButton": p.ShowCancelButton, "buttonCancelText": p.ButtonCancelText, "confirmAnswer": p.ConfirmAnswer,
		},
		"question": object{
			"id": q.ID, "question": orNil(q.Text), "type": q.Type, "required": q.Required, "minLength": q.MinLength, "maxLength": q.MaxLength,
			"defaultValue": q.Default, "mask": orNil(q.Mask), "regex": orNil(q.Regex), "errorMessage": orNil(q.ErrorMessage), "options": options,
		},
	}
}

func paymentOf(s payment.Shown) object {
	r, p := s.Request, s.Prompt
	body := object{
		"kind": s.Kind, "serial": s.Serial, "step": p.Step, "method": s.Method, "methods": orEmpty(p.Methods), "installmentOptions": orEmpty(p.Installments),
		"amount": amount{s.Amount}, "of": nil, "installments": s.Installments, "installmentType": r.Plan,
		"brCode": orNil(p.BRCode), "qr": nil, "expiresAt": momentOrNil(p.ExpiresAt), "cancellable": p.Cancellable, "leavable": p.Leavable, "device": orNil(p.Device), "keepCard": p.KeepCard,
	}
	if s.Amount.Cmp(r.Amount) != 0 {
		body["of"] = amount{r.Amount} // part of a payment goes back
	}
	if p.BRCode != "" {
		body["qr"] = "/qr/payment/" + strconv.FormatUint(s.Serial, 10) + ".svg"
	}
	return body
}

func verdictWord(v payment.Verdict, unknown bool) string {
	if unknown {
		return "unknown"
	}
	return map[payment.Verdict]string{payment.Accepted: "approved", payment.Declined: "refused", payment.Abandoned: "cancelled"}[v]
}

func resultOf(e payment.Ended) object {
	return object{
		"kind": e.Kind, "verdict": verdictWord(e.Verdict, e.Unknown), "settled": e.Settled, "message": orNil(e.Message), "method": e.Method, "amount": amount{e.Amount},
		"reference": reference(e.Request.Reference), "installments": e.Installments, "installmentType": e.Request.Plan,
		"receipts": object{
			"ask": e.Paper.Ask, "customer": e.Receipt.Customer != "", "merchant": e.Receipt.Merchant != "",
			"printing": e.Paper.Printing, "failed": e.Paper.Failed, "printed": orEmpty(e.Paper.Printed),
		},
	}
}

// displayOf is the top of the display; its pictures are fetched by address, and kept by the browser as long as they show.
func displayOf(shown screen.Shown) object {
	id := strconv.FormatUint(shown.ID, 10)
	body := object{"id": shown.ID}
	switch c := shown.Content.(type) {
	case screen.Image:
		body["kind"], body["url"], body["showCloseButton"] = "image", "/picture/"+id+"/0", c.ShowCloseButton
	case screen.Text:
		lines := make([]object, len(c.Lines))
		for i, l := range c.Lines {
			lines[i] = lineOf(l, "/picture/"+id+"/"+strconv.Itoa(i))
		}
		body["kind"], body["lines"], body["backgroundColor"], body["showCloseButton"] = "text", lines, c.BackgroundColor, c.ShowCloseButton
	case screen.Carousel:
		urls := make([]string, len(c.Pictures))
		for i := range urls {
			urls[i] = "/picture/" + id + "/" + strconv.Itoa(i)
		}
		body["kind"], body["urls"], body["interval"], body["transition"] = "carousel", urls, c.Interval.Milliseconds(), c.Transition
		body["backgroundColor"], body["showCloseButton"] = c.BackgroundColor, c.ShowCloseButton
	}
	return body
}

func lettersOf(l screen.Letters) object {
	return object{"value": l.Value, "size": l.Size, "bold": l.Bold, "italic": l.Italic, "align": l.Align}
}

// lineOf is a line of a text; url is where the picture of its code is, if it has one.
func lineOf(l screen.Line, url string) object {
	body := lettersOf(l.Letters)
	body["rule"], body["divider"] = l.Rule, l.Divider
	if l.Cells != nil {
		cells := make([]object, len(l.Cells))
		for i, c := range l.Cells {
			cells[i] = lettersOf(c.Letters)
			cells[i]["weight"] = c.Weight
		}
		body["cells"] = cells
	}
	if c := l.Code; c != nil {
		body["code"] = object{"kind": c.Kind, "text": c.Text, "url": url, "size": c.Size, "width": c.Picture.Width}
	}
	return body
}
