package emulator

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// Ending is how an operation ends.
type Ending string

// Timeout is an acquirer that has the request and stays silent; Offline one that never got it.
const (
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
		o.EndToEndID = "E" + ispb + e.At.UTC().Format("200601021504") + letters(11)
	} else {
		o.Authorization = letters(6)
		o.Brand = brandVisa
		o.AcquirerCNPJ = acquirerCNPJ
	}
	t.Outcome = o
	o.Receipt = payment.Receipt{Customer: slip("VIA CLIENTE", t, e), Merchant: slip("VIA ESTABELECIMENTO", t, e)}
	return o
}

func nsuText(n int64) string { return fmt.Sprintf("%09d", n) }

// letters makes a code as banks write them.
func letters(n int) string { return strings.ToUpper(rand.Text()[:n]) }

var methodNames = map[payment.Method]string{payment.Credit: "CRÉDITO", payment.Debit: "DÉBITO", payment.Pix: "PIX"}

func slip(title string, t payment.Transaction, e entry) string {
	lines := []string{
		shopName, "EMULADOR - SEM VALOR", title, "",
		methodNames[t.Method()],
		"VALOR R$ " + strings.Replace(t.Request.Amount.Cents(), ".", ",", 1),
	}
	if n := t.Installments(); n > 1 {
		lines = append(lines, fmt.Sprintf("PARCELAS %d", n))
	}
	lines = append(lines, "NSU "+t.Outcome.NSU)
	if code := t.Outcome.Authorization; code != "" {
		lines = append(lines, "AUTORIZAÇÃO "+code)
	}
	return strings.Join(append(lines, e.At.Format("02/01/2006 15:04:05")), "\n")
}
