package pixsim

import (
	"errors"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// control has the customers and the PSP's own deeds, besides what every simulator has.
//
//	POST /sim/pay[/{txid}]   {"valor"?, "late"?, "times"?}   a customer pays, by default the oldest charge
//	POST /sim/remove/{txid}                                  the PSP removes the charge
//	GET  /sim/charges                                        the txids that can be paid now
func (b *Bank) control() httpsim.Control {
	return httpsim.Control{
		Whims: b.whims, Violations: b.Violations, Missing: []error{ErrNoCharge}, Conflicts: []error{ErrNotActive, ErrNotPaid},
		Commands: map[string]httpsim.Command{
			"POST pay": func(txid string, body []byte) (any, error) {
				e2eid, err := b.payAsTold(txid, body)
				return map[string]string{"endToEndId": e2eid}, err
			},
			"POST remove": func(txid string, _ []byte) (any, error) { return httpsim.Done, b.Remove(txid) },
			"GET charges": func(string, []byte) (any, error) {
				return map[string][]string{"charges": append([]string{}, b.Active()...)}, nil
			},
		},
		Manual: map[string]string{
			"POST /sim/pay":           "um cliente paga a cobrança mais antiga",
			"POST /sim/pay/{txid}":    `ou esta; {"valor":"9.99"} paga outro valor, {"times":2} duas vezes, {"late":true} mesmo expirada ou retirada`,
			"POST /sim/remove/{txid}": "o PSP remove a cobrança",
			"GET /sim/charges":        "as cobranças que podem ser pagas agora",
		},
	}
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
