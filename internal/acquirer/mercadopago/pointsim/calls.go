package pointsim

import (
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

type newOrder struct {
	Type         string `json:"type"`
	Reference    string `json:"external_reference"`
	Expiry       string `json:"expiration_time"`
	Description  string `json:"description"`
	Transactions struct {
		Payments []struct {
			Amount string `json:"amount"`
		} `json:"payments"`
	} `json:"transactions"`
	Config struct {
		Point struct {
			Device       string `json:"terminal_id"`
			Print        string `json:"print_on_terminal"`
			TicketNumber string `json:"ticket_number"`
		} `json:"point"`
		Method struct {
			Type         string `json:"default_type"`
			Installments int    `json:"default_installments"`
			Cost         string `json:"installments_cost"`
		} `json:"payment_method"`
	} `json:"config"`
}

var (
	referencePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	amountPattern    = regexp.MustCompile(`^\d{1,10}\.\d{2}$`)
	expiryPattern    = regexp.MustCompile(`^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$`)
	printings        = map[string]bool{"": true, "no_ticket": true, "seller_ticket": true}
	kinds            = map[string]bool{"": true, "credit_card": true, "debit_card": true, "voucher_card": true, "qr": true, "any": true}
	costs            = map[string]bool{"": true, "seller": true, "buyer": true}
)

// life is how long the order may wait, in seconds; 0: that can't be read.
func (n newOrder) life() int {
	if n.Expiry == "" {
		return 15 * 60
	}
	parts := expiryPattern.FindStringSubmatch(n.Expiry)
	if parts == nil {
		return 0
	}
	seconds := 0
	for i, each := range []int{3600, 60, 1} {
		count, _ := strconv.Atoi(parts[i+1]) // none: 0
		seconds += count * each
	}
	return seconds
}

// wrong is the first rule that the body breaks.
func (n newOrder) wrong() string {
	switch {
	case n.Type != "point":
		return "type não é point"
	case !referencePattern.MatchString(n.Reference):
		return "external_reference não é [A-Za-z0-9_-]{1,64}"
	case n.life() < 30 || n.life() > 3*3600:
		return "expiration_time fora dos limites"
	case utf8.RuneCountInString(n.Description) > 150:
		return "description longa demais"
	case len(n.Transactions.Payments) != 1:
		return "deve haver exatamente um pagamento"
	case !amountPattern.MatchString(n.Transactions.Payments[0].Amount) || money.MustParse(n.Transactions.Payments[0].Amount).Sign() == 0:
		return "amount não é um valor"
	case !printings[n.Config.Point.Print]:
		return "print_on_terminal desconhecido"
	case !kinds[n.Config.Method.Type] || !costs[n.Config.Method.Cost] || n.Config.Method.Installments < 0:
		return "payment_method desconhecido"
	case n.Config.Method.Type != "credit_card" && n.Config.Method.Installments > 0:
		return "parcelas só valem para credit_card"
	}
	return ""
}

func (a *Account) createOrder(r *request) httpsim.Reply {
	e, known, no := a.before(r)
	switch {
	case no != nil:
		return *no
	case known:
		return a.tell(http.StatusCreated, a.orders[e.Order])
	}
	var body newOrder
	if err := httpsim.Decode(r.Body, &body); err != nil {
		return a.bad(r, http.StatusBadRequest, "invalid_payload", err.Error())
	}
	if wrong := body.wrong(); wrong != "" {
		return a.bad(r, http.StatusBadRequest, "property_value", wrong)
	}
	if body.Config.Point.Device != a.config.Device {
		return problem(http.StatusForbidden, "forbidden_checking_device_owner", "a maquininha não é desta conta")
	}
	for _, o := range a.inTurn {
		if err := a.mature(o); err != nil {
			return broken(err)
		}
		if o.open() {
			return problem(http.StatusConflict, "already_queued_order_for_terminal", "a maquininha já tem uma cobrança")
		}
	}
	made := Event{
		Kind: Made, Order: newID("ORD"), Payment: newID("PAY"), Reference: body.Reference, Amount: body.Transactions.Payments[0].Amount,
		Expiry: body.life(), Status: created, Detail: created, Type: body.Config.Method.Type, Times: body.Config.Method.Installments, Key: key(r), Sum: sum(r),
	}
	if err := a.happen(made); err != nil {
		return broken(err)
	}
	return a.tell(http.StatusCreated, a.orders[made.Order])
}

// tell is an order as it is by now.
func (a *Account) tell(status int, o *order) httpsim.Reply {
	if err := a.mature(o); err != nil {
		return broken(err)
	}
	return httpsim.Reply{Status: status, Body: o.json()}
}

// find is the order of a request, or the reply that there is none.
func (a *Account) find(r *request) (*order, *httpsim.Reply) {
	o := a.orders[r.ID]
	if o == nil {
		none := problem(http.StatusNotFound, "order_not_found", "não há cobrança com este id")
		return nil, &none
	}
	if err := a.mature(o); err != nil {
		none := broken(err)
		return nil, &none
	}
	return o, nil
}

func (a *Account) seeOrder(r *request) httpsim.Reply {
	o, none := a.find(r)
	if none != nil {
		return *none
	}
	return httpsim.Reply{Status: http.StatusOK, Body: o.json()}
}

func (a *Account) searchOrders(r *request) httpsim.Reply {
	q := r.URL.Query()
	begin, err := time.Parse(time.RFC3339, q.Get("begin_date"))
	end, err2 := time.Parse(time.RFC3339, q.Get("end_date"))
	switch {
	case a.config.NoSearch:
		return problem(http.StatusNotFound, "not_found", "a lista não existe")
	case err != nil || err2 != nil:
		return a.bad(r, http.StatusBadRequest, "missing_required_params", "faltam begin_date e end_date")
	}
	found := []any{}
	for _, o := range a.inTurn {
		if at := o.made.At; at.Before(begin) || at.After(end) || q.Get("external_reference") != o.made.Reference {
			continue
		}
		if err := a.mature(o); err != nil {
			return broken(err)
		}
		found = append(found, o.json())
	}
	return httpsim.Reply{Status: http.StatusOK, Body: map[string]any{"data": found, "paging": map[string]any{"total": len(found)}}}
}

func (a *Account) cancelOrder(r *request) httpsim.Reply {
	o, none := a.find(r)
	switch {
	case none != nil:
		return *none
	case len(r.Body) > 0:
		return a.bad(r, http.StatusBadRequest, "bad_request", "o cancelamento não tem corpo")
	case o.now.Status == created, o.now.Status == atTerminal && r.Header.Get("X-Allow-Cancelable-Status") == atTerminal:
		if err := a.move(o, canceled, "canceled_by_api"); err != nil {
			return broken(err)
		}
		return httpsim.Reply{Status: http.StatusOK, Body: o.json()}
	}
	return problem(http.StatusConflict, "cannot_cancel_order", "a cobrança está "+o.now.Status)
}

// playEvent is the published simulation: it ends an order without a device.
func (a *Account) playEvent(r *request) httpsim.Reply {
	o, none := a.find(r)
	if none != nil {
		return *none
	}
	var how ending
	if err := httpsim.Decode(r.Body, &how); err != nil {
		return a.bad(r, http.StatusBadRequest, "invalid_payload", err.Error())
	}
	switch err := a.end(o, how); {
	case errors.Is(err, ErrOver):
		return problem(http.StatusConflict, "invalid_order_status", err.Error())
	case err != nil:
		return problem(http.StatusBadRequest, "property_value", err.Error())
	}
	return httpsim.Reply{Status: http.StatusNoContent}
}

func (a *Account) listDevices(*request) httpsim.Reply {
	return httpsim.Reply{Status: http.StatusOK, Body: map[string]any{
		"data": map[string]any{"terminals": []map[string]any{{"id": a.config.Device, "pos_id": 1, "store_id": "1", "operating_mode": a.config.Mode}}},
	}}
}
