package pixsim

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"
)

// control serves what the API does not have: the customers, the PSP's own whims, and what the tests want to know.
//
//	POST /sim/pay/{txid}     {"valor"?, "late"?}                        a customer pays
//	POST /sim/remove/{txid}                                             the PSP removes the charge
//	POST /sim/next           {"misbehaviour", "on"?, "times"?, "ms"?}   misbehave
//	POST /sim/behave                                                    … or not any more
//	GET  /sim/charges                                                   the txids that can be paid now
//	GET  /sim/violations                                                the requests that broke a rule
func (b *Bank) control(w http.ResponseWriter, r *http.Request, body []byte) {
	command, argument, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/sim/"), "/")
	answer, err := b.command(r.Method+" "+command, argument, body)
	switch {
	case errors.Is(err, ErrNoCharge), errors.Is(err, errNoCommand):
		write(w, problem(http.StatusNotFound, "NaoEncontrado", err.Error()))
	case errors.Is(err, ErrNotActive):
		write(w, problem(http.StatusConflict, "CobOperacaoInvalida", err.Error()))
	case err != nil:
		write(w, problem(http.StatusBadRequest, "RequisicaoInvalida", err.Error()))
	default:
		write(w, reply{http.StatusOK, answer})
	}
}

var errNoCommand = errors.New("no such command")

func (b *Bank) command(name, argument string, body []byte) (any, error) {
	if len(body) == 0 {
		body = []byte("{}")
	}
	done := map[string]bool{"ok": true}
	switch name {
	case "POST pay":
		var how struct {
			Valor string `json:"valor"`
			Late  bool   `json:"late"`
		}
		if err := json.Unmarshal(body, &how); err != nil {
			return nil, err
		}
		pay := b.Pay
		if how.Late {
			pay = b.PayLate
		}
		e2eid, err := pay(argument, how.Valor)
		return map[string]string{"endToEndId": e2eid}, err
	case "POST remove":
		return done, b.Remove(argument)
	case "POST next":
		how := struct {
			Misbehaviour Misdeed `json:"misbehaviour"`
			On           Call    `json:"on"`
			Times        int     `json:"times"`
			MS           int     `json:"ms"`
		}{Times: 1}
		if err := json.Unmarshal(body, &how); err != nil {
			return nil, err
		}
		return done, b.Next(Misbehaviour{how.Misbehaviour, how.On, how.Times, time.Duration(how.MS) * time.Millisecond})
	case "POST behave":
		b.Behave()
		return done, nil
	case "GET charges":
		return map[string][]string{"charges": append([]string{}, b.Active()...)}, nil
	case "GET violations":
		return map[string][]string{"violations": append([]string{}, b.Violations()...)}, nil
	}
	return nil, errNoCommand
}
