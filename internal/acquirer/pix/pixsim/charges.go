package pixsim

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

var (
	txidPattern   = regexp.MustCompile(`^[a-zA-Z0-9]{26,35}$`)
	amountPattern = regexp.MustCompile(`^\d{1,10}\.\d{2}$`)
)

type newCharge struct {
	Calendario *struct {
		Expiracao *int64 `json:"expiracao"`
	} `json:"calendario"`
	Valor *struct {
		Original            string `json:"original"`
		ModalidadeAlteracao int    `json:"modalidadeAlteracao"`
	} `json:"valor"`
	Chave              string          `json:"chave"`
	SolicitacaoPagador *string         `json:"solicitacaoPagador"`
	Devedor            json.RawMessage `json:"devedor"`
	Loc                json.RawMessage `json:"loc"`
	InfoAdicionais     json.RawMessage `json:"infoAdicionais"`
}

// wrong is the first rule that the body breaks.
func (c newCharge) wrong(key string, longest time.Duration) string {
	switch {
	case c.Calendario == nil || c.Calendario.Expiracao == nil:
		return "falta calendario.expiracao"
	case *c.Calendario.Expiracao <= 0 || *c.Calendario.Expiracao > 1<<31-1:
		return "calendario.expiracao fora dos limites"
	case longest > 0 && time.Duration(*c.Calendario.Expiracao)*time.Second > longest:
		return "calendario.expiracao além do que este banco permite"
	case c.Valor == nil || !amountPattern.MatchString(c.Valor.Original):
		return "valor.original não é um valor"
	case money.MustParse(c.Valor.Original).Sign() == 0:
		return "valor.original é zero"
	case c.Chave == "" || len(c.Chave) > 77:
		return "chave ausente ou longa demais"
	case c.Chave != key:
		return "a chave não é deste cliente"
	case c.SolicitacaoPagador != nil && utf8.RuneCountInString(*c.SolicitacaoPagador) > 140:
		return "solicitacaoPagador longa demais"
	}
	return ""
}

func (b *Bank) createCharge(r *request) reply {
	const kind = "CobOperacaoInvalida"
	txid := r.path[0]
	if !txidPattern.MatchString(txid) {
		return b.bad(r, http.StatusBadRequest, kind, "o txid não é [a-zA-Z0-9]{26,35}")
	}
	var body newCharge
	if err := httpsim.Decode(r.Body, &body); err != nil {
		return b.bad(r, http.StatusBadRequest, kind, err.Error())
	}
	if wrong := body.wrong(b.config.Key, b.manner.MaxExpiry); wrong != "" {
		return b.bad(r, http.StatusBadRequest, kind, wrong)
	}
	if c := b.charges[txid]; c != nil {
		if b.config.Repeats && c.status == active && c.created.Amount == body.Valor.Original {
			return reply{Status: http.StatusOK, Body: b.createdJSON(c)}
		}
		if b.manner.Taken.status != 0 {
			return b.refuse(b.manner.Taken)
		}
		return b.problem(http.StatusBadRequest, kind, "o txid já foi usado")
	}
	code, err := b.brCode(txid, body.Valor.Original)
	if err != nil {
		return b.broken(err)
	}
	err = b.happen(Event{Kind: Charged, TxID: txid, Amount: body.Valor.Original, Status: active, Expiry: int(*body.Calendario.Expiracao), BRCode: code})
	if err != nil {
		return b.broken(err)
	}
	return reply{Status: cmp.Or(b.manner.Created, http.StatusCreated), Body: b.createdJSON(b.charges[txid])}
}

// find is the charge of a request, or the reply that there is none.
func (b *Bank) find(r *request) (*cob, *reply) {
	txid := r.path[0]
	var none reply
	switch c := b.charges[txid]; {
	case !txidPattern.MatchString(txid):
		none = b.bad(r, http.StatusBadRequest, "CobOperacaoInvalida", "o txid não é [a-zA-Z0-9]{26,35}")
	case c == nil:
		none = b.problem(http.StatusNotFound, "CobNaoEncontrado", "não há cobrança com este txid")
	default:
		return c, nil
	}
	return nil, &none
}

func (b *Bank) seeCharge(r *request) reply {
	c, none := b.find(r)
	if none != nil {
		return *none
	}
	for _, p := range c.paid {
		if err := b.mature(p); err != nil {
			return b.broken(err)
		}
	}
	return reply{Status: http.StatusOK, Body: b.seenJSON(c)}
}

func (b *Bank) withdrawCharge(r *request) reply {
	const kind = "CobOperacaoInvalida"
	c, none := b.find(r)
	if none != nil {
		return *none
	}
	var body struct {
		Status string `json:"status"`
	}
	if err := httpsim.Decode(r.Body, &body); err != nil {
		return b.bad(r, http.StatusBadRequest, kind, err.Error())
	}
	if body.Status != removedByUser && !(b.manner.Removido && body.Status == removido(removedByUser)) {
		return b.bad(r, http.StatusBadRequest, kind, "status só pode passar a "+removedByUser)
	}
	if c.status != active {
		return b.problem(http.StatusBadRequest, kind, "a cobrança está "+c.status)
	}
	if err := b.happen(Event{Kind: Removed, TxID: r.path[0], Status: removedByUser}); err != nil {
		return b.broken(err)
	}
	return reply{Status: http.StatusOK, Body: b.seenJSON(c)}
}

// removido is how some banks spell a removal.
func removido(status string) string { return strings.Replace(status, "REMOVIDA_", "REMOVIDO_", 1) }

func (b *Bank) createdJSON(c *cob) map[string]any {
	j := b.chargeJSON(c)
	b.addCode(j, c, b.manner.Code.Create)
	return j
}

func (b *Bank) seenJSON(c *cob) map[string]any {
	j := b.chargeJSON(c)
	b.addCode(j, c, b.manner.Code.See)
	return j
}

// chargeJSON is a charge without its code.
func (b *Bank) chargeJSON(c *cob) map[string]any {
	at := payloadAddress + c.created.TxID
	life := map[string]any{"criacao": stamp(c.created.At), "expiracao": c.created.Expiry}
	if b.manner.TextLife {
		life["expiracao"] = strconv.Itoa(c.created.Expiry)
	}
	j := map[string]any{
		"txid": c.created.TxID, "revisao": 0, "status": c.status, "chave": b.config.Key, "calendario": life,
		"valor":    map[string]any{"original": c.created.Amount},
		"location": at, "loc": map[string]any{"id": slices.Index(b.order, c) + 1, "location": at, "tipoCob": "cob"},
	}
	if b.manner.Removido {
		j["status"] = removido(c.status)
	}
	if b.manner.Nulls {
		j["devedor"], j["infoAdicionais"], j["pix"] = nil, nil, nil
	}
	var pix []map[string]any
	for _, p := range c.paid {
		back := []map[string]any{}
		for _, r := range p.refunds {
			back = append(back, refundJSON(r))
		}
		pix = append(pix, map[string]any{
			"endToEndId": p.E2EID, "txid": p.TxID, "valor": p.Amount, "horario": stamp(p.At), "chave": b.config.Key, "devolucoes": back,
		})
	}
	if pix != nil {
		j["pix"] = pix
	}
	return j
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
