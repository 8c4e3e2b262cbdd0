// Package referee judges a caller of the terminal by what passed between them: it takes exchanges and gives faults.
//
// It is pure, and accuses only of what the exchanges prove: where a caller may have had a good reason, it is silent.
package referee

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// Exchange is one request and what came of it.
type Exchange struct {
	N        int // counts from 1, in the order of arrival
	Method   string
	Path     string // as the report shows it
	Route    string // METHOD /path/{of}/the/interface; empty: none of its routes
	Arrived  time.Time
	Answered time.Time // when the answer was ready; zero: there was none
	Left     time.Time // when the caller hung up before that; zero: it did not
	Cut      bool      // the connection was broken instead of answering, which is not the caller's doing
	Status   int       // 0: no answer was sent
	Message  string    // of an answer that is no success

	Credentials bool   // some were sent
	Caller      string // the connection it came by

	Content   string         // tells what a question or a print is about from others; empty: it is not known
	Reference string         // of a payment, a reversal, or a look at either
	Charge    Charge         // what a payment asked for
	Outcome   string         // how a transaction stands, as its answer says
	Amount    *money.Decimal // of that transaction
	Back      money.Decimal  // how much of it went back
	Part      *money.Decimal // how much a reversal asked for; nil: all that is left
	PartID    string         // its reversalId
	Item      Item           // of POST /sale/item
	Sale      *Sale          // as it stood when it was to be finalized
}

// Charge is what makes two payments of one reference the same or not.
type Charge struct {
	TPag, Type   string
	Amount       money.Decimal
	Installments string
}

func (c Charge) same(d Charge) bool {
	return c.TPag == d.TPag && c.Amount.Cmp(d.Amount) == 0 && cmp.Or(c.Installments, "1") == cmp.Or(d.Installments, "1") &&
		cmp.Or(c.Type, "single") == cmp.Or(d.Type, "single")
}

// Item is what was to be put into the cart.
type Item struct {
	Code  string
	Total money.Decimal
}

// Sale is the cart in numbers.
type Sale struct {
	Total      money.Decimal
	Electronic money.Decimal // recorded as credit, debit or PIX
	Other      money.Decimal // recorded as anything else
	Cancels    bool          // among them are entries that take others back
}

// Watch is all that was seen.
type Watch struct {
	Exchanges []Exchange // by N, which is the order of their arrival
	Start     time.Time
	End       time.Time
	// Grace is how long before the end a caller may have been in the middle of something. Zero: it had come to its own end.
	Grace time.Duration
}

// Fault is something the caller did wrong.
type Fault struct {
	Rule    Rule
	At      time.Time
	Request int    // the exchange's number; 0: of none
	What    string // what happened, in Portuguese
}

// Judge finds the faults, in the order of their requests.
func Judge(w Watch) []Fault {
	c := &courtroom{Watch: w}
	c.chapterOf = c.chapters()
	for _, rule := range []func(){c.nothing, c.busyNotRetried, c.references, c.parts, c.lostAnswers, c.wishes, c.sales, c.hangUps, c.credentials, c.polling} {
		rule()
	}
	slices.SortStableFunc(c.faults, func(a, b Fault) int { return a.Request - b.Request })
	return c.faults
}

type courtroom struct {
	Watch
	chapterOf []chapter // by exchange
	faults    []Fault
}

func (c *courtroom) accuse(r Rule, x *Exchange, what string) {
	c.faults = append(c.faults, Fault{Rule: r, At: x.Arrived, Request: x.N, What: what})
}

// find is the first exchange that fits.
func (c *courtroom) find(fits func(*Exchange) bool) *Exchange {
	for i := range c.Exchanges {
		if fits(&c.Exchanges[i]) {
			return &c.Exchanges[i]
		}
	}
	return nil
}

// after is the first exchange that came after a moment and fits.
func (c *courtroom) after(t time.Time, fits func(*Exchange) bool) *Exchange {
	from, _ := slices.BinarySearchFunc(c.Exchanges, t, func(x Exchange, t time.Time) int { return x.Arrived.Compare(t) })
	for i := from; i < len(c.Exchanges); i++ {
		if x := &c.Exchanges[i]; x.Arrived.After(t) && fits(x) {
			return x
		}
	}
	return nil
}

// unfinished tells that the caller may have meant to go on after that moment.
func (c *courtroom) unfinished(t time.Time) bool { return c.Grace > 0 && t.After(c.End.Add(-c.Grace)) }

// The routes that rules speak of.
const (
	pay       = "POST /transaction"
	reverse   = "POST /transaction/{referenceId}/reversal"
	lookUp    = "GET /transaction/{referenceId}"
	list      = "GET /transaction"
	openSale  = "POST /sale"
	seeSale   = "GET /sale"
	addItem   = "POST /sale/item"
	finalize  = "POST /sale/finalize"
	cancel    = "POST /sale/cancel"
	ask       = "POST /ask"
	askForm   = "POST /ask/form"
	cancelAsk = "POST /ask/cancel"
	callOff   = "POST /operation/cancel"
	printPref = "POST /print/"
	clearPath = "/sale/clear"
)

// Statuses of the interface. The referee knows no HTTP beyond them.
const (
	ok          = 200
	accepted    = 202
	invalid     = 400
	stranger    = 401
	declined    = 403 // refused by the bank, or cancelled by the customer
	notFound    = 404
	conflict    = 409
	tooLarge    = 413
	compressed  = 415
	unavailable = 503
)

// Words of the interface that tell answers of one status apart.
const (
	busyText       = "Aplicativo ocupado"
	unresolvedText = "Uma transação anterior ainda está sem resposta"
	backgroundText = "Aplicativo em segundo plano"
	unknownText    = "Situação da transação desconhecida"
	stoppingText   = "Serviço encerrando"
	usedText       = "Referência já utilizada"
	idUsedText     = "reversalId já utilizado"
	openText       = "Já existe uma venda ativa"
	inCartText     = "Item já existente"
)

func (x *Exchange) says(status int, text string) bool {
	return x.Status == status && strings.HasPrefix(x.Message, text)
}

// sentence cites an exchange.
func (x *Exchange) sentence() string { return x.Method + " " + x.Path }
