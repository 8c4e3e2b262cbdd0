package tef

import (
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// SetGate has every step on the disk ask first.
func (a *Acquirer) SetGate(gate func() error) { a.req.Gate, a.resp.Gate = gate, gate }

// SaleFile is the request of a sale.
func SaleFile(c Config, id string, r payment.Request, open bool) string {
	return string(c.sale(id, r.Amount, deal{r.Method, r.Installments, r.Plan, open}).Encode())
}

// CancelFile is the request of a cancellation, FinishFile the one that confirms or undoes.
func CancelFile(c Config, id string, amount money.Decimal, kept string) string {
	original, err := parseToken(kept)
	if err != nil {
		panic(err)
	}
	return string(c.cancellation(id, amount, original).Encode())
}

func FinishFile(command, kept string) string {
	t, err := parseToken(kept)
	if err != nil {
		panic(err)
	}
	return string(t.finish(command).Encode())
}

var (
	Mask  = mask
	Brand = brand
)
