package httpapi

import (
	"fmt"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/sale"
)

func (api *API) openSale(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsObject)
	if err != nil {
		return nil, err
	}
	var s sale.Session
	readSession(f, &s)
	if f.err() != nil {
		return nil, f.err()
	}
	if err := api.Sales.Open(s); err != nil {
		return nil, err
	}
	api.Screen.DismissClosing()
	return done("Venda iniciada com sucesso")
}

func (api *API) editSale(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsObject)
	if err != nil {
		return nil, err
	}
	if readSession(f, new(sale.Session)); f.err() != nil {
		return nil, f.err()
	}
	if err := api.Sales.Edit(func(s *sale.Session) { readSession(f, s) }); err != nil {
		return nil, err
	}
	return done("Venda atualizada com sucesso")
}

func readSession(f *fields, s *sale.Session) {
	f.optionalText("customerDocument", &s.CustomerDocument)
	f.optionalText("customerName", &s.CustomerName)
	f.optionalText("sellerName", &s.SellerName)
	f.optionalText("additionalInfo", &s.AdditionalInfo)
}

type itemAnswer struct {
	Message string `json:"message"`
	ItemID  string `json:"itemId"`
}

func (api *API) addItem(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	var item sale.Item
	f.textOr("id", &item.ID, "")
	if readItem(f, &item); f.err() != nil {
		return nil, f.err()
	}
	id, err := api.Sales.AddItem(item)
	if err != nil {
		return nil, err
	}
	item.ID = id
	api.warnOfTotal(item)
	return itemAnswer{"Item adicionado com sucesso", id}, nil
}

func (api *API) editItem(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	f.merging = true
	// What is wrong with the body is said before the item is looked for.
	probe := sale.Item{Quantity: money.Cent}
	if readItem(f, &probe); f.err() != nil {
		return nil, f.err()
	}
	if err := probe.Check(); err != nil {
		return nil, err
	}
	id := pathID(r, "itemId")
	item, err := api.Sales.EditItem(id, func(item *sale.Item) { readItem(f, item) })
	if err != nil {
		return nil, err
	}
	api.warnOfTotal(item)
	return itemAnswer{"Item atualizado com sucesso", id}, nil
}

// readItem reads everything but the id, which only a new item brings along.
func readItem(f *fields, i *sale.Item) {
	f.text("code", &i.Code)
	f.text("description", &i.Description)
	f.flag("canceled", &i.Canceled, false)
	f.decimal("quantity", &i.Quantity)
	f.decimal("unitPrice", &i.UnitPrice)
	f.optionalDecimal("discount", &i.Discount)
	f.optionalDecimal("addition", &i.Addition)
	f.decimal("total", &i.Total)
	f.optionalText("additionalInfo", &i.AdditionalInfo)
}

func (api *API) warnOfTotal(i sale.Item) {
	if i.Discrepancy().Cmp(money.Cent) > 0 {
		api.Logs.Add(logbook.Warning, logbook.App,
			fmt.Sprintf("item %s: o total %s difere em %s de quantidade × preço − desconto + acréscimo", i.ID, i.Total, i.Discrepancy()), "")
	}
}

func (api *API) removeItem(r *http.Request) (any, error) {
	id := pathID(r, "itemId")
	if err := api.Sales.RemoveItem(id); err != nil {
		return nil, err
	}
	return itemAnswer{"Item removido com sucesso", id}, nil
}

func (api *API) cancelItem(r *http.Request) (any, error) {
	id := pathID(r, "itemId")
	if err := api.Sales.CancelItem(id); err != nil {
		return nil, err
	}
	return itemAnswer{"Item cancelado com sucesso", id}, nil
}

type paymentAnswer struct {
	Message   string `json:"message"`
	PaymentID string `json:"paymentId"`
}

func (api *API) addPayment(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	var p sale.Payment
	f.textOr("id", &p.ID, "")
	if readPayment(f, &p); f.err() != nil {
		return nil, f.err()
	}
	id, err := api.Sales.AddPayment(p)
	if err != nil {
		return nil, err
	}
	return paymentAnswer{"Pagamento adicionado com sucesso", id}, nil
}

func (api *API) editPayment(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	f.merging = true
	var probe sale.Payment
	if readPayment(f, &probe); f.err() != nil {
		return nil, f.err()
	}
	if err := probe.Check(); err != nil {
		return nil, err
	}
	id := pathID(r, "paymentId")
	if err := api.Sales.EditPayment(id, func(p *sale.Payment) { readPayment(f, p) }); err != nil {
		return nil, err
	}
	return paymentAnswer{"Pagamento atualizado com sucesso", id}, nil
}

func readPayment(f *fields, p *sale.Payment) {
	tPag := (*string)(p.Type)
	f.optionalText("tPag", &tPag)
	p.Type = (*sale.PaymentType)(tPag)
	f.optionalText("description", &p.Description)
	f.decimal("value", &p.Value)
	f.optionalText("additionalInfo", &p.AdditionalInfo)
}

func (api *API) removePayment(r *http.Request) (any, error) {
	id := pathID(r, "paymentId")
	if err := api.Sales.RemovePayment(id); err != nil {
		return nil, err
	}
	return paymentAnswer{"Pagamento removido com sucesso", id}, nil
}

func (api *API) finalizeSale(r *http.Request) (any, error) {
	ending, err := api.readEnding(r)
	if err != nil {
		return nil, err
	}
	sold, err := api.Sales.Finalize(ending)
	if err != nil {
		return nil, err
	}
	if s := sold.Summary(); s.Paid.Cmp(s.Total) < 0 {
		api.Logs.Add(logbook.Warning, logbook.App, fmt.Sprintf("venda finalizada com pagamentos de %s para um total de %s", s.Paid, s.Total), "")
	}
	return done("Venda finalizada com sucesso")
}

func (api *API) cancelSale(r *http.Request) (any, error) {
	ending, err := api.readEnding(r)
	if err != nil {
		return nil, err
	}
	if _, err := api.Sales.Cancel(ending); err != nil {
		return nil, err
	}
	return done("Venda cancelada com sucesso")
}

func (api *API) readEnding(r *http.Request) (sale.Ending, error) {
	f, err := api.readFields(r, emptyIsObject)
	if err != nil {
		return sale.Ending{}, err
	}
	var e sale.Ending
	f.textOr("message", &e.Message, "")
	f.flag("showMessage", &e.ShowMessage, true)
	f.flag("showCloseButton", &e.ShowCloseButton, true)
	f.textOr("buttonCloseText", &e.ButtonCloseText, "")
	f.milliseconds("messageInterval", &e.MessageInterval, 3*time.Second)
	return e, f.err()
}

// saleBody is the open sale as GET /sale and the emulator's screen show it.
type saleBody struct {
	Sale     sessionBody   `json:"sale"`
	Items    []itemBody    `json:"items"`
	Payments []paymentBody `json:"payments"`
	Summary  summaryBody   `json:"summary"`
}

type sessionBody struct {
	CustomerDocument *string `json:"customerDocument"`
	CustomerName     *string `json:"customerName"`
	SellerName       *string `json:"sellerName"`
	AdditionalInfo   *string `json:"additionalInfo"`
	OpenedAt         stamp   `json:"openedAt"`
}

type itemBody struct {
	ID             string         `json:"id"`
	Code           string         `json:"code"`
	Description    string         `json:"description"`
	Canceled       bool           `json:"canceled"`
	Quantity       money.Decimal  `json:"quantity"`
	UnitPrice      money.Decimal  `json:"unitPrice"`
	Discount       *money.Decimal `json:"discount"`
	Addition       *money.Decimal `json:"addition"`
	Total          money.Decimal  `json:"total"`
	AdditionalInfo *string        `json:"additionalInfo"`
}

type paymentBody struct {
	ID             string            `json:"id"`
	TPag           *sale.PaymentType `json:"tPag"`
	Description    *string           `json:"description"`
	Value          money.Decimal     `json:"value"`
	AdditionalInfo *string           `json:"additionalInfo"`
}

type summaryBody struct {
	Subtotal  money.Decimal `json:"subtotal"`
	Discount  money.Decimal `json:"discount"`
	Addition  money.Decimal `json:"addition"`
	Total     money.Decimal `json:"total"`
	Paid      money.Decimal `json:"paid"`
	Change    money.Decimal `json:"change"`
	ItemCount int           `json:"itemCount"`
}

func (api *API) getSale(*http.Request) (any, error) {
	v, err := api.Sales.Current()
	if err != nil {
		return nil, err
	}
	return saleOf(v), nil
}

func saleOf(v sale.View) saleBody {
	s, sum := v.Session, v.Summary()
	body := saleBody{
		Sale:     sessionBody{s.CustomerDocument, s.CustomerName, s.SellerName, s.AdditionalInfo, stampOf(v.OpenedAt)},
		Items:    make([]itemBody, len(v.Items)),
		Payments: make([]paymentBody, len(v.Payments)),
		Summary:  summaryBody{sum.Subtotal, sum.Discount, sum.Addition, sum.Total, sum.Paid, sum.Change, sum.ItemCount},
	}
	for i, item := range v.Items {
		body.Items[i] = itemBody(item)
	}
	for i, p := range v.Payments {
		body.Payments[i] = paymentBody{p.ID, p.Type, p.Description, p.Value, p.AdditionalInfo}
	}
	return body
}
