package httpapi

import (
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// paymentShown is an operation under way: tPag is the caller's word, method and installments what the person has
// chosen so far.
type paymentShown struct {
	Kind               payment.Kind     `json:"kind"`
	Serial             uint64           `json:"serial"`
	Step               payment.Step     `json:"step"`
	ReferenceID        *string          `json:"referenceId"`
	TPag               string           `json:"tPag"`
	Method             payment.Method   `json:"method"`
	Methods            []payment.Method `json:"methods"`
	Amount             money.Decimal    `json:"amount"`
	Installments       int              `json:"installments"`
	InstallmentOptions []int            `json:"installmentOptions"`
	InstallmentType    payment.Plan     `json:"installmentType"`
	BRCode             *string          `json:"brCode"`
	ExpiresAt          *stamp           `json:"expiresAt"`
	Cancellable        bool             `json:"cancellable"`
}

func paymentOf(s payment.Shown) *paymentShown {
	r, p := s.Request, s.Prompt
	body := &paymentShown{
		Kind: s.Kind, Serial: s.Serial, Step: p.Step, ReferenceID: orNull(r.Reference), TPag: methodCodes[r.Method], Method: s.Method,
		Methods: append([]payment.Method{}, p.Methods...), Amount: s.Amount, Installments: s.Installments,
		InstallmentOptions: append([]int{}, p.Installments...), InstallmentType: r.Plan, BRCode: orNull(p.BRCode), Cancellable: p.Cancellable,
	}
	if !p.ExpiresAt.IsZero() {
		at := stampOf(p.ExpiresAt)
		body.ExpiresAt = &at
	}
	return body
}

// resultBody is how the last operation ended, while the screen says so.
type resultBody struct {
	Kind     payment.Kind  `json:"kind"`
	Verdict  string        `json:"verdict"`
	Message  *string       `json:"message"`
	TPag     string        `json:"tPag"`
	Amount   money.Decimal `json:"amount"`
	Receipts receiptsBody  `json:"receipts"`
}

// receiptsBody is what the screen says of the receipt: the copies the person may have printed, and how the last went.
type receiptsBody struct {
	Offered  []payment.Copy `json:"offered"`
	Printing bool           `json:"printing"`
	Printed  []payment.Copy `json:"printed"`
	Failed   bool           `json:"failed"`
}

func receiptsOf(e payment.Ended) receiptsBody {
	body := receiptsBody{Offered: []payment.Copy{}, Printing: e.Paper.Printing, Printed: append([]payment.Copy{}, e.Paper.Printed...), Failed: e.Paper.Failed}
	for _, c := range []payment.Copy{payment.CustomerCopy, payment.MerchantCopy} {
		if e.Offers(c) {
			body.Offered = append(body.Offered, c)
		}
	}
	return body
}

var verdicts = map[payment.Verdict]string{payment.Accepted: "approved", payment.Declined: "refused", payment.Abandoned: "cancelled"}

func resultOf(e payment.Ended) *resultBody {
	verdict := verdicts[e.Verdict]
	if e.Unknown {
		verdict = "unknown"
	}
	return &resultBody{e.Kind, verdict, orNull(e.Message), methodCodes[e.Method], e.Amount, receiptsOf(e)}
}
