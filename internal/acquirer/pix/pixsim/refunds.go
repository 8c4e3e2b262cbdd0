package pixsim

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"net/http"
	"regexp"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

var (
	e2ePattern = regexp.MustCompile(`^[a-zA-Z0-9]{32}$`)
	idPattern  = regexp.MustCompile(`^[a-zA-Z0-9]{1,35}$`)
)

// payment is the payment of a request, or the reply that there is none.
func (b *Bank) payment(r *request) (*paid, *reply) {
	p := b.payments[r.path[0]]
	var none reply
	switch {
	case !e2ePattern.MatchString(r.path[0]):
		none = b.bad(r, http.StatusBadRequest, "PixDevolucaoInvalida", "o e2eid não tem 32 letras e dígitos")
	case !idPattern.MatchString(r.path[1]):
		none = b.bad(r, http.StatusBadRequest, "PixDevolucaoInvalida", "o id não é [a-zA-Z0-9]{1,35}")
	case p == nil:
		none = b.problem(http.StatusNotFound, "PixNaoEncontrado", "não há pagamento com este e2eid")
	default:
		if err := b.mature(p); err != nil {
			none = b.broken(err)
			break
		}
		return p, nil
	}
	return nil, &none
}

func (b *Bank) createRefund(r *request) reply {
	const kind = "PixDevolucaoInvalida"
	p, none := b.payment(r)
	if none != nil {
		return *none
	}
	var body struct {
		Valor     string  `json:"valor"`
		Natureza  string  `json:"natureza"`
		Descricao *string `json:"descricao"`
	}
	err := httpsim.Decode(r.Body, &body)
	switch {
	case err != nil:
		return b.bad(r, http.StatusBadRequest, kind, err.Error())
	case !amountPattern.MatchString(body.Valor) || money.MustParse(body.Valor).Sign() == 0:
		return b.bad(r, http.StatusBadRequest, kind, "valor não é um valor")
	}
	if made := p.refund(r.path[1]); made != nil {
		if b.config.Repeats && made.Amount == body.Valor {
			return reply{Status: cmp.Or(b.manner.Refunded, http.StatusCreated), Body: refundJSON(made)}
		}
		return b.problem(http.StatusBadRequest, kind, "o id já foi usado")
	}
	if money.MustParse(body.Valor).Cmp(p.left()) > 0 {
		return b.problem(http.StatusBadRequest, kind, "mais do que resta do pagamento")
	}
	e := Event{Kind: Refunded, TxID: p.TxID, E2EID: p.E2EID, ID: r.path[1], Amount: body.Valor, Status: refundMade}
	if m, ok := b.whims.Take(OnRefund, refundsOnly); ok {
		end := refundMade
		if m.Kind == RefundRefused || m.Kind == RefundSlowlyRefused {
			end = refundNotMade
		}
		e.Status = end
		if m.Kind != RefundRefused {
			e.Status, e.Until, e.End = refunding, time.Now().Add(m.Delay), end
		}
	}
	if err := b.happen(e); err != nil {
		return b.broken(err)
	}
	return reply{Status: cmp.Or(b.manner.Refunded, http.StatusCreated), Body: refundJSON(p.refund(e.ID))}
}

func (b *Bank) seeRefund(r *request) reply {
	p, none := b.payment(r)
	if none != nil {
		return *none
	}
	made := p.refund(r.path[1])
	if made == nil {
		return b.problem(http.StatusNotFound, "PixDevolucaoNaoEncontrada", "não há devolução com este id")
	}
	return reply{Status: http.StatusOK, Body: refundJSON(made)}
}

// returnID is of the form that the system gives a refund: whose it is and when as in the payment's, then eleven signs of its own.
func returnID(r *Event) string {
	const bankAndTime = 20
	sum := sha256.Sum256([]byte(r.E2EID + " " + r.ID))
	return "D" + r.E2EID[1:1+bankAndTime] + base32.StdEncoding.EncodeToString(sum[:])[:11]
}

func refundJSON(r *Event) map[string]any {
	j := map[string]any{
		"id": r.ID, "rtrId": returnID(r), "valor": r.Amount, "status": r.Status,
		"horario": map[string]string{"solicitacao": stamp(r.At)},
	}
	if r.Status == refundNotMade {
		j["motivo"] = "Saldo insuficiente"
	}
	return j
}
