package screen

// View names what is on top.
type View string

// The views, from the bottom up.
const (
	ViewIdle     View = "idle"
	ViewSale     View = "sale"
	ViewClosing  View = "closing"
	ViewPrinter  View = "printer" // a print waits until somebody has seen to the printer
	ViewDisplay  View = "display"
	ViewSuccess  View = "success"
	ViewResult   View = "result" // of a payment or a reversal
	ViewQuestion View = "question"
	ViewPayment  View = "payment"
)

// Presence says what there is to show.
type Presence struct {
	Sale, Closing, Printer, Display, Success, Result, Question, Payment bool
}

// Top decides what a person sees: a payment and its result cover a question, and a question whatever the caller
// displays.
func (p Presence) Top() View {
	switch {
	case p.Payment:
		return ViewPayment
	case p.Result:
		return ViewResult
	case p.Question:
		return ViewQuestion
	case p.Success:
		return ViewSuccess
	case p.Display:
		return ViewDisplay
	case p.Printer:
		return ViewPrinter
	case p.Sale:
		return ViewSale
	case p.Closing:
		return ViewClosing
	}
	return ViewIdle
}
