package pointsim

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// control serves what the API does not have: the customer at the device, what goes wrong, and what tests want to know.
//
//	GET  /sim                                                           what there is
//	POST /sim/pay[/{id}]                                                the customer pays, by default the oldest order
//	POST /sim/refuse, /sim/cancel, /sim/lose [/{id}]                    the card is refused, the device cancels, it loses touch
//	POST /sim/next           {"misbehaviour", "on"?, "times"?, "ms"?}   misbehave
//	POST /sim/behave                                                    … or not any more
//	GET  /sim/orders                                                    the ids that can be paid now
//	GET  /sim/violations                                                the requests that broke a rule
func (a *Account) control(w http.ResponseWriter, r *http.Request, body []byte) {
	command, argument, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/sim"), "/"), "/")
	answer, err := a.command(r.Method+" "+command, argument, body)
	switch {
	case errors.Is(err, ErrNoOrder), errors.Is(err, errNoCommand):
		httpsim.Write(w, problem(http.StatusNotFound, "not_found", err.Error()))
	case errors.Is(err, ErrOver), errors.Is(err, ErrNotPaid):
		httpsim.Write(w, problem(http.StatusConflict, "conflict", err.Error()))
	case err != nil:
		httpsim.Write(w, problem(http.StatusBadRequest, "bad_request", err.Error()))
	default:
		httpsim.Write(w, httpsim.Reply{Status: http.StatusOK, Body: answer})
	}
}

var errNoCommand = errors.New("comando desconhecido: veja GET /sim")

func (a *Account) command(name, argument string, body []byte) (any, error) {
	if len(body) == 0 {
		body = []byte("{}")
	}
	done := map[string]bool{"ok": true}
	switch name {
	case "GET ":
		return manual(), nil
	case "POST pay":
		return done, a.Pay(argument)
	case "POST refuse":
		return done, a.End(argument, failed)
	case "POST cancel":
		return done, a.End(argument, canceled)
	case "POST lose":
		return done, a.End(argument, actionRequired)
	case "POST next":
		how := struct {
			Misbehaviour httpsim.Misdeed `json:"misbehaviour"`
			On           httpsim.Call    `json:"on"`
			Times        int             `json:"times"`
			MS           int             `json:"ms"`
		}{Times: 1}
		if err := httpsim.Decode(body, &how); err != nil {
			return nil, err
		}
		return done, a.Next(httpsim.Misbehaviour{Kind: how.Misbehaviour, On: how.On, Times: how.Times, Delay: time.Duration(how.MS) * time.Millisecond})
	case "POST behave":
		a.Behave()
		return done, nil
	case "GET orders":
		return map[string][]string{"orders": append([]string{}, a.Waiting()...)}, nil
	case "GET violations":
		return map[string][]string{"violations": append([]string{}, a.Violations()...)}, nil
	}
	return nil, errNoCommand
}

// manual is what can be asked for, in words for people.
func manual() any {
	misdeeds := map[httpsim.Misdeed]string{}
	for _, m := range Repertoire.Misdeeds() {
		misdeeds[m] = Repertoire.Meaning(m)
	}
	return map[string]any{
		"POST /sim/pay":       "o cliente paga a cobrança mais antiga; com /{id}, esta",
		"POST /sim/refuse":    "o emissor recusa o cartão",
		"POST /sim/cancel":    "alguém cancela na maquininha",
		"POST /sim/lose":      "a maquininha perde o contato (action_required), até que pay, refuse ou cancel diga como terminou",
		"POST /sim/next":      `{"misbehaviour":"…","on":"…","times":1,"ms":0}: o que dará errado; on e o mais podem faltar`,
		"POST /sim/behave":    "esquece o que daria errado",
		"GET /sim/orders":     "as cobranças que podem ser pagas agora",
		"GET /sim/violations": "os pedidos que violaram uma regra da API",
		"misbehaviour":        misdeeds,
		"on":                  Repertoire.Calls,
	}
}
