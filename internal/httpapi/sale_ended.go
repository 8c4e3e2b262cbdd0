package httpapi

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/maquininha/maquininha/internal/sale"
)

// ended is the answer to the end of a sale: the contract's body, and the sale's id in a header.
type ended struct {
	message
	number int64
}

func (e ended) headers(h http.Header) { expose(h, "X-Sale-Id", strconv.FormatInt(e.number, 10)) }

// endedBody is a sale that ended, as a list has it.
type endedBody struct {
	SaleID   string      `json:"saleId"`
	Status   sale.State  `json:"status"`
	OpenedAt stamp       `json:"openedAt"`
	ClosedAt stamp       `json:"closedAt"`
	Sale     sessionBody `json:"sale"`
	Summary  summaryBody `json:"summary"`
}

// wholeBody is a sale that ended with all that is known of it.
type wholeBody struct {
	SaleID   string     `json:"saleId"`
	Status   sale.State `json:"status"`
	OpenedAt stamp      `json:"openedAt"`
	ClosedAt stamp      `json:"closedAt"`
	saleBody
	Transactions []string `json:"transactions"`
}

// mostSales is how many are listed unless the caller says otherwise.
const mostSales = 100

func (api *API) listSales(r *http.Request) (any, error) {
	q, err := readQuery(r)
	if err != nil {
		return nil, err
	}
	var f sale.Filter
	if f.Limit, err = q.limit(mostSales); err != nil {
		return nil, err
	}
	if f.Since, err = q.moment("since", false); err != nil {
		return nil, err
	}
	if f.Until, err = q.moment("until", true); err != nil {
		return nil, err
	}
	if f.State = sale.State(q.Get("status")); f.State != "" && !slices.Contains(finalStates, f.State) {
		return nil, invalid("status", oneOf(finalStates))
	}
	return list(func(emit func(any) error) error {
		return api.Archive.Ended(r.Context(), f, func(p sale.Past) error {
			return emit(endedBody{saleID(p), p.State, stampOf(p.OpenedAt), stampOf(p.ClosedAt), sessionOf(p.View), summaryBody(p.Summary())})
		})
	}), nil
}

var finalStates = []sale.State{sale.Finalized, sale.Cancelled}

func (api *API) getEndedSale(r *http.Request) (any, error) {
	id := pathID(r, "saleId")
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil || strconv.FormatInt(number, 10) != id {
		return nil, sale.ErrUnknownSale // no sale has another kind of id
	}
	p, references, err := api.Archive.Find(r.Context(), number)
	if err != nil {
		return nil, err
	}
	return wholeBody{saleID(p), p.State, stampOf(p.OpenedAt), stampOf(p.ClosedAt), saleOf(p.View), append([]string{}, references...)}, nil
}

func saleID(p sale.Past) string { return strconv.FormatInt(p.Number, 10) }
