package pix

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/money"
)

// The statuses of a charge; expiry is none of them.
const (
	active       = "ATIVA"
	concluded    = "CONCLUIDA"
	removedByUs  = "REMOVIDA_PELO_USUARIO_RECEBEDOR"
	removedByPSP = "REMOVIDA_PELO_PSP"
)

// The statuses of a refund.
const (
	refunding = "EM_PROCESSAMENTO"
	refunded  = "DEVOLVIDO"
	notMade   = "NAO_REALIZADO"
)

// charge is a cobrança as the PSP tells it.
type charge struct {
	status   string
	life     time.Duration // 0: not told
	amount   money.Decimal
	brCode   string
	location string     // where the payer's bank reads it
	loc      string     // the location's number
	key      string     // that receives the money; empty: not told
	received []received // each payment once
}

// received is a payment that came in on a charge.
type received struct {
	e2eid   string
	amount  money.Decimal
	refunds []refund
}

type refund struct {
	id, rtrID, status, reason string
	amount                    money.Decimal
}

type chargeJSON struct {
	TxID       string `json:"txid"`
	Status     string `json:"status"`
	Calendario struct {
		Expiracao json.Number `json:"expiracao"`
	} `json:"calendario"`
	Valor struct {
		Original json.Number `json:"original"`
	} `json:"valor"`
	Chave    string `json:"chave"`
	Location string `json:"location"`
	Loc      struct {
		ID       json.Number `json:"id"`
		Location string      `json:"location"`
	} `json:"loc"`
	codeJSON
	Pix []receivedJSON `json:"pix"`
}

type receivedJSON struct {
	EndToEndID string       `json:"endToEndId"`
	Valor      json.Number  `json:"valor"`
	Devolucoes []refundJSON `json:"devolucoes"`
}

type refundJSON struct {
	ID     string      `json:"id"`
	RtrID  string      `json:"rtrId"`
	Valor  json.Number `json:"valor"`
	Status string      `json:"status"`
	Motivo string      `json:"motivo"`
}

// parseCharge reads an answer about the charge of that txid. What it can't make sense of is an error: nothing is
// guessed where money is concerned.
func parseCharge(raw []byte, txid string) (charge, error) {
	var j struct {
		chargeJSON
		Cob chargeJSON `json:"cob"` // where the code comes beside the charge
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return charge{}, fmt.Errorf("reading the charge: %w", err)
	}
	code := j.code()
	if j.TxID == "" && j.Cob.TxID != "" {
		j.chargeJSON = j.Cob
		code = cmp.Or(code, j.code())
	}
	if !strings.EqualFold(j.TxID, txid) {
		return charge{}, fmt.Errorf("the PSP answered with another charge: %s", remote.Tidy(j.TxID))
	}
	c := charge{brCode: code, location: cmp.Or(j.Location, j.Loc.Location), key: j.Chave}
	if n, err := j.Loc.ID.Int64(); err == nil {
		c.loc = strconv.FormatInt(n, 10)
	}
	// Some PSPs write REMOVIDO_….
	c.status = strings.Replace(strings.ToUpper(j.Status), "REMOVIDO_", "REMOVIDA_", 1)
	switch c.status {
	case active, concluded, removedByUs, removedByPSP:
	default:
		return charge{}, fmt.Errorf("a charge in the unknown status %q", remote.Tidy(j.Status))
	}
	if n, err := j.Calendario.Expiracao.Int64(); err == nil && n > 0 && n <= int64(maxExpiry/time.Second) {
		c.life = time.Duration(n) * time.Second
	}
	var err error
	if c.amount, err = parseAmount(j.Valor.Original); err != nil {
		return charge{}, fmt.Errorf("reading valor.original: %w", err)
	}
	seen := map[string]bool{}
	for _, p := range j.Pix {
		r, err := p.parse()
		if err != nil {
			return charge{}, err
		}
		if !seen[r.e2eid] {
			c.received = append(c.received, r)
		}
		seen[r.e2eid] = true
	}
	return c, nil
}

func (j receivedJSON) parse() (received, error) {
	r := received{e2eid: j.EndToEndID}
	if !e2ePattern.MatchString(r.e2eid) {
		return r, fmt.Errorf("a payment with the endToEndId %q", remote.Tidy(r.e2eid))
	}
	var err error
	if r.amount, err = parseAmount(j.Valor); err != nil {
		return r, fmt.Errorf("reading the valor of a payment: %w", err)
	}
	for _, d := range j.Devolucoes {
		back, err := d.parse()
		if err != nil {
			return r, err
		}
		r.refunds = append(r.refunds, back)
	}
	return r, nil
}

func parseRefund(raw []byte, id string) (refund, error) {
	var j refundJSON
	if err := json.Unmarshal(raw, &j); err != nil {
		return refund{}, fmt.Errorf("reading the refund: %w", err)
	}
	if !strings.EqualFold(j.ID, id) {
		return refund{}, fmt.Errorf("the PSP answered with another refund: %s", remote.Tidy(j.ID))
	}
	return j.parse()
}

func (j refundJSON) parse() (refund, error) {
	r := refund{id: j.ID, rtrID: remote.Tidy(j.RtrID), status: strings.ToUpper(j.Status), reason: remote.Tidy(j.Motivo)}
	switch r.status {
	case refunding, refunded, notMade:
	default:
		return r, fmt.Errorf("a refund in the unknown status %q", remote.Tidy(j.Status))
	}
	var err error
	if r.amount, err = parseAmount(j.Valor); err != nil {
		return r, fmt.Errorf("reading the valor of a refund: %w", err)
	}
	return r, nil
}

var amountPattern = regexp.MustCompile(`^\d{1,10}(\.\d{1,2})?$`) // a number loses its last zeros

func parseAmount(n json.Number) (money.Decimal, error) {
	if !amountPattern.MatchString(string(n)) {
		return money.Zero, fmt.Errorf("%q is no amount", remote.Tidy(string(n)))
	}
	return money.Parse(string(n))
}

// parseToken reads what the token endpoint answers.
func parseToken(raw []byte) (value string, life time.Duration, err error) {
	var j struct {
		AccessToken string      `json:"access_token"`
		TokenType   string      `json:"token_type"`
		ExpiresIn   json.Number `json:"expires_in"`
	}
	// The decoder's own words may quote the token.
	if json.Unmarshal(raw, &j) != nil {
		return "", 0, errors.New("reading the token: not the JSON of RFC 6749")
	}
	seconds, _ := j.ExpiresIn.Int64() // not told: good for this request only
	switch {
	case j.AccessToken == "" || strings.ContainsFunc(j.AccessToken, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", 0, errors.New("reading the token: there is none")
	case j.TokenType != "" && !strings.EqualFold(j.TokenType, "bearer"):
		return "", 0, errors.New("reading the token: not a bearer token")
	}
	return j.AccessToken, time.Duration(min(max(seconds, 0), 86400)) * time.Second, nil
}
