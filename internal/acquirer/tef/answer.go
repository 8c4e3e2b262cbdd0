package tef

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/cardnames"
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
	w := p.spoken(r)
	if w != approved {
		return w
	}
	amount, told := r.Lookup(intpos.Amount)
	switch {
	case t.Reversing() && p.ofAnother(t, r):
		return divergent
	case t.Reversing() && !told:
		return approved // not every manager repeats it when it cancels
	case !p.isAmount(amount, t.Request.Amount):
		return divergent
	}
	return approved
}

// ofAnother tells that the cancellation is of another sale than the one that was asked for: a manager may have let the person choose.
func (p Profile) ofAnother(t payment.Transaction, r intpos.Message) bool {
	original, err := parseToken(t.Outcome.Token)
	told := r.Get(intpos.OriginalNSU)
	return err == nil && told != "" && original.NSU != "" && !intpos.Same(told, original.NSU) && told != original.NSU
}

// resultLine is where Elgin's manager puts how an operation ended: approved and to be confirmed, approved for good, or failed.
const resultLine = 28

func (p Profile) spoken(r intpos.Message) word {
	if status, told := r.Lookup(intpos.Status); told && status != "" {
		return wordIf(status == "0" || status == "00")
	}
	if !p.Results {
		return inconsistent
	}
	if result := r.At(intpos.Result, resultLine); result != "" {
		return wordIf(result == "0" || result == "1")
	}
	switch host := r.Get(intpos.HostCode); {
	case host == "00" && r.Get(intpos.NSU) != "":
		return approved
	case host != "" && host != "00":
		return refused
	}
	return inconsistent
}

func wordIf(yes bool) word {
	if yes {
		return approved
	}
	return refused
}

// final tells that the operation counts for the manager whatever it is told.
func (p Profile) final(r intpos.Message) bool {
	return r.Get(intpos.MustConfirm) == "1" || p.Results && r.At(intpos.Result, resultLine) == "1"
}

// mustConfirm tells whether an approval waits for the second phase; else it is final as it is.
func (p Profile) mustConfirm(r intpos.Message) bool {
	told := r.Get(intpos.MustConfirm)
	switch {
	case p.final(r):
		return false
	case p.Confirm != ByReceipt:
		return true
	case told != "":
		return told == "2"
	}
	return len(receiptLines(r)) > 0
}

func receiptLines(r intpos.Message) (all []string) {
	for _, lines := range []string{intpos.Line, intpos.ReducedLine, intpos.CustomerLine, intpos.MerchantLine} {
		all = append(all, r.Lines(lines)...)
	}
	return all
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
	sayNoMethod     = "Este gerenciador TEF não recebe esta forma de pagamento"
	sayNoOriginal   = "Venda sem dados do TEF para o cancelamento"
)

func refusal(t payment.Transaction, r intpos.Message) payment.Outcome {
	o := payment.Outcome{Verdict: payment.Declined, Message: cardnames.Mask(r.Get(intpos.Text))}
	if !t.Reversing() && cardnames.CalledOff(o.Message) {
		o.Verdict = payment.Abandoned
	}
	return o
}

func (p Profile) approval(d deal, r intpos.Message) payment.Outcome {
	kept := p.tokenOf(r)
	kept.Final = !p.mustConfirm(r)
	o := payment.Outcome{
		Verdict: payment.Accepted, Message: cardnames.Mask(r.Get(intpos.Text)),
		NSU: kept.NSU, Authorization: authorization(r), AcquirerCNPJ: acquirerCNPJ(r), PaidWith: p.used(d, r), Token: kept.String(), Receipt: copies(r),
	}
	if isEndToEndID(kept.NSU) {
		o.EndToEndID = kept.NSU
	}
	if n, err := strconv.Atoi(r.Get(intpos.Installments)); err == nil && n > 0 && o.PaidWith == payment.Credit {
		o.Installments = n
	}
	if o.PaidWith != payment.Pix {
		o.Brand = p.brand(r)
	}
	return o
}

// Read is the outcome of a sale by an answer that came another way than by a file; false: it does not say.
func (p Profile) Read(asked payment.Method, text string) (payment.Outcome, bool) {
	r, whole := intpos.ParseText(text)
	switch {
	case !whole:
	case p.spoken(r) == approved:
		return p.approval(deal{method: asked}, r), true
	case p.spoken(r) == refused:
		return refusal(payment.Transaction{}, r), true
	}
	return payment.Outcome{}, false
}

// copies are what goes to each side of the counter.
func copies(r intpos.Message) payment.Receipt {
	first, second := r.Lines(intpos.Line), r.Lines(intpos.Line)
	if n := firstCopy(r); 0 < n && n < len(first) {
		first, second = first[:n], second[n:]
	}
	slip := func(lines ...[]string) string {
		for _, text := range lines {
			if len(text) > 0 {
				return cardnames.Mask(strings.Join(text, "\n"))
			}
		}
		return ""
	}
	both := payment.Receipt{
		Customer: slip(r.Lines(intpos.CustomerLine), r.Lines(intpos.ReducedLine), first),
		Merchant: slip(r.Lines(intpos.MerchantLine), second),
	}
	switch r.Get(intpos.Copies) {
	case "1":
		both.Merchant = ""
	case "2":
		both.Customer = ""
	}
	return both
}

// firstCopy is how many of the lines are the first copy; 0: they are for both.
func firstCopy(r intpos.Message) int {
	for _, text := range []string{r.At(intpos.LineCount, 1), r.Get(intpos.FirstCopy)} {
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
	}
	return 0
}
