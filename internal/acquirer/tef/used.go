package tef

import (
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/cardnames"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/payment"
)

// paidWith is by field 011, in the list that most managers share. A voucher or a cheque is none of the methods.
var paidWith = map[string]payment.Method{
	"10": payment.Credit, "11": payment.Credit, "12": payment.Credit, "13": payment.Credit, "27": payment.Credit,
	"20": payment.Debit, "21": payment.Debit, "22": payment.Debit, "23": payment.Debit, "24": payment.Debit, "25": payment.Debit, "26": payment.Debit,
	"60": payment.AnyMethod, "70": payment.AnyMethod,
}

// kinds are by field 731.
var kinds = map[string]payment.Method{"1": payment.Credit, "2": payment.Debit, "3": payment.AnyMethod}

// used is what the answer says was paid with: the person may have chosen otherwise at the pinpad. Pix that was asked for counts as
// such only by a sign of it. Where the answer says no more than that it was a card, it is the kind that was asked for.
func (p Profile) used(d deal, r intpos.Message) payment.Method {
	if p.signOfPix(r) {
		return payment.Pix
	}
	if m, ok := p.cardKind(r); ok {
		return m
	}
	switch {
	case d.method != payment.Pix:
		return d.method
	case p.PixAsAsked && !p.namesCard(r):
		return payment.Pix
	}
	return payment.AnyMethod
}

// signOfPix is what only a payment by Pix has.
func (p Profile) signOfPix(r intpos.Message) bool {
	switch {
	case isEndToEndID(r.Get(intpos.NSU)):
		return true
	case number(r.Get(intpos.Means)) == "8" && number(r.Get(intpos.Wallet)) == "4":
		return true
	case p.PixType != "" && r.Get(intpos.Type) == p.PixType:
		return true
	case p.PixInWords:
		return slices.ContainsFunc(append(receiptLines(r), r.Get(intpos.Network)), func(text string) bool { return cardnames.HasWord(text, "PIX") })
	}
	return false
}

// isEndToEndID tells the name that the Central Bank's system gives a payment.
func isEndToEndID(s string) bool { return len(s) == 32 && s[0] == 'E' }

// cardKind is credit or debit, by whatever tells it; not ok: nothing does.
func (p Profile) cardKind(r intpos.Message) (payment.Method, bool) {
	if p.CommonTypes {
		if m, ok := paidWith[r.Get(intpos.Type)]; ok {
			return m, true
		}
	}
	if m, ok := kinds[number(r.Get(intpos.CardKind))]; ok {
		return m, true
	}
	for _, at := range p.BrandFields {
		switch name := r.At(at.number, at.index); {
		case cardnames.HasWord(name, "DEBITO"), cardnames.HasWord(name, "ELECTRON"), cardnames.HasWord(name, "MAESTRO"):
			return payment.Debit, true
		case cardnames.HasWord(name, "CREDITO"):
			return payment.Credit, true
		}
	}
	return "", false
}

// namesCard tells that the answer is about a card.
func (p Profile) namesCard(r intpos.Message) bool {
	brand := p.brand(r)
	return brand != "" && brand != cardnames.OtherBrand || r.Get(intpos.Card) != ""
}

// number is a code as some managers fill it up.
func number(code string) string {
	if short := strings.TrimLeft(code, "0"); short != "" || code == "" {
		return short
	}
	return "0"
}
