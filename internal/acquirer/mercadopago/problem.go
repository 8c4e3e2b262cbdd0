package mercadopago

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// problem is an answer that is no success, in Mercado Pago's words.
type problem struct {
	remote.Complaint
	code string // its own word for what is wrong; empty: it says none
	said string // its text without that word
}

// Transient is more than with others: it says of some things that they are too early.
func (p *problem) Transient() bool {
	return p.Complaint.Transient() || p.Status == http.StatusTooEarly || p.Status == http.StatusPreconditionRequired || p.code == refundInProgress
}

// Unsure is its own fault, which may have come too late, or a word on the key or on a refund under way: an earlier request of
// the same may have been heard.
func (p *problem) Unsure() bool {
	return p.Complaint.Unsure() || p.Status == http.StatusTooEarly || strings.HasPrefix(p.code, "idempotency_") || p.code == refundInProgress
}

// Codes of refusals that are more than words.
const (
	queued           = "already_queued_order_for_terminal"
	refundInProgress = "refund_in_progress"
)

// refusals are what the person at the terminal reads.
var refusals = map[string]string{
	queued:                            "A maquininha já tem uma cobrança em andamento",
	refundInProgress:                  "Já há um estorno em andamento",
	"order_not_found":                 "O Mercado Pago não conhece esta cobrança",
	"forbidden_checking_device_owner": "A maquininha não é desta conta do Mercado Pago",
	"unsupported_partially_refunds":   "Este pagamento não aceita estorno parcial",
	"refund_amount_exceeds":           "Valor maior do que o disponível para estorno",
}

// codePattern tells a code from the words of others.
var codePattern = regexp.MustCompile(`^[a-z0-9_]+$`)

type problemJSON struct {
	Code    string `json:"code"`
	Error   string `json:"error"`
	Message string `json:"message"`
	Errors  []struct {
		Code    string   `json:"code"`
		Message string   `json:"message"`
		Details []string `json:"details"`
	} `json:"errors"`
}

// parseProblem reads both forms in which the API says what is wrong. What is no JSON is left out: pages of proxies help nobody.
func parseProblem(a remote.Answer, hide func(string) string) *problem {
	p := &problem{Complaint: remote.Complain("Mercado Pago", a)}
	var j problemJSON
	if json.Unmarshal(a.Body, &j) != nil {
		return p
	}
	p.code = cmp.Or(j.Error, j.Code)
	said := []string{j.Message}
	for _, e := range j.Errors {
		p.code = cmp.Or(p.code, e.Code)
		said = append(said, e.Message)
		said = append(said, e.Details...)
	}
	said = append(said, "")
	p.code = remote.Words(hide(p.code))
	p.said = remote.Words(hide(strings.Trim(strings.Join(said, "; "), "; "))) // hidden first: half a secret is one too
	p.Text, p.Own = strings.Trim(p.code+": "+p.said, ": "), codePattern.MatchString(p.code)
	return p
}

// refusalOf makes a refusal of a call without effect.
func refusalOf(err error) *remote.Refusal {
	var p *problem
	switch {
	case !errors.As(err, &p), p.Transient() && p.code == "":
		return &remote.Refusal{Message: "Mercado Pago fora do ar"}
	case p.Status == http.StatusUnauthorized:
		return &remote.Refusal{Message: "O Mercado Pago recusou o access token", Said: true}
	}
	return &remote.Refusal{Message: cmp.Or(refusals[p.code], p.said, "Recusado pelo Mercado Pago"), Said: true}
}

// conclude makes a refusal of a failure that certainly had no effect, and leaves any other as it is.
func conclude(err error) error {
	if remote.NoEffect(err) {
		return refusalOf(err)
	}
	return err
}
