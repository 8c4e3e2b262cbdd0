package testserver

import (
	"path"
	"strings"

	"github.com/maquininha/maquininha/internal/configfile"
)

// routes are the requests that something can happen at: those of the interface.
var routes = []string{
	"POST /sale", "PATCH /sale", "GET /sale", "POST /sale/item", "PATCH /sale/item/{itemId}", "DELETE /sale/item/{itemId}",
	"POST /sale/item/{itemId}/cancel", "POST /sale/payment", "PATCH /sale/payment/{paymentId}", "DELETE /sale/payment/{paymentId}",
	"PUT /sale", "PUT /sale/item/{itemId}", "PUT /sale/payment/{paymentId}", "DELETE /sale/clear",
	"POST /sale/discount", "PATCH /sale/discount/{discountId}", "PUT /sale/discount/{discountId}", "DELETE /sale/discount/{discountId}",
	"POST /sale/addition", "PATCH /sale/addition/{additionId}", "PUT /sale/addition/{additionId}", "DELETE /sale/addition/{additionId}",
	"POST /sale/finalize", "POST /sale/cancel", "GET /sales", "GET /sales/{saleId}",
	"POST /ask", "POST /ask/form", "POST /ask/cancel",
	"POST /print/image", "POST /print/text", "POST /print/xml", "POST /print/acbr", "POST /drawer",
	"POST /render/image", "POST /render/text", "POST /render/xml", "POST /render/acbr",
	"POST /transaction", "GET /transaction", "GET /transaction/{referenceId}", "POST /transaction/{referenceId}/reversal",
	"GET /operation", "GET /operation/stream", "POST /operation/cancel",
	"GET /logs",
	"POST /display/image", "POST /display/text", "POST /display/carousel", "POST /display/clear", "POST /display/pop", "POST /notification",
	"GET /status", "GET /info", "POST /restart",
}

// problem is what is wrong with a request; empty: some request of a caller can be it.
func (w When) problem() string {
	if w.Request == "" {
		return ""
	}
	var named []string
	for _, route := range routes {
		if reaches(w.Request, route) {
			return ""
		}
		named = append(named, starred(route))
	}
	meant := w.Request
	if !strings.Contains(meant, " ") {
		meant = "POST /" + strings.TrimPrefix(meant, "/") // as nearly all that something happens at
	}
	if near := configfile.Nearest(meant, named); near != "" {
		return `não é uma rota do terminal; quis dizer "` + near + `"?`
	}
	return `deve ser uma rota do terminal, como "POST /transaction" ou "POST /print/*"`
}

// reaches tells whether a pattern fits some request of a route.
func reaches(pattern, route string) bool {
	want, is := strings.Split(pattern, "/"), strings.Split(route, "/")
	if len(want) != len(is) || want[0] != is[0] {
		return false
	}
	for i := range want {
		fits, err := path.Match(want[i], is[i])
		if err != nil || !fits && !strings.HasPrefix(is[i], "{") || want[i] == "" {
			return false
		}
	}
	return true
}

// starred is a route as a scenario names it.
func starred(route string) string {
	parts := strings.Split(route, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}
