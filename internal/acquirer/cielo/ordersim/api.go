package ordersim

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/portuguese"
)

type request = httpsim.Request[Event]

func (a *Account) routes() []httpsim.Route[Event] {
	of := func(path string) *regexp.Regexp { return regexp.MustCompile("^" + Base + path + "$") }
	one := of(`/orders/([^/]+)`)
	return []httpsim.Route[Event]{
		{Call: OnCreate, Method: http.MethodPost, Path: of(`/orders()`), Serve: a.create},
		{Call: OnSearch, Method: http.MethodGet, Path: of(`/orders()/?`), Serve: a.search},
		{Call: OnSee, Method: http.MethodGet, Path: one, Serve: a.about(a.see)},
		{Call: OnPlace, Method: http.MethodPut, Path: one, Query: "operation=PLACE", Serve: a.about(a.place)},
		{Call: OnClose, Method: http.MethodPut, Path: one, Query: "operation=CLOSE", Serve: a.about(a.close)},
		{Call: OnDelete, Method: http.MethodDelete, Path: one, Serve: a.about(a.remove)},
		{Call: OnTransactions, Method: http.MethodGet, Path: of(`/orders/([^/]+)/transactions`), Serve: a.about(a.list)},
		{Call: OnPay, Method: http.MethodPost, Path: of(`/orders/([^/]+)/transactions`), Serve: a.about(a.play), Played: true},
	}
}

// admit holds a request to the rules of all calls.
func (a *Account) admit(r *request) *httpsim.Reply {
	var no httpsim.Reply
	same := func(header, want string) bool {
		return subtle.ConstantTimeCompare([]byte(r.Header.Get(header)), []byte(want)) == 1
	}
	switch {
	case !same("Client-Id", a.config.ClientID) || !same("Access-Token", a.config.Token):
		no = a.bad(r, http.StatusUnauthorized, "Client-Id ou Access-Token não é o desta conta")
	case !same("Merchant-Id", a.config.Merchant):
		no = a.bad(r, http.StatusForbidden, "Merchant-Id não é o desta conta")
	case r.Method != http.MethodPost && len(r.Body) > 0:
		no = a.bad(r, http.StatusBadRequest, "a chamada não tem corpo")
	default:
		return nil
	}
	return &no
}

func (a *Account) lost(r *request) httpsim.Reply {
	return a.bad(r, http.StatusNotFound, "o caminho, o método ou a operação não existe")
}

// bad refuses a request that breaks a rule, and keeps that for the tests.
func (a *Account) bad(r *request, status int, why string) httpsim.Reply {
	_ = a.happen(Event{Kind: Violated, Note: fmt.Sprintf("%s %s: %s", r.Method, r.URL.Path, why)}) // refused all the same
	return problem(status, why)
}

// problem is an error; in which form the real one says it, nobody tells.
func problem(status int, detail string) httpsim.Reply {
	return httpsim.Reply{Status: status, Body: map[string]any{"code": fmt.Sprint(status), "message": detail}, Why: detail}
}

// broken is the simulator's own fault.
func broken(err error) httpsim.Reply {
	return problem(http.StatusInternalServerError, portuguese.Error(err))
}

// done is the answer of what has nothing to tell.
var done = httpsim.Reply{Status: http.StatusOK}

// stateOf is the order's that an answer tells of.
func stateOf(answer httpsim.Reply) string {
	j, _ := answer.Body.(map[string]any)
	state, _ := j["status"].(string)
	return state
}

// about is a call about an order, as it is by now.
func (a *Account) about(serve func(*request, *order) httpsim.Reply) func(*request) httpsim.Reply {
	return func(r *request) httpsim.Reply {
		o := a.orders[r.ID]
		if o == nil || o.deleted {
			return problem(http.StatusNotFound, "não há pedido com este id")
		}
		if err := a.mature(o); err != nil {
			return broken(err)
		}
		return serve(r, o)
	}
}

type newOrder struct {
	Number    string `json:"number"`
	Reference string `json:"reference"`
	Code      string `json:"payment_code"`
	Status    string `json:"status"`
	Notes     string `json:"notes"`
	Price     int64  `json:"price"`
	Items     []struct {
		SKU      string `json:"sku"`
		Name     string `json:"name"`
		Price    int64  `json:"unit_price"`
		Quantity int64  `json:"quantity"`
		Unit     string `json:"unit_of_measure"`
	} `json:"items"`
}

var codes = []string{"", "DEBITO_AVISTA", "CREDITO_AVISTA", "CREDITO_PARCELADO_LOJA", "CREDITO_PARCELADO_ADM", "PIX"}

// wrong says which rule a new order breaks; empty: none.
func (n newOrder) wrong() string {
	sum := int64(0)
	for _, i := range n.Items {
		if i.SKU == "" || i.Unit != "EACH" || i.Price <= 0 || i.Quantity <= 0 {
			return "cada item tem sku, unit_price, quantity e unit_of_measure"
		}
		sum += i.Price * i.Quantity
	}
	switch {
	case n.Status != draft:
		return "um pedido começa como DRAFT"
	case len(n.Items) == 0:
		return "um pedido tem ao menos um item"
	case n.Price <= 0 || n.Price != sum:
		return "price é a soma dos itens, em centavos"
	case n.Number == "" || len(n.Number) > 36 || len(n.Reference) > 64 || len(n.Notes) > 255:
		return "number, reference ou notes longo demais, ou sem number"
	case !slices.Contains(codes, n.Code):
		return "payment_code não existe"
	}
	return ""
}

func (a *Account) create(r *request) httpsim.Reply {
	var n newOrder
	if err := httpsim.Decode(r.Body, &n); err != nil {
		return a.bad(r, http.StatusBadRequest, err.Error())
	}
	if wrong := n.wrong(); wrong != "" {
		return a.bad(r, http.StatusUnprocessableEntity, wrong)
	}
	made := Event{Kind: Made, Order: uuid.NewString(), Number: n.Number, Ref: n.Reference, Code: n.Code, Cents: n.Price}
	if err := a.happen(made); err != nil {
		return broken(err)
	}
	return httpsim.Reply{Status: http.StatusCreated, Body: map[string]any{"id": made.Order}}
}

func (a *Account) search(r *request) httpsim.Reply {
	found := []any{}
	for _, o := range a.inTurn {
		q := r.URL.Query()
		if o.deleted || q.Has("number") && q.Get("number") != o.made.Number || q.Has("reference") && q.Get("reference") != o.made.Ref {
			continue
		}
		if err := a.mature(o); err != nil {
			return broken(err)
		}
		found = append(found, o.json())
	}
	return httpsim.Reply{Status: http.StatusOK, Body: found}
}

func (a *Account) see(_ *request, o *order) httpsim.Reply {
	return httpsim.Reply{Status: http.StatusOK, Body: o.json()}
}

func (a *Account) list(_ *request, o *order) httpsim.Reply {
	return httpsim.Reply{Status: http.StatusOK, Body: o.transactions()}
}

func (a *Account) place(_ *request, o *order) httpsim.Reply {
	switch {
	case o.status != draft && a.config.Strict:
		return problem(http.StatusBadRequest, "o pedido está "+o.status)
	case o.status != draft:
		return done
	}
	if err := a.move(o, entered); err != nil {
		return broken(err)
	}
	a.attend(o)
	return done
}

func (a *Account) close(r *request, o *order) httpsim.Reply {
	switch r.Misbehaviour.Kind {
	case DeviceKeeps:
		return problem(http.StatusBadRequest, "o pedido está em uso numa maquininha")
	case PaidBefore:
		if o.open() {
			if err := a.pay(o, o.remaining(), time.Time{}); err != nil {
				return broken(err)
			}
		}
	}
	switch {
	case o.status == draft:
		return a.bad(r, http.StatusBadRequest, "um rascunho não se fecha: exclui-se")
	case o.status == closed && a.config.Strict, o.status == canceled:
		return problem(http.StatusBadRequest, "o pedido está "+o.status)
	case o.status == closed:
		return done
	}
	rest := o.remaining()
	if err := a.move(o, closed); err != nil {
		return broken(err)
	}
	if r.Misbehaviour.Kind == PaidAfter && rest > 0 {
		a.Later(r.Misbehaviour.Delay, func() { _ = a.pay(o, rest, time.Time{}) }) // the disk: then it was not paid
	}
	return done
}

func (a *Account) remove(_ *request, o *order) httpsim.Reply {
	if o.status != draft {
		return problem(http.StatusBadRequest, "só um rascunho pode ser excluído: o pedido está "+o.status)
	}
	if err := a.happen(Event{Kind: Deleted, Order: o.made.Order}); err != nil {
		return broken(err)
	}
	return done
}

// play is the published sandbox: it adds a payment without a device.
func (a *Account) play(r *request, o *order) httpsim.Reply {
	var t struct {
		External string         `json:"external_id"`
		Status   string         `json:"status"`
		Terminal string         `json:"terminal_number"`
		Auth     string         `json:"authorization_code"`
		Number   string         `json:"number"`
		Amount   int64          `json:"amount"`
		Type     string         `json:"transaction_type"`
		Fields   map[string]any `json:"paymentFields"`
		Card     map[string]any `json:"card"`
	}
	if err := httpsim.Decode(r.Body, &t); err != nil {
		return a.bad(r, http.StatusBadRequest, err.Error())
	}
	switch {
	case t.Status != confirmed || t.Type != "PAYMENT" || t.Amount <= 0:
		return a.bad(r, http.StatusUnprocessableEntity, "só um pagamento confirmado pode ser acrescentado")
	case !o.open() || t.Amount > o.remaining():
		return problem(http.StatusBadRequest, "o pedido não aceita este pagamento")
	}
	if err := a.pay(o, t.Amount, time.Time{}); err != nil {
		return broken(err)
	}
	return httpsim.Reply{Status: http.StatusCreated, Body: map[string]any{"id": o.payments[len(o.payments)-1].ID}}
}
