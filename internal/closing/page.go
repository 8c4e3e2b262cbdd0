package closing

import (
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/moment"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/receipt"
)

// Imprint says on the paper whose it is and when it was made.
type Imprint struct {
	Shop     string // may be empty
	Terminal string
	Program  string
	At       time.Time
}

// Sizes of the page on the wide roll, in points. What must share a line is a size smaller on the narrow one.
const (
	small  = 7
	normal = 8
	large  = 10
	huge   = 13
)

// How paper writes moments and days.
const (
	dayForm    = "02/01/2006"
	minuteForm = "02/01/2006 15:04"
	secondForm = "02/01/2006 15:04:05"
)

// Brazilian writes an amount the way people here read it.
func Brazilian(d money.Decimal) string { return fiscal.Decimal(d.String()).Brazilian(2) }

// page is the closing in the making.
type page struct{ receipt.Page }

// Page is the closing on paper.
func (r *Report) Page(by Imprint) receipt.Page {
	p := &page{}
	p.centered(large, true, strings.TrimSpace(by.Shop))
	p.centered(huge, true, "FECHAMENTO")
	p.centered(normal, false, r.Period.words(by.At))
	p.Add(receipt.Rule{})
	p.totals(r)
	p.kinds(r)
	p.brands(r)
	p.statuses(r)
	p.pending(r)
	p.ends(r)
	p.Add(receipt.Rule{Dashed: true})
	p.centered(small, false, "Um pagamento conta no dia em que foi feito; um estorno, no dia em que foi estornado.")
	p.Add(receipt.Blank{Size: small})
	p.centered(small, false, "Emitido em "+by.At.Format(secondForm))
	p.centered(small, false, strings.Trim(by.Terminal+" – "+by.Program, " –"))
	return p.Page
}

// words are the period as people say it, and that it has not ended where it hasn't.
func (p Period) words(now time.Time) string {
	since := p.Since.In(now.Location())
	if p.Until.IsZero() || p.Until.After(now) {
		if p.Since.IsZero() {
			return "Até " + now.Format(minuteForm)
		}
		if midnight(since) && sameDay(since, now) {
			return since.Format(dayForm) + "\nparcial, até as " + now.Format("15:04")
		}
		return "De " + since.Format(minuteForm) + "\naté agora, " + now.Format(minuteForm)
	}
	until := p.Until.In(now.Location())
	last := until.Add(-1) // not a day before: it may have no such hour
	switch {
	case !midnight(until):
		if p.Since.IsZero() {
			return "Antes de " + until.Format(secondForm)
		}
		return "De " + since.Format(secondForm) + "\naté antes de " + until.Format(secondForm)
	case p.Since.IsZero():
		return "Até " + last.Format(dayForm)
	case !midnight(since):
		return "De " + since.Format(secondForm) + "\naté o fim de " + last.Format(dayForm)
	case sameDay(since, last):
		return since.Format(dayForm)
	}
	return "De " + since.Format(dayForm) + " a " + last.Format(dayForm)
}

// midnight tells whether a day begins at t, which in some zones and years is not at zero hours.
func midnight(t time.Time) bool {
	return t.Equal(moment.DayStart(t.Year(), t.Month(), t.Day(), t.Location()))
}

func sameDay(a, b time.Time) bool { return a.Format(dayForm) == b.Format(dayForm) }

func (p *page) centered(size int, bold bool, text string) {
	if text != "" {
		p.Add(receipt.Text{Value: text, Size: size, Bold: bold, Align: receipt.Center})
	}
}

// heading begins a table of names, counts and amounts.
func (p *page) heading(title string) {
	p.Add(receipt.Rule{Dashed: true}, row(small, true, title, "Qtde.", "Valor R$"))
}

func row(size int, bold bool, name, count, amount string) receipt.Element {
	cells := func(size, nameWeight int) []receipt.Element {
		return []receipt.Element{receipt.Columns{Size: size, Bold: bold, Cells: []receipt.Cell{
			{Value: name, Weight: nameWeight}, {Value: count, Weight: 2, Align: receipt.Right}, {Value: amount, Weight: 5, Align: receipt.Right},
		}}}
	}
	return receipt.Either{Wide: cells(size, 6), Narrow: cells(size-1, 7)}
}

// pair is a label and its value on one line of either roll.
func (p *page) pair(wide, narrow int, left, right string, bold bool) {
	of := func(size int) []receipt.Element {
		return []receipt.Element{receipt.Pair{Left: left, Right: right, Size: size, Bold: bold}}
	}
	p.Add(receipt.Either{Wide: of(wide), Narrow: of(narrow)})
}

func (p *page) sum(name string, s Sum) {
	p.Add(row(normal, false, name, strconv.Itoa(s.Count), Brazilian(s.Amount)))
}

// given is money that went back.
func (p *page) given(name string, s Sum) {
	if s.Count > 0 {
		p.Add(row(normal, false, name, strconv.Itoa(s.Count), "−"+Brazilian(s.Amount)))
	}
}

func (p *page) totals(r *Report) {
	p.Add(row(small, true, "TOTAIS", "Qtde.", "Valor R$"))
	p.sum("Vendas (bruto)", r.Total.Gross)
	if r.Total.Reversed.Count == 0 {
		p.sum("Estornos", r.Total.Reversed)
	}
	p.given("Estornos", r.Total.Reversed)
	p.Add(receipt.Blank{Size: 6})
	p.pair(huge, normal+1, "LÍQUIDO R$", signed(r.Total.Net()), true)
	p.Add(receipt.Blank{Size: 6})
}

// signed writes a minus that is as wide as a digit.
func signed(d money.Decimal) string {
	if d.Sign() < 0 {
		return "−" + Brazilian(d.Abs())
	}
	return Brazilian(d)
}

func (p *page) kinds(r *Report) {
	if len(r.Kinds) == 0 {
		return
	}
	p.heading("POR TIPO")
	for _, g := range r.Kinds {
		p.balance(g.Key.Name(), g.Balance)
	}
}

func (p *page) brands(r *Report) {
	if len(r.Brands) == 0 {
		return
	}
	p.heading("POR BANDEIRA")
	for _, g := range r.Brands {
		p.balance(BrandName(g.Key), g.Balance)
	}
}

func (p *page) balance(name string, b Balance) {
	p.sum(name, b.Gross)
	p.given("\u00a0\u00a0estornos", b.Reversed)
}

func (p *page) statuses(r *Report) {
	p.heading("POR SITUAÇÃO")
	for _, s := range StatusOrder {
		name := StatusName(s, true)
		p.sum(strings.ToUpper(name[:1])+name[1:], r.Statuses[s])
	}
	p.given("Estornos parciais", r.Parts)
	p.given("Estornos de vendas anteriores", r.Earlier)
}

func (p *page) pending(r *Report) {
	if len(r.Pending) == 0 {
		return
	}
	p.Add(receipt.Rule{})
	p.pair(large, normal+1, "PENDENTES: VERIFIQUE", strconv.Itoa(len(r.Pending)), true)
	for _, t := range r.Pending {
		what := "Pagamento"
		if t.Reversing() {
			what = "Estorno"
		}
		p.pair(normal, normal, called(t), Brazilian(t.Moving()), true)
		p.pair(small, small-1, what+" de "+t.CreatedAt.Format(minuteForm), numbered(t), false)
	}
}

// numbered is what a transaction is shown by.
func numbered(t payment.Transaction) string { return "nº\u00a0" + strconv.FormatInt(t.ID, 10) }

// called is what a transaction is found by.
func called(t payment.Transaction) string {
	if t.Request.Reference == "" {
		return "(sem referência)"
	}
	return t.Request.Reference
}

func (p *page) ends(r *Report) {
	p.Add(receipt.Rule{Dashed: true})
	if r.First == nil {
		p.centered(normal, false, "Nenhuma transação feita no período.")
		return
	}
	for _, end := range []struct {
		name string
		t    *payment.Transaction
	}{{"Primeira", r.First}, {"Última", r.Last}} {
		p.pair(small, small, end.name+": "+end.t.CreatedAt.Format(secondForm), numbered(*end.t), false)
	}
}
