package httpapi

import (
	"cmp"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/sale"
)

func (api *API) openSale(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsObject)
	if err != nil {
		return nil, err
	}
	given := readSession(f)
	if f.err() != nil {
		return nil, f.err()
	}
	var s sale.Session
	given.Apply(&s)
	if err := api.Sales.For(r.Context()).Open(s); err != nil {
		return nil, err
	}
	api.Screen.DismissClosing()
	api.Printing.ForgetWaiting(0)
	return done("Venda iniciada com sucesso")
}

func (api *API) editSale(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsObject)
	if err != nil {
		return nil, err
	}
	given := readSession(f)
	if err := cmp.Or(f.err(), given.Check()); err != nil {
		return nil, err
	}
	if err := api.Sales.For(r.Context()).Edit(given); err != nil {
		return nil, err
	}
	return done("Venda atualizada com sucesso")
}

// patch reads a field of a patch.
func patch[T any](f *fields, name string, read func(f *fields, name string, to *T), to *sale.Field[T]) {
	to.Given = f.has(name)
	read(f, name, &to.Value)
}

func readSession(f *fields) (p sale.SessionPatch) {
	patch(f, "customerDocument", (*fields).optionalLabel, &p.CustomerDocument)
	patch(f, "customerName", (*fields).optionalLabel, &p.CustomerName)
	patch(f, "sellerName", (*fields).optionalLabel, &p.SellerName)
	patch(f, "additionalInfo", (*fields).optionalNote, &p.AdditionalInfo)
	patch(f, "total", (*fields).optionalDecimal, &p.Total)
	return p
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
	f.textOr("id", &item.ID, "", longestLabel)
	given := readItem(f)
	if f.err() != nil {
		return nil, f.err()
	}
	given.Apply(&item)
	id, err := api.Sales.For(r.Context()).AddItem(item)
	if err != nil {
		return nil, err
	}
	return itemAnswer{"Item adicionado com sucesso", id}, nil
}

func (api *API) editItem(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	f.patching = true
	given := readItem(f)
	// What is wrong with the body is said before the item is looked for.
	if err := cmp.Or(f.err(), given.Check()); err != nil {
		return nil, err
	}
	id := pathID(r, "itemId")
	if _, err := api.Sales.For(r.Context()).EditItem(id, given); err != nil {
		return nil, err
	}
	return itemAnswer{"Item atualizado com sucesso", id}, nil
}

// readItem reads everything but the id, which only a new item brings along.
func readItem(f *fields) (p sale.ItemPatch) {
	patch(f, "code", (*fields).label, &p.Code)
	patch(f, "description", (*fields).label, &p.Description)
	patch(f, "canceled", func(f *fields, name string, to *bool) { f.flag(name, to, false) }, &p.Canceled)
	patch(f, "quantity", (*fields).decimal, &p.Quantity)
	patch(f, "unitPrice", (*fields).decimal, &p.UnitPrice)
	patch(f, "discount", (*fields).optionalDecimal, &p.Discount)
	patch(f, "addition", (*fields).optionalDecimal, &p.Addition)
	patch(f, "total", (*fields).decimal, &p.Total)
	patch(f, "additionalInfo", (*fields).optionalNote, &p.AdditionalInfo)
	return p
}

func (api *API) removeItem(r *http.Request) (any, error) {
	desk, id := api.Sales.For(r.Context()), pathID(r, "itemId")
	if id == everything {
		return cleared(desk, sale.Items, itemAnswer{"Item removido com sucesso", id})
	}
	if err := desk.RemoveItem(id); err != nil {
		return nil, err
	}
	return itemAnswer{"Item removido com sucesso", id}, nil
}

func (api *API) cancelItem(r *http.Request) (any, error) {
	id := pathID(r, "itemId")
	if err := api.Sales.For(r.Context()).CancelItem(id); err != nil {
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
	f.textOr("id", &p.ID, "", longestLabel)
	given := readPayment(f)
	if f.err() != nil {
		return nil, f.err()
	}
	given.Apply(&p)
	id, err := api.Sales.For(r.Context()).AddPayment(p)
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
	f.patching = true
	given := readPayment(f)
	if err := cmp.Or(f.err(), given.Check()); err != nil {
		return nil, err
	}
	id := pathID(r, "paymentId")
	if err := api.Sales.For(r.Context()).EditPayment(id, given); err != nil {
		return nil, err
	}
	return paymentAnswer{"Pagamento atualizado com sucesso", id}, nil
}

func readPayment(f *fields) (p sale.PaymentPatch) {
	var tPag sale.Field[*string]
	patch(f, "tPag", (*fields).optionalLabel, &tPag)
	p.Type = sale.Field[*sale.PaymentType]{Given: tPag.Given, Value: (*sale.PaymentType)(tPag.Value)}
	patch(f, "description", (*fields).optionalLabel, &p.Description)
	patch(f, "value", (*fields).decimal, &p.Value)
	patch(f, "additionalInfo", (*fields).optionalNote, &p.AdditionalInfo)
	return p
}

func (api *API) removePayment(r *http.Request) (any, error) {
	desk, id := api.Sales.For(r.Context()), pathID(r, "paymentId")
	if id == everything {
		return cleared(desk, sale.Payments, paymentAnswer{"Pagamento removido com sucesso", id})
	}
	if err := desk.RemovePayment(id); err != nil {
		return nil, err
	}
	return paymentAnswer{"Pagamento removido com sucesso", id}, nil
}

func (api *API) finalizeSale(r *http.Request) (any, error) {
	ending, err := api.readEnding(r)
	if err != nil {
		return nil, err
	}
	last, err := api.Sales.For(r.Context()).Finalize(ending)
	if err != nil {
		return nil, err
	}
	return ended{message{"Venda finalizada com sucesso"}, last.Number}, nil
}

func (api *API) cancelSale(r *http.Request) (any, error) {
	ending, err := api.readEnding(r)
	if err != nil {
		return nil, err
	}
	last, err := api.Sales.For(r.Context()).Cancel(ending)
	if err != nil {
		return nil, err
	}
	return ended{message{"Venda cancelada com sucesso"}, last.Number}, nil
}

func (api *API) readEnding(r *http.Request) (sale.Ending, error) {
	f, err := api.readFields(r, emptyIsObject)
	if err != nil {
		return sale.Ending{}, err
	}
	var e sale.Ending
	f.textOr("message", &e.Message, "", longestNote)
	f.flag("showMessage", &e.ShowMessage, true)
	f.flag("showCloseButton", &e.ShowCloseButton, true)
	f.textOr("buttonCloseText", &e.ButtonCloseText, "", longestLabel)
	f.milliseconds("messageInterval", &e.MessageInterval, 3*time.Second)
	_, asked := f.given("messageInterval")
	e.UsualInterval = !asked
	var result bool
	f.flag("showResultScreen", &result, true)
	e.ShowMessage = e.ShowMessage && result // there is one screen for both
	return e, f.err()
}
