package paysim

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// Exchange is one request and what became of it, for whoever looks on.
type Exchange = httpsim.Exchange[Event]

type request = httpsim.Request[Event]

// The calls of the API, and the customer.
const (
	OnSell   httpsim.Call = "sell"
	OnSee    httpsim.Call = "see"
	OnSearch httpsim.Call = "search"
	OnCancel httpsim.Call = "cancel"
	OnPay    httpsim.Call = "pay" // no call of the API: a customer
)

// What only this simulator does wrong.
const (
	CancelRefused httpsim.Misdeed = "cancel-refused"
	CancelSlowly  httpsim.Misdeed = "cancel-slowly"
	CardRefused   httpsim.Misdeed = "card-refused"
	CalledOff     httpsim.Misdeed = "called-off"
	NeverPaid     httpsim.Misdeed = "never-paid"
	OtherAmount   httpsim.Misdeed = "other-amount"
)

// Repertoire is all that can go wrong.
var Repertoire = httpsim.Repertoire{
	Calls: []httpsim.Call{OnSell, OnSee, OnSearch, OnCancel, OnPay}, People: OnPay, Spared: "none",
	Own: []httpsim.Own{
		{Kind: CancelRefused, Only: OnCancel, Meaning: "a rede não faz o estorno"},
		{Kind: CancelSlowly, Only: OnCancel, Meaning: "estorno em andamento no terminal por ms milissegundos, depois feito"},
		{Kind: CardRefused, Only: OnPay, Meaning: "o emissor recusa o cartão"},
		{Kind: CalledOff, Only: OnPay, Meaning: "o cliente cancela no terminal"},
		{Kind: NeverPaid, Only: OnPay, Meaning: "o cliente vai embora"},
		{Kind: OtherAmount, Only: OnPay, Rare: true, Meaning: "o terminal cobra um real a mais"},
	},
}

var (
	cancelsOnly = []httpsim.Misdeed{CancelRefused, CancelSlowly}
	payersOnly  = []httpsim.Misdeed{CardRefused, CalledOff, NeverPaid, OtherAmount}
)

// routes are the calls of the API; all are POST.
func (a *Account) routes() []httpsim.Route[Event] {
	route := func(call httpsim.Call, path string, serve func(*request) httpsim.Reply) httpsim.Route[Event] {
		return httpsim.Route[Event]{Call: call, Method: http.MethodPost, Path: regexp.MustCompile("^" + path + "()/?$"), Serve: serve}
	}
	return []httpsim.Route[Event]{
		route(OnSell, "/Venda/Vender", a.sell), route(OnCancel, "/Venda/CancelarVenda", a.cancel),
		route(OnSee, "/IntencaoVenda/GetById", a.see), route(OnSearch, "/IntencaoVenda/GetByFiltros", a.search),
	}
}

// admit holds a request to the rules of all calls, and has happen by now what was to.
func (a *Account) admit(r *request) *httpsim.Reply {
	var no httpsim.Reply
	switch {
	case subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("key")), []byte(a.config.Key)) != 1:
		no = a.bad(r, http.StatusUnauthorized, "a chave não é a desta conta")
		return &no
	case !strings.Contains(r.Header.Get("User-Agent"), "/"):
		no = a.bad(r, http.StatusBadRequest, "o User-Agent não diz nome e versão")
		return &no
	}
	for _, s := range a.inTurn {
		if err := a.mature(s); err != nil {
			no = broken(err)
			return &no
		}
	}
	return nil
}

func (a *Account) lost(r *request) httpsim.Reply {
	return a.bad(r, http.StatusNotFound, "o caminho ou o método não existe")
}

// stateOf: who looks on is told of sales by their events.
func stateOf(httpsim.Reply) string { return "" }

// bad refuses a request that breaks a rule, and keeps that for the tests.
func (a *Account) bad(r *request, status int, why string) httpsim.Reply {
	_ = a.happen(Event{Kind: Violated, Note: fmt.Sprintf("%s %s: %s", r.Method, r.URL.Path, why)}) // refused all the same
	return problem(status, why)
}

// problem is an error as the API has it.
func problem(status int, detail string) httpsim.Reply {
	return httpsim.Reply{Status: status, Body: map[string]any{"message": detail}, Why: detail}
}

// broken is the simulator's own fault.
func broken(err error) httpsim.Reply {
	return problem(http.StatusInternalServerError, portuguese.Error(err))
}

func (a *Account) see(r *request) httpsim.Reply {
	id, err := strconv.ParseInt(r.URL.Query().Get("intencaoVendaId"), 10, 64)
	if err != nil {
		return a.bad(r, http.StatusBadRequest, "intencaoVendaId não é um número")
	}
	s := a.sales[id]
	if s == nil {
		return problem(http.StatusNotFound, "não há venda com este id")
	}
	return told(s)
}

func (a *Account) search(r *request) httpsim.Reply {
	var filter struct {
		Reference string `json:"referencia"`
	}
	if err := httpsim.Decode(r.Body, &filter); err != nil || filter.Reference == "" {
		return a.bad(r, http.StatusBadRequest, "falta a referencia")
	}
	found := []any{}
	for _, s := range a.inTurn {
		if s.made.Reference == filter.Reference {
			found = append(found, s.json())
		}
	}
	return httpsim.Reply{Status: http.StatusOK, Body: map[string]any{"intencoesVendas": found}}
}

func told(s *sale) httpsim.Reply {
	return httpsim.Reply{Status: http.StatusOK, Body: map[string]any{"intencaoVenda": s.json()}}
}
