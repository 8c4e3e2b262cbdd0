package controlpay

import (
	"cmp"
	"strconv"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/payment"
)

// paygo reads the texts that ControlPay passes on.
var paygo, _ = tef.ProfileNamed("paygo")

// last is what the terminal did last about the sale; zero: nothing that it told of.
func (s sale) last() external {
	if len(s.payments) == 0 {
		return external{}
	}
	return s.payments[len(s.payments)-1]
}

// named gives an outcome the sale it tells of.
func named(s sale, o payment.Outcome) payment.Outcome {
	o.Token = strconv.FormatInt(s.id, 10)
	return o
}

// SaleOf is the sale that an outcome tells of, as the ledger has it; empty: none.
func SaleOf(o payment.Outcome) string { return o.Token }

// idOf is the sale that an outcome tells of; 0: none.
func idOf(o payment.Outcome) int64 {
	id, _ := strconv.ParseInt(o.Token, 10, 64)
	return id
}

// approval is the outcome of a sale that was credited. What was used is what the terminal's answer says, never what was asked for.
func (a *Acquirer) approval(t payment.Transaction, s sale) payment.Outcome {
	o, told := paygo.Read(t.Request.Method, s.last().Answer)
	if !told || o.Verdict != payment.Accepted {
		o = payment.Outcome{PaidWith: t.Request.Method} // the sale's own state says that it was paid
	}
	o.Verdict, o.NSU, o.Authorization = payment.Accepted, cmp.Or(o.NSU, s.last().NSU), cmp.Or(o.Authorization, s.last().Authorization)
	if o.Receipt == (payment.Receipt{}) {
		o.Receipt = remote.Receipt(a.config.Shop, "CONTROLPAY", "VALOR R$ "+t.Request.Amount.Reais(), "NSU "+o.NSU)
	}
	return named(s, o)
}

// unpaid is the outcome of a sale that ended without money.
func unpaid(s sale) payment.Outcome {
	if s.state == expired {
		gone := remote.Abandoned()
		gone.Message = "O terminal do ControlPay não atendeu a venda"
		return named(s, gone)
	}
	o, told := paygo.Read("", s.last().Answer)
	switch {
	case told && o.Verdict != payment.Accepted:
	case s.state == refused:
		o = remote.Declined("Pagamento recusado")
	default:
		o = remote.Abandoned()
	}
	return named(s, o)
}

// givenBack is the outcome of a cancellation that was made.
func (a *Acquirer) givenBack(t payment.Transaction, s sale) payment.Outcome {
	o, told := paygo.Read(t.Method(), s.last().Answer)
	if !told || o.Verdict != payment.Accepted {
		o = payment.Outcome{}
	}
	o.Verdict, o.NSU = payment.Accepted, cmp.Or(o.NSU, s.last().NSU)
	if o.Receipt == (payment.Receipt{}) {
		o.Receipt = remote.Receipt(a.config.Shop, "ESTORNO CONTROLPAY", "VALOR R$ "+t.Moving().Reais(), "NSU "+o.NSU)
	}
	return named(s, o)
}
