package emulator

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

const (
	pixLife         = 5 * time.Minute
	maxInstallments = 12
	minInstallment  = 5 // in reais
)

// noPINLimit is what a card that is not inserted pays on credit without a PIN.
var noPINLimit = money.MustParse("200.00")

// deal is what the terminal and the person have agreed on so far.
type deal struct {
	request      payment.Request
	method       payment.Method // empty: nobody chose yet
	installments int            // 0: as requested, or not chosen yet
	card         *Card
	pin          bool
	off          bool // the person called it off, or nobody paid the PIX in time
	why          string
}

func newDeal(r payment.Request) deal {
	d := deal{request: r, method: r.Method}
	if d.open() {
		d.method = ""
	}
	return d
}

// open tells that the caller leaves to the person how to pay.
func (d *deal) open() bool { return d.request.Method == payment.AnyMethod }

// step is what is to be done next.
func (d *deal) step() payment.Step {
	switch {
	case d.method == "":
		return payment.StepChoose
	case d.method == payment.Pix:
		return payment.StepPix
	case d.open() && d.installments == 0:
		return payment.StepInstallments
	case d.card == nil:
		return payment.StepCard
	case d.needsPIN() && !d.pin:
		return payment.StepPIN
	}
	return payment.StepProcessing
}

// inserted tells that the card is in the reader.
func (d *deal) inserted() bool { return d.card != nil && d.card.Entry == Insert }

func (d *deal) needsPIN() bool {
	return d.inserted() || d.method == payment.Debit || d.request.Amount.Cmp(noPINLimit) > 0
}

// choose settles the method, and the instalments where they leave nothing to choose.
func (d *deal) choose(m payment.Method) {
	d.method = m
	switch {
	case m != payment.Credit:
		d.installments = 1
	case d.request.Installments > 1 || len(installmentOptions(d.request.Amount)) == 1:
		d.installments = d.request.Installments
	}
}

// skip settles what is still to be chosen, by whoever did not wait to be asked.
func (d *deal) skip(m payment.Method) {
	if d.method == "" {
		d.choose(cmp.Or(m, payment.Credit))
	}
	if d.open() && d.installments == 0 {
		d.installments = d.request.Installments
	}
}

// take is what the person's gesture means for the deal; false when nothing is left to be asked.
func (d *deal) take(g gesture) bool {
	switch {
	case g.off:
		d.off = true
		return false
	case g.decided != nil:
		d.skip(g.decided.PaidVia)
		return false
	case g.card != nil:
		d.card = g.card
		d.skip(g.card.PaidVia)
	case g.action.Kind == payment.ActChoose:
		d.choose(g.action.Method)
	case g.action.Kind == payment.ActInstallments:
		d.installments = g.action.Installments
	case g.action.Kind == payment.ActPIN:
		d.pin = true
	}
	return true
}

// prompt is the step as the screen shows it.
func (d *deal) prompt(attempt int64) (payment.Prompt, error) {
	p := payment.Prompt{Step: d.step(), Method: d.method, Agreed: d.installments}
	var err error
	switch p.Step {
	case payment.StepChoose:
		p.Methods = []payment.Method{payment.Credit, payment.Debit, payment.Pix}
	case payment.StepInstallments:
		p.Installments = installmentOptions(d.request.Amount)
	case payment.StepPix:
		p.ExpiresAt = time.Now().Add(pixLife)
		p.BRCode, err = brazil.DynamicPIX{
			Merchant: brazil.Merchant{Name: shopName, City: shopCity},
			Location: "pix.example.com/emulador/" + txID(attempt),
			Amount:   d.request.Amount.Cents(),
		}.BRCode()
	}
	return p, err
}

// installmentOptions are those whose instalments are not too small; paying at once always is one.
func installmentOptions(amount money.Decimal) []int {
	options := []int{1}
	for n := 2; n <= maxInstallments && amount.Cmp(money.MustParse(strconv.Itoa(n*minInstallment))) >= 0; n++ {
		options = append(options, n)
	}
	return options
}

// negotiate goes through the steps of a payment until there is something for the bank to do, or nothing any more.
func (a *Acquirer) negotiate(ctx context.Context, t *turn, c payment.Charge) (deal, error) {
	d := newDeal(c.Request)
	for d.step() != payment.StepProcessing {
		p, err := d.prompt(c.ID)
		if err != nil {
			return d, err
		}
		g, err := a.askInTime(ctx, t, c, p)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			d.off, d.why = true, "PIX expirado"
			return d, nil
		case err != nil:
			return d, err
		case !d.take(g):
			return d, nil
		}
	}
	return d, nil
}

// askInTime is ask for a step that may expire.
func (a *Acquirer) askInTime(ctx context.Context, t *turn, c payment.Charge, p payment.Prompt) (gesture, error) {
	if p.ExpiresAt.IsZero() {
		return a.ask(ctx, t, c, p)
	}
	ctx, cancel := context.WithDeadline(ctx, p.ExpiresAt)
	defer cancel()
	return a.ask(ctx, t, c, p)
}
