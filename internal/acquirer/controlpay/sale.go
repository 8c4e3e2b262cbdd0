package controlpay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// state is where a sale is, as ControlPay numbers it.
type state int

// Those of its documents; both of cancelling lead back to credited or on to cancelled.
const (
	pending         state = 5
	inPayment       state = 6
	credited        state = 10
	expired         state = 15
	startCancelling state = 18
	cancelling      state = 19
	cancelled       state = 20
	refused         state = 25
)

// open tells that something will still happen to the sale by itself.
func (s state) open() bool {
	return s == pending || s == inPayment || s == startCancelling || s == cancelling
}

func (s state) known() bool {
	return s.open() || s == credited || s == expired || s == cancelled || s == refused
}

// sale is one as ControlPay tells it.
type sale struct {
	id        int64
	reference string
	amount    money.Decimal
	state     state
	payments  []external // what the terminal did about it, oldest first
}

// external is one operation at the terminal. Its answer is the text of a file exchange.
type external struct {
	NSU           string `json:"nsuTid"`
	Authorization string `json:"autorizacao"`
	Network       string `json:"adquirente"`
	Answer        string `json:"respostaAdquirente"`
}

type saleJSON struct {
	ID        int64       `json:"id"`
	Reference string      `json:"referencia"`
	Amount    json.Number `json:"valorFinal"`
	State     struct {
		ID state `json:"id"`
	} `json:"intencaoVendaStatus"`
	Payments []external `json:"pagamentosExternos"`
}

// parse reads a sale. What it can't make sense of is an error: nothing is guessed where money is concerned.
func (j saleJSON) parse() (sale, error) {
	s := sale{id: j.ID, reference: j.Reference, state: j.State.ID, payments: j.Payments}
	switch {
	case s.id <= 0:
		return sale{}, errors.New("a sale without an id")
	case !s.state.known():
		return sale{}, fmt.Errorf("a sale in the unknown state %d", s.state)
	}
	var err error
	if s.amount, err = money.Parse(j.Amount.String()); err != nil {
		return sale{}, fmt.Errorf("a sale of %q", remote.Tidy(j.Amount.String()))
	}
	return s, nil
}

func parseSale(raw []byte) (sale, error) {
	var j struct {
		Sale *saleJSON `json:"intencaoVenda"`
	}
	if err := json.Unmarshal(raw, &j); err != nil || j.Sale == nil {
		return sale{}, errors.Join(errors.New("reading the sale"), err)
	}
	return j.Sale.parse()
}

// newSale is the body that asks for a sale.
type newSale struct {
	Method       int    `json:"formaPagamentoId"`
	Terminal     int    `json:"terminalId"`
	Reference    string `json:"referencia"`
	Start        bool   `json:"iniciarTransacaoAutomaticamente"`
	InFull       bool   `json:"aVista"`
	ByIssuer     bool   `json:"parcelamentoAdmin"`
	Installments int    `json:"quantidadeParcelas"`
	Amount       string `json:"valorTotalVendido"`
}

// methods are ControlPay's numbers.
var methods = map[payment.Method]int{payment.Credit: 21, payment.Debit: 22}

// sell asks for the sale of an attempt, once.
func (a *Acquirer) sell(ctx context.Context, t payment.Transaction) (sale, error) {
	r := t.Request
	a.noteSent()
	raw, err := a.client.call(ctx, 1, a.Reference(t), "Venda/Vender", nil, newSale{
		Method: methods[r.Method], Terminal: a.config.Terminal, Reference: a.Reference(t), Start: true,
		InFull: r.Installments <= 1, ByIssuer: r.Plan == payment.Buyer, Installments: r.Installments, Amount: r.Amount.Reais(),
	})
	a.noteSent() // it may have taken its time
	if err != nil {
		return sale{}, err
	}
	return parseSale(raw)
}

// see looks a sale up by its id.
func (a *Acquirer) see(ctx context.Context, id int64, tries int) (sale, error) {
	raw, err := a.client.call(ctx, tries, strconv.FormatInt(id, 10), "IntencaoVenda/GetById", url.Values{"intencaoVendaId": {strconv.FormatInt(id, 10)}}, struct{}{})
	if err != nil {
		return sale{}, err
	}
	s, err := parseSale(raw)
	if err == nil && s.id != id {
		err = fmt.Errorf("the answer is another sale: %d", s.id)
	}
	return s, err
}

// What a lookup by our reference can end with. errMayLand is no certainty yet.
var (
	errNoSale  = errors.New("no sale was made")
	errMayLand = errors.New("the request for the sale may still be on its way")
	errTwice   = errors.New("there are several sales of one reference")
	errNoList  = errors.New("reading the list of sales")
)

// find looks the sale of an attempt up by our reference.
func (a *Acquirer) find(ctx context.Context, t payment.Transaction) (sale, error) {
	late := a.mayLand() // before it is looked for: what comes meanwhile may be missed
	raw, err := a.client.call(ctx, remote.MaxTries, a.Reference(t), "IntencaoVenda/GetByFiltros", nil, map[string]string{"referencia": a.Reference(t)})
	if err != nil {
		return sale{}, err
	}
	var list struct {
		Sales *[]saleJSON `json:"intencoesVendas"`
	}
	if err := json.Unmarshal(raw, &list); err != nil || list.Sales == nil {
		return sale{}, errors.Join(errNoList, err)
	}
	var found []sale
	for _, j := range *list.Sales {
		if j.Reference != a.Reference(t) {
			continue // a filter that was not understood
		}
		s, err := j.parse()
		if err != nil {
			return sale{}, err
		}
		found = append(found, s)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return sale{}, errTwice
	case late:
		return sale{}, errMayLand
	}
	return sale{}, errNoSale
}
