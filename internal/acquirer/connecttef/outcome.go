package connecttef

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/maquininha/maquininha/internal/acquirer/cardnames"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// token is what a sale is known by later, as the ledger keeps it.
type token struct {
	ID     string `json:"id"`
	Number string `json:"number,omitempty"`
	Final  string `json:"final,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Total  string `json:"-"` // where it is another than was asked for
}

func (t token) String() string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // texts
	}
	return string(text)
}

var errNoToken = errors.New("no sale is known")

func parseToken(s string) (t token, err error) {
	if s == "" || json.Unmarshal([]byte(s), &t) != nil || t.ID == "" {
		return token{}, errNoToken
	}
	return t, nil
}

// OperationOf is the identification of the sale that an outcome tells of; empty: none.
func OperationOf(o payment.Outcome) string {
	t, _ := parseToken(o.Token)
	return t.ID
}

// named gives an outcome the operation it tells of: one that failed must be found at Connect TEF too.
func (a *Acquirer) named(t payment.Transaction, out payment.Outcome) payment.Outcome {
	out.Token = token{ID: a.Identification(t)}.String()
	return out
}

// refused is the outcome of a payment without money. Who called it off at the device is told by its text alone.
func (a *Acquirer) refused(t payment.Transaction, o operation) payment.Outcome {
	out := remote.Declined(cmp.Or(o.text, "Pagamento recusado"))
	if cardnames.CalledOff(o.text) {
		out.Verdict = payment.Abandoned
	}
	return a.named(t, out)
}

// methods are by the table of codes; a voucher is none of ours.
var methods = map[string]payment.Method{
	creditInFull: payment.Credit, creditByMerchant: payment.Credit, creditByIssuer: payment.Credit, debit: payment.Debit, pix: payment.Pix,
	"60": payment.AnyMethod,
}

// approval is the outcome of a payment that was made. What was used is what the answer says, never what was asked for.
func (a *Acquirer) approval(t payment.Transaction, o operation) payment.Outcome {
	times, err := strconv.Atoi(o.installments)
	if err != nil || times < 1 {
		times = 1
	}
	out := payment.Outcome{
		Verdict: payment.Accepted, NSU: o.number, Authorization: o.code, AcquirerCNPJ: cardnames.CNPJ(o.network), Installments: times,
		PaidWith: cmp.Or(methods[o.kind], t.Request.Method),
		Token:    token{ID: a.Identification(t), Number: o.number, Final: o.final, Kind: o.kind}.String(),
	}
	if out.PaidWith != payment.Pix {
		out.Brand = cardnames.Brand(o.brand)
	}
	out.Receipt = a.slip("CONNECT TEF "+o.network, t, o)
	return out
}

// slip is the receipt that the manager made, for the customer; the shop's copy is made here.
func (a *Acquirer) slip(title string, t payment.Transaction, o operation) payment.Receipt {
	r := remote.Receipt(a.config.Shop, title, "VALOR R$ "+t.Moving().Reais(), "NSU "+o.number, "AUT "+o.code)
	r.Customer = cmp.Or(o.receipt, r.Customer)
	return r
}
