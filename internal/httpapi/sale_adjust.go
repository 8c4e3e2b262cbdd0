package httpapi

import (
	"net/http"

	"github.com/maquininha/maquininha/internal/sale"
)

// adjustments are the discounts or the additions of a sale, which differ in nothing but their words.
type adjustments struct {
	list   sale.List
	id     string // in paths and answers
	word   string
	answer func(message, id string) any
}

type discountAnswer struct {
	Message    string `json:"message"`
	DiscountID string `json:"discountId"`
}

type additionAnswer struct {
	Message    string `json:"message"`
	AdditionID string `json:"additionId"`
}

var (
	discounts = adjustments{sale.Discounts, "discountId", "Desconto", func(message, id string) any { return discountAnswer{message, id} }}
	additions = adjustments{sale.Additions, "additionId", "Acréscimo", func(message, id string) any { return additionAnswer{message, id} }}
)

func (a adjustments) add(api *API) handler {
	return func(r *http.Request) (any, error) {
		f, err := api.readFields(r, emptyIsFault)
		if err != nil {
			return nil, err
		}
		var given sale.Adjustment
		f.textOr("id", &given.ID, "", longestLabel)
		readAdjustment(f).Apply(&given)
		if f.err() != nil {
			return nil, f.err()
		}
		id, err := api.Sales.For(r.Context()).AddAdjustment(a.list, given)
		if err != nil {
			return nil, err
		}
		return a.answer(a.word+" adicionado com sucesso", id), nil
	}
}

func (a adjustments) edit(api *API) handler {
	return func(r *http.Request) (any, error) {
		f, err := api.readFields(r, emptyIsFault)
		if err != nil {
			return nil, err
		}
		f.patching = true
		given := readAdjustment(f)
		if f.err() != nil {
			return nil, f.err()
		}
		id := pathID(r, a.id)
		if err := api.Sales.For(r.Context()).EditAdjustment(a.list, id, given); err != nil {
			return nil, err
		}
		return a.answer(a.word+" atualizado com sucesso", id), nil
	}
}

func (a adjustments) remove(api *API) handler {
	return func(r *http.Request) (any, error) {
		desk, id := api.Sales.For(r.Context()), pathID(r, a.id)
		gone := a.answer(a.word+" removido com sucesso", id)
		if id == everything {
			return cleared(desk, a.list, gone)
		}
		if err := desk.RemoveAdjustment(a.list, id); err != nil {
			return nil, err
		}
		return gone, nil
	}
}

// readAdjustment reads everything but the id, which only a new one brings along.
func readAdjustment(f *fields) (p sale.AdjustmentPatch) {
	patch(f, "description", (*fields).optionalLabel, &p.Description)
	patch(f, "value", (*fields).decimal, &p.Value)
	patch(f, "additionalInfo", (*fields).optionalNote, &p.AdditionalInfo)
	return p
}

// everything is the last part of the paths that empty a list.
const everything = "clear"

var clearedTexts = map[sale.List]string{
	sale.Items: "Itens removidos com sucesso", sale.Payments: "Pagamentos removidos com sucesso",
	sale.Discounts: "Descontos removidos com sucesso", sale.Additions: "Acréscimos removidos com sucesso",
}

// cleared empties a list; where a line has that word for its id, it is taken out, and the answer is the given one.
func cleared(desk *sale.Desk, list sale.List, one any) (any, error) {
	all, err := desk.Clear(list)
	switch {
	case err != nil:
		return nil, err
	case all:
		return done(clearedTexts[list])
	}
	return one, nil
}

func (api *API) clearSale(r *http.Request) (any, error) {
	if err := api.Sales.For(r.Context()).ClearAll(); err != nil {
		return nil, err
	}
	return done("Venda limpa com sucesso")
}
