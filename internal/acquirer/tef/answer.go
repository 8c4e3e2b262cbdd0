package tef

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/payment"
)

// word is what a response says.
type word int

const (
	refused word = iota
	approved
	divergent    // approved, but not the amount that was asked for
	inconsistent // it does not say
)

// read is the word of a response to the transaction's own operation.
func (p Profile) read(t payment.Transaction, r intpos.Message) word {
	w := spoken(r)
	if w != approved {
		return w
	}
	amount, told := r.Lookup(intpos.Amount)
	if t.Reversing() && !told {
		return approved // not every manager repeats it when it cancels
	}
	if !p.isAmount(amount, t.Request.Amount) {
		return divergent
	}
	return approved
}

func spoken(r intpos.Message) word {
	status, told := r.Lookup(intpos.Status)
	switch {
	case !told || status == "":
		return inconsistent
	case status == "0" || status == "00":
		return approved
	}
	return refused
}

// final tells that the operation counts for the manager whatever it is told.
func (p Profile) final(r intpos.Message) bool {
	return !p.AlwaysConfirm && r.Get(intpos.MustConfirm) == "1"
}

// doubtful is an answer that says too little, or too much, to go by. It names the operation for whoever looks it up.
func doubtful(r intpos.Message) error {
	return fmt.Errorf("%w: NSU %q, 027 %q", errInconsistent, r.Get(intpos.NSU), r.Get(intpos.Key))
}

// What the terminal says where the manager does not.
const (
	sayInactive     = "Gerenciador TEF não está ativo"
	sayFiles        = "Falha na troca de arquivos do TEF"
	sayDivergent    = "Valor divergente na resposta do TEF; operação desfeita"
	sayInconsistent = "Resposta inconsistente do TEF"
	sayNoOriginal   = "Venda sem dados do TEF para o cancelamento"
)

// cancelled is how managers word what a person called off at the pinpad; there is no code for it.
var cancelled = regexp.MustCompile(`(?i)cancelad[ao]`)

func refusal(t payment.Transaction, r intpos.Message) payment.Outcome {
	o := payment.Outcome{Verdict: payment.Declined, Message: mask(r.Get(intpos.Text))}
	if !t.Reversing() && cancelled.MatchString(o.Message) {
		o.Verdict = payment.Abandoned
	}
	return o
}

func (p Profile) approval(d deal, r intpos.Message) payment.Outcome {
	kept := tokenOf(r)
	kept.Final = !p.mustConfirm(r)
	o := payment.Outcome{
		Verdict: payment.Accepted, Message: mask(r.Get(intpos.Text)),
		NSU: kept.NSU, Authorization: kept.Authorization, Brand: brand(r.Get(intpos.Brand)),
		PaidWith: cmp.Or(paidWith[r.Get(intpos.Type)], d.method), Token: kept.String(),
		Receipt: payment.Receipt{Customer: slip(r, intpos.CustomerLine), Merchant: slip(r, intpos.MerchantLine)},
	}
	if n, err := strconv.Atoi(r.Get(intpos.Installments)); err == nil && n > 0 && o.PaidWith == payment.Credit {
		o.Installments = n
	}
	if o.PaidWith == payment.Pix {
		o.Brand = ""
	}
	return o
}

// paidWith is by field 011; the person may have chosen otherwise at the pinpad.
var paidWith = map[string]payment.Method{"10": payment.Credit, "11": payment.Credit, "12": payment.Credit, "20": payment.Debit}

// slip is one side's copy, or the lines for both where the manager makes no difference.
func slip(r intpos.Message, lines string) string {
	text := r.Lines(lines)
	if len(text) == 0 {
		text = r.Lines(intpos.Line)
	}
	return mask(strings.Join(text, "\n"))
}

// brands are in the order in which their names are looked for, so that "Visa Electron" is Visa.
var brands = []struct{ name, code string }{
	{"VISA", "01"},
	{"MASTER", "02"},
	{"MAESTRO", "02"},
	{"AMEX", "03"},
	{"AMERICAN EXPRESS", "03"},
	{"SOROCRED", "04"},
	{"DINERS", "05"},
	{"ELO", "06"},
	{"HIPERCARD", "07"},
	{"AURA", "08"},
	{"CABAL", "09"},
}

const otherBrand = "99"

// brand is the number fiscal documents give a brand.
func brand(name string) string {
	name = strings.ToUpper(strings.TrimSpace(name))
	if name == "" {
		return ""
	}
	for _, b := range brands {
		if strings.HasPrefix(name, b.name) {
			return b.code
		}
	}
	return otherBrand
}
