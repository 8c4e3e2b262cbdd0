package screen

// View names what is on top.
type View string

// The views, from the bottom up.
const (
	ViewIdle     View = "idle"
	ViewPrinter  View = "printer" // prints wait until somebody has seen to the printer
	ViewClosing  View = "closing"
	ViewSale     View = "sale" // which has a row for the prints that wait
	ViewDisplay  View = "display"
	ViewSuccess  View = "success"
	ViewResult   View = "result" // of a payment or a reversal
	ViewQuestion View = "question"
	ViewPayment  View = "payment"
)

// Presence says what there is to show.
type Presence struct {
	Printer, Closing, Sale, Display, Success, Result, Question, Payment bool
}

// Top decides what a person sees: a payment and its result cover a question, and a question whatever the caller
// displays. A printer without paper waits until the customer is served.
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
	case p.Sale:
		return ViewSale
	case p.Closing:
		return ViewClosing
	case p.Printer:
		return ViewPrinter
	}
	return ViewIdle
}
