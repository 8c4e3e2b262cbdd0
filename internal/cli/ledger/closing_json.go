package ledger

import (
	"encoding/json"
	"io"
	"time"

	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/payment"
)

// closingBody is a closing as programs read it. Amounts are exact numbers, with cents; moments as the interface writes
// them; until is the first moment outside the period.
type closingBody struct {
	Since            *string       `json:"since"`
	Until            *string       `json:"until"`
	CreatedAt        string        `json:"createdAt"`
	Shop             string        `json:"shop"`
	Terminal         string        `json:"terminal"`
	Program          string        `json:"program"`
	Total            balanceBody   `json:"total"`
	Types            []typeBody    `json:"types"`
	Brands           []brandBody   `json:"brands"`
	Statuses         []statusBody  `json:"statuses"`
	EarlierReversals sumBody       `json:"earlierReversals"`
	PartialReversals sumBody       `json:"partialReversals"`
	Pending          []pendingBody `json:"pending"`
	First            *endBody      `json:"first"`
	Last             *endBody      `json:"last"`
}

type sumBody struct {
	Count  int         `json:"count"`
	Amount json.Number `json:"amount"`
}

type balanceBody struct {
	Gross    sumBody     `json:"gross"`
	Reversed sumBody     `json:"reversed"`
	Net      json.Number `json:"net"`
}

type typeBody struct {
	Type closing.Kind `json:"type"`
	Name string       `json:"name"`
	balanceBody
}

type brandBody struct {
	TBand *string `json:"tBand"`
	Name  string  `json:"name"`
	balanceBody
}

type statusBody struct {
	Status payment.Status `json:"status"`
	sumBody
}

type endBody struct {
	ID          int64   `json:"id"`
	ReferenceID *string `json:"referenceId"`
	CreatedAt   string  `json:"createdAt"`
}

type pendingBody struct {
	endBody
	Amount    json.Number `json:"amount"`
	Operation string      `json:"operation"` // payment or reversal
}

func closingJSON(out io.Writer, r *closing.Report, by closing.Imprint) error {
	body := closingBody{
		Since: orNull(r.Period.Since), Until: orNull(r.Period.Until), CreatedAt: stamp(by.At), Shop: by.Shop, Terminal: by.Terminal,
		Program: by.Program, Total: balanceOf(r.Total), Types: []typeBody{}, Brands: []brandBody{}, Statuses: []statusBody{},
		EarlierReversals: sumOf(r.Earlier), PartialReversals: sumOf(r.Parts), Pending: []pendingBody{}, First: endOf(r.First), Last: endOf(r.Last),
	}
	for _, g := range r.Kinds {
		body.Types = append(body.Types, typeBody{g.Key, g.Key.Name(), balanceOf(g.Balance)})
	}
	for _, g := range r.Brands {
		code := &g.Key
		if g.Key == "" {
			code = nil
		}
		body.Brands = append(body.Brands, brandBody{code, closing.BrandName(g.Key), balanceOf(g.Balance)})
	}
	for _, s := range closing.StatusOrder {
		body.Statuses = append(body.Statuses, statusBody{s, sumOf(r.Statuses[s])})
	}
	for _, t := range r.Pending {
		operation := "payment"
		if t.Reversing() {
			operation = "reversal"
		}
		body.Pending = append(body.Pending, pendingBody{*endOf(&t), json.Number(t.Moving().Cents()), operation})
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(body)
}

func sumOf(s closing.Sum) sumBody { return sumBody{s.Count, json.Number(s.Amount.Cents())} }

func balanceOf(b closing.Balance) balanceBody {
	return balanceBody{sumOf(b.Gross), sumOf(b.Reversed), json.Number(b.Net().Cents())}
}

func endOf(t *payment.Transaction) *endBody {
	if t == nil {
		return nil
	}
	end := &endBody{ID: t.ID, CreatedAt: stamp(t.CreatedAt)}
	if t.Request.Reference != "" {
		end.ReferenceID = &t.Request.Reference
	}
	return end
}

// stamp is a moment as the interface writes it.
func stamp(t time.Time) string { return t.Local().Format("2006-01-02T15:04:05.000Z07:00") }

func orNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := stamp(t)
	return &text
}
