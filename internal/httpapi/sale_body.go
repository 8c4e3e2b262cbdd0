package httpapi

import (
	"net/http"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/sale"
)

// saleBody is the open sale as GET /sale and the emulator's screen show it.
type saleBody struct {
	Sale      sessionBody      `json:"sale"`
	Items     []itemBody       `json:"items"`
	Payments  []paymentBody    `json:"payments"`
	Discounts []adjustmentBody `json:"discounts"`
	Additions []adjustmentBody `json:"additions"`
	Summary   summaryBody      `json:"summary"`
}

type sessionBody struct {
	CustomerDocument *string        `json:"customerDocument"`
	CustomerName     *string        `json:"customerName"`
	SellerName       *string        `json:"sellerName"`
	AdditionalInfo   *string        `json:"additionalInfo"`
	Total            *money.Decimal `json:"total"`
	OpenedAt         stamp          `json:"openedAt"`
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

type adjustmentBody struct {
	ID             string        `json:"id"`
	Description    *string       `json:"description"`
	Value          money.Decimal `json:"value"`
	AdditionalInfo *string       `json:"additionalInfo"`
}

type summaryBody struct {
	Subtotal     money.Decimal `json:"subtotal"`
	Discount     money.Decimal `json:"discount"`
	Surcharge    money.Decimal `json:"surcharge"`
	ItemDiscount money.Decimal `json:"itemDiscount"`
	ItemAddition money.Decimal `json:"itemAddition"`
	Total        money.Decimal `json:"total"`
	Paid         money.Decimal `json:"paid"`
	Due          money.Decimal `json:"due"`
	Change       money.Decimal `json:"change"`
	ItemCount    int           `json:"itemCount"`
}

func (api *API) getSale(*http.Request) (any, error) {
	v, err := api.Sales.Current()
	if err != nil {
		return nil, err
	}
	return saleOf(v), nil
}

func saleOf(v sale.View) saleBody {
	body := saleBody{
		Sale:      sessionOf(v),
		Items:     make([]itemBody, len(v.Items)),
		Payments:  make([]paymentBody, len(v.Payments)),
		Discounts: adjustmentsOf(v.Discounts),
		Additions: adjustmentsOf(v.Additions),
		Summary:   summaryBody(v.Summary()),
	}
	for i, item := range v.Items {
		body.Items[i] = itemBody(item)
	}
	for i, p := range v.Payments {
		body.Payments[i] = paymentBody{p.ID, p.Type, p.Description, p.Value, p.AdditionalInfo}
	}
	return body
}

func sessionOf(v sale.View) sessionBody {
	s := v.Session
	return sessionBody{s.CustomerDocument, s.CustomerName, s.SellerName, s.AdditionalInfo, s.Total, stampOf(v.OpenedAt)}
}

func adjustmentsOf(all []sale.Adjustment) []adjustmentBody {
	bodies := make([]adjustmentBody, len(all))
	for i, a := range all {
		bodies[i] = adjustmentBody(a)
	}
	return bodies
}
