package emulator

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// Ending is how an operation ends.
type Ending string

// Timeout is an acquirer that has the request and stays silent; Offline one that never got it. Normal is no ending: it
// takes the script back.
const (
	Normal  Ending = "normal"
	Approve Ending = "approve"
	Refuse  Ending = "refuse"
	Cancel  Ending = "cancel"
	Timeout Ending = "timeout"
	Offline Ending = "offline"
)

// Reply is how the acquirer answers, and after how long.
type Reply struct {
	Ending  Ending
	Message string
	Delay   time.Duration

	Brand, Authorization string // of an approved card; empty: of the bank's choice
}

// magicAmounts let callers that can't reach the emulator's own interface choose an ending. All are below one
// real, so that no real price trips one.
var magicAmounts = map[string]Reply{
	"0.51": {Ending: Refuse, Message: "Saldo insuficiente"},
	"0.54": {Ending: Refuse, Message: "Cartão vencido"},
	"0.55": {Ending: Refuse, Message: "Senha inválida"},
	"0.57": {Ending: Cancel},
	"0.91": {Ending: Refuse, Message: "Emissor fora do ar"},
	"0.98": {Ending: Timeout},
}

func magic(amount money.Decimal) Reply {
	if r, ok := magicAmounts[amount.Cents()]; ok {
		return r
	}
	return Reply{Ending: Approve}
}

// What the emulator's bank and shop are called.
const (
	acquirerCNPJ = brazil.SampleCNPJ
	brandVisa    = "01" // as fiscal documents number them
	shopName     = "LOJA DO EMULADOR"
	shopCity     = "SAO PAULO"
	ispb         = "00000000"
)

// txID is the charge's id at the bank: alphanumeric, 26 to 35 characters, always the same for an attempt.
func txID(attempt int64) string { return fmt.Sprintf("emulador%024d", attempt) }

// approval is the outcome with all that the bank sends back with the money.
func approval(t payment.Transaction, o payment.Outcome, e entry) payment.Outcome {
	o.Verdict, o.NSU = payment.Accepted, nsuText(e.NSU)
	if o.PaidWith == payment.Pix {
		o.TxID = txID(t.ID)
		o.Brand, o.Authorization = "", ""
		o.EndToEndID = "E" + ispb + e.At.UTC().Format("200601021504") + letters(11)
	} else {
		o.Authorization = cmp.Or(o.Authorization, letters(6))
		o.Brand = cmp.Or(o.Brand, brandVisa)
		o.AcquirerCNPJ = acquirerCNPJ
	}
	t.Outcome = o
	o.Receipt = receiptOf(t, e, "")
	return o
}

// repayment is the outcome of a reversal that the bank has made.
func repayment(t payment.Transaction, e entry) payment.Outcome {
	o := payment.Outcome{Verdict: payment.Accepted, NSU: nsuText(e.NSU)}
	o.Receipt = receiptOf(t, e, o.NSU)
	return o
}

func nsuText(n int64) string { return fmt.Sprintf("%09d", n) }

// letters makes a code as banks write them.
func letters(n int) string { return strings.ToUpper(rand.Text()[:n]) }

var methodNames = map[payment.Method]string{payment.Credit: "CRÉDITO", payment.Debit: "DÉBITO", payment.Pix: "PIX"}

// receiptOf are both copies of the slip; a reversal's has a number of its own.
func receiptOf(t payment.Transaction, e entry, reversal string) payment.Receipt {
	return payment.Receipt{
		Customer: slip("VIA DO CLIENTE", t, e, reversal), Merchant: slip("VIA DO ESTABELECIMENTO", t, e, reversal),
	}
}

// slipColumns is how wide banks write their slips.
const slipColumns = 38

func slip(side string, t payment.Transaction, e entry, reversal string) string {
	lines := []string{centred(shopName), centred("EMULADOR - SEM VALOR"), centred(side)}
	if reversal != "" {
		lines = append(lines, centred("COMPROVANTE DE ESTORNO"))
	}
	lines = append(lines, "", methodNames[t.Method()], apart("VALOR", "R$ "+t.Moving().Reais()))
	if n := t.Installments(); n > 1 {
		lines = append(lines, apart("PARCELAS", strconv.Itoa(n)))
	}
	lines = append(lines, apart("NSU", t.Outcome.NSU))
	if code := t.Outcome.Authorization; code != "" {
		lines = append(lines, apart("AUTORIZAÇÃO", code))
	}
	if reversal != "" {
		lines = append(lines, apart("NSU DO ESTORNO", reversal))
		if left := t.Left().Sub(t.Moving()); left.Sign() > 0 || t.GivenBack().Sign() > 0 {
			lines = append(lines, apart("VALOR DA VENDA", "R$ "+t.Request.Amount.Reais()), apart("RESTA DA VENDA", "R$ "+left.Reais()))
		}
	}
	return strings.Join(append(lines, e.At.Format("02/01/2006 15:04:05")), "\n")
}

func centred(s string) string {
	return strings.Repeat(" ", max(slipColumns-utf8.RuneCountInString(s), 0)/2) + s
}

func apart(left, right string) string {
	room := slipColumns - utf8.RuneCountInString(left) - utf8.RuneCountInString(right)
	return left + strings.Repeat(" ", max(room, 1)) + right
}
