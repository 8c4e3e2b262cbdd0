package pixsim

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// control serves what the API does not have: the customers, the PSP's own whims, and what the tests want to know.
//
//	GET  /sim                                                           what there is
//	POST /sim/pay[/{txid}]   {"valor"?, "late"?, "times"?}              a customer pays, by default the oldest charge
//	POST /sim/remove/{txid}                                             the PSP removes the charge
//	POST /sim/next           {"misbehaviour", "on"?, "times"?, "ms"?}   misbehave
//	POST /sim/behave                                                    … or not any more
//	GET  /sim/charges                                                   the txids that can be paid now
//	GET  /sim/violations                                                the requests that broke a rule
func (b *Bank) control(w http.ResponseWriter, r *http.Request, body []byte) {
	command, argument, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/sim"), "/"), "/")
	answer, err := b.command(r.Method+" "+command, argument, body)
	switch {
	case errors.Is(err, ErrNoCharge), errors.Is(err, errNoCommand):
		write(w, problem(http.StatusNotFound, "NaoEncontrado", err.Error()))
	case errors.Is(err, ErrNotActive), errors.Is(err, ErrNotPaid):
		write(w, problem(http.StatusConflict, "CobOperacaoInvalida", err.Error()))
	case err != nil:
		write(w, problem(http.StatusBadRequest, "RequisicaoInvalida", err.Error()))
	default:
		write(w, reply{Status: http.StatusOK, Body: answer})
	}
}

var errNoCommand = errors.New("comando desconhecido: veja GET /sim")

func (b *Bank) command(name, argument string, body []byte) (any, error) {
	if len(body) == 0 {
		body = []byte("{}")
	}
	done := map[string]bool{"ok": true}
	switch name {
	case "GET ":
		return manual(), nil
	case "POST pay":
		e2eid, err := b.payAsTold(argument, body)
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
		if err := httpsim.Decode(body, &how); err != nil {
			return nil, err
		}
		return done, b.Next(Misbehaviour{Kind: how.Misbehaviour, On: how.On, Times: how.Times, Delay: time.Duration(how.MS) * time.Millisecond})
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

func (b *Bank) payAsTold(txid string, body []byte) (e2eid string, err error) {
	var how struct {
		Valor string `json:"valor"`
		Late  bool   `json:"late"`
		Times int    `json:"times"`
	}
	if err := httpsim.Decode(body, &how); err != nil {
		return "", err
	}
	if txid == "" {
		open := b.Active()
		if len(open) == 0 {
			return "", ErrNoCharge
		}
		txid = open[0]
	}
	switch {
	case how.Times < 0 || how.Times > 100:
		return "", errors.New("times deve estar entre 1 e 100")
	case how.Late:
		e2eid, err = b.PayLate(txid, how.Valor)
	case how.Valor != "":
		e2eid, err = b.Pay(txid, how.Valor)
	default:
		e2eid, err = b.customer(txid)
	}
	for range how.Times - 1 {
		if err == nil {
			e2eid, err = b.PayLate(txid, how.Valor)
		}
	}
	return e2eid, err
}

// manual is what can be asked for, in words for people.
func manual() any {
	misdeeds := map[Misdeed]string{}
	for _, m := range Misdeeds() {
		misdeeds[m] = Repertoire.Meaning(m)
	}
	return map[string]any{
		"POST /sim/pay":           "um cliente paga a cobrança mais antiga",
		"POST /sim/pay/{txid}":    `ou esta; {"valor":"9.99"} paga outro valor, {"times":2} duas vezes, {"late":true} mesmo expirada ou retirada`,
		"POST /sim/remove/{txid}": "o PSP remove a cobrança",
		"POST /sim/next":          `{"misbehaviour":"…","on":"…","times":1,"ms":0}: o que dará errado; on e o mais podem faltar`,
		"POST /sim/behave":        "esquece o que daria errado",
		"GET /sim/charges":        "as cobranças que podem ser pagas agora",
		"GET /sim/violations":     "os pedidos que violaram uma regra da API",
		"misbehaviour":            misdeeds,
		"on":                      Repertoire.Calls,
	}
}
