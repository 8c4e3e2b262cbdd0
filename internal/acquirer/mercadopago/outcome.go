package mercadopago

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// token is what an order is known by later, as the ledger keeps it.
type token struct {
	Order   string `json:"order"`
	Payment string `json:"payment"`
}

func (t token) String() string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // texts
	}
	return string(text)
}

var errNoToken = errors.New("no order is known")

func parseToken(s string) (t token, err error) {
	if s == "" || json.Unmarshal([]byte(s), &t) != nil || !idPattern.MatchString(t.Order) {
		return token{}, errNoToken
	}
	return t, nil
}

// OrderOf is the order that an outcome tells of; empty: none.
func OrderOf(o payment.Outcome) string {
	t, _ := parseToken(o.Token)
	return t.Order
}

// named gives an outcome the order it tells of: one that failed must be found at Mercado Pago too.
func (a *Acquirer) named(o order, out payment.Outcome) payment.Outcome {
	out.Token = token{o.id, o.payment.id}.String()
	return out
}

// cnpj is Mercado Pago's own, for the fiscal document.
const cnpj = "10573521000191"

// methods are by payment_method.type; what is none of ours is left open.
var methods = map[string]payment.Method{
	"credit_card": payment.Credit, "debit_card": payment.Debit, "prepaid_card": payment.Debit,
	"bank_transfer": payment.Pix, "pix": payment.Pix, "qr": payment.Pix,
}

// brands number payment_method.id as fiscal documents do.
var brands = map[string]string{
	"visa": "01", "master": "02", "maestro": "02", "amex": "03", "diners": "05", "elo": "06", "hipercard": "07", "aura": "08", "cabal": "09",
	"hiper": "17", "jcb": "18",
}

const otherBrand = "99"

// approval is the outcome of an order that was paid. What was used is what the order says, never what was asked for.
func (a *Acquirer) approval(t payment.Transaction, o order) payment.Outcome {
	p := o.payment
	out := a.named(o, payment.Outcome{
		Verdict: payment.Accepted, NSU: cmp.Or(p.number, p.id), AcquirerCNPJ: cnpj, PaidWith: cmp.Or(methods[p.kind], t.Request.Method), Installments: max(p.installments, 1),
	})
	if strings.HasSuffix(p.kind, "_card") {
		// Debit cards have the brand's word after three letters.
		out.Brand = cmp.Or(brands[strings.TrimPrefix(p.method, "deb")], otherBrand)
	}
	out.Receipt = remote.Receipt(a.config.Shop, "MERCADO PAGO", "VALOR R$ "+t.Request.Amount.Reais(), "OPERAÇÃO "+out.NSU, o.id)
	return out
}

// givenBack is the outcome of a reversal that was made.
func (a *Acquirer) givenBack(t payment.Transaction, r refund) payment.Outcome {
	o := payment.Outcome{Verdict: payment.Accepted, NSU: cmp.Or(r.number, r.id), Token: r.id}
	o.Receipt = remote.Receipt(a.config.Shop, "ESTORNO MERCADO PAGO", "VALOR R$ "+t.Moving().Reais(), "OPERAÇÃO "+o.NSU)
	return o
}

// reasons are what the person reads of a payment that failed.
var reasons = map[string]string{
	"insufficient_amount":           "Saldo ou limite insuficiente",
	"rejected_by_issuer":            "Recusado pelo emissor do cartão",
	"bad_filled_card_data":          "Dados do cartão incorretos",
	"card_disabled":                 "Cartão não habilitado",
	"required_call_for_authorize":   "O emissor do cartão pede contato",
	"high_risk":                     "Recusado pela análise de risco",
	"invalid_installments":          "O cartão não aceita esse número de parcelas",
	"max_attempts_exceeded":         "Limite de tentativas atingido",
	"processing_error":              "Falha no processamento",
	"invalid_security_code":         "Código de segurança incorreto",
	"amount_limit_exceeded":         "Acima do limite por operação",
	"unsupported_payment_method":    "Meio de pagamento não aceito",
	"rejected_high_risk":            "Recusado pela análise de risco",
	"rejected_insufficient_amount":  "Saldo ou limite insuficiente",
	"rejected_other_reason":         "Recusado pelo emissor do cartão",
	"rejected_bad_filled_card_data": "Dados do cartão incorretos",
}

func whyFailed(o order) string {
	return cmp.Or(reasons[o.payment.detail], reasons[o.detail], "Pagamento recusado")
}
