//go:build !race || everything

package payment_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// known is how a reference stands; the zero value is one never used.
type known struct {
	status  payment.Status
	request payment.Request
	back    []payment.Reversal // that went back of it
}

// made is the reversal of an id, if it went back.
func (k known) made(id string) (payment.Reversal, bool) {
	i := slices.IndexFunc(k.back, func(r payment.Reversal) bool { return id != "" && r.ID == id })
	if i < 0 {
		return payment.Reversal{}, false
	}
	return k.back[i], true
}

// left is what is left of the payment.
func (k known) left() money.Decimal {
	left := k.request.Amount
	for _, r := range k.back {
		left = left.Sub(r.Amount)
	}
	return left
}

// after is the same with one more reversal.
func (k known) after(r payment.Reversal) known {
	if k.back = append(slices.Clip(k.back), r); k.left().Sign() == 0 {
		k.status = payment.Reversed
	}
	return k
}

func drawRefund(t *rapid.T) payment.RefundRequest {
	r := payment.RefundRequest{
		Reference: rapid.SampledFrom(references[1:]).Draw(t, "reference"), ID: rapid.SampledFrom([]string{"", "", "x", "y"}).Draw(t, "reversal id"),
	}
	if amount := rapid.SampledFrom([]string{"", "", "4", "5.00", "10.00", "12.50", "25"}).Draw(t, "part"); amount != "" {
		d := money.MustParse(amount)
		r.Amount = &d
	}
	return r
}

// refused is what a request to give back must be answered with before anything is asked of anybody; again: it was made before.
func (k known) refused(r payment.RefundRequest) (wantErr error, again bool) {
	made, again := k.made(r.ID)
	switch {
	case again && r.Amount != nil && r.Amount.Cmp(made.Amount) != 0:
		return payment.ErrReversalUsed, false
	case again:
		return nil, true
	case k.status == payment.Approved && r.Amount != nil && r.Amount.Cmp(k.left()) > 0:
		return payment.ErrAboveLeft, false
	}
	return map[payment.Status]error{
		"": payment.ErrNotFound, payment.Reversed: payment.ErrReversed, payment.Refused: payment.ErrNotReversible, payment.Cancelled: payment.ErrNotReversible,
	}[k.status], false
}
