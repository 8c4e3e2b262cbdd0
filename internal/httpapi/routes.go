package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/httpapi/apidoc"
)

// handler returns what to answer; it writes nothing itself.
type handler func(*http.Request) (any, error)

type flags uint8

const (
	// busy: refused while another operation holds the terminal.
	busy flags = 1 << iota
	// notifies: shows the operator that a command has come.
	notifies
	// poll: asked again and again, so that only its failures are logged.
	poll
	// uncounted: a person's doing at the panel, not a caller's.
	uncounted
	// movesMoney: a page of another origin must have asked leave even where there is no body.
	movesMoney
)

type route struct {
	pattern string
	handle  handler
	flags   flags
}

func (api *API) routes() []route {
	return []route{
		{"POST /sale", api.openSale, notifies},
		{"PATCH /sale", api.editSale, notifies},
		{"PUT /sale", api.editSale, notifies}, // browsers may send it by the contract's CORS list
		{"GET /sale", api.getSale, 0},
		{"DELETE /sale/clear", api.clearSale, notifies},
		{"POST /sale/item", api.addItem, notifies},
		{"PATCH /sale/item/{itemId}", api.editItem, notifies},
		{"PUT /sale/item/{itemId}", api.editItem, notifies},
		{"DELETE /sale/item/{itemId}", api.removeItem, notifies},
		{"POST /sale/item/{itemId}/cancel", api.cancelItem, notifies},
		{"POST /sale/payment", api.addPayment, notifies},
		{"PATCH /sale/payment/{paymentId}", api.editPayment, notifies},
		{"PUT /sale/payment/{paymentId}", api.editPayment, notifies},
		{"DELETE /sale/payment/{paymentId}", api.removePayment, notifies},
		{"POST /sale/discount", discounts.add(api), notifies},
		{"PATCH /sale/discount/{discountId}", discounts.edit(api), notifies},
		{"PUT /sale/discount/{discountId}", discounts.edit(api), notifies},
		{"DELETE /sale/discount/{discountId}", discounts.remove(api), notifies},
		{"POST /sale/addition", additions.add(api), notifies},
		{"PATCH /sale/addition/{additionId}", additions.edit(api), notifies},
		{"PUT /sale/addition/{additionId}", additions.edit(api), notifies},
		{"DELETE /sale/addition/{additionId}", additions.remove(api), notifies},
		{"POST /sale/finalize", api.finalizeSale, notifies},
		{"POST /sale/cancel", api.cancelSale, notifies},
		{"GET /sales", api.listSales, 0},
		{"GET /sales/{saleId}", api.getEndedSale, 0},

		{"POST /ask", api.ask, busy | notifies},
		{"POST /ask/form", api.askForm, busy | notifies},
		{"POST /ask/cancel", api.cancelAsk, notifies},

		{"POST /print/image", api.print(api.images()), busy | notifies},
		{"POST /print/text", api.print(api.texts()), busy | notifies},
		{"POST /print/xml", api.print(api.xmls()), busy | notifies},
		{"POST /print/acbr", api.print(api.acbrs()), busy | notifies},
		{"POST /drawer", api.openDrawer, busy | notifies | movesMoney},

		{"POST /render/image", api.render(api.images()), 0},
		{"POST /render/text", api.render(api.texts()), 0},
		{"POST /render/xml", api.render(api.xmls()), 0},
		{"POST /render/acbr", api.render(api.acbrs()), 0},

		{"POST /transaction", api.pay, busy | notifies | movesMoney},
		{"GET /transaction", api.listTransactions, 0},
		{"GET /transaction/{referenceId}", api.getTransaction, 0},
		{"POST /transaction/{referenceId}/reversal", api.reverse, busy | notifies | movesMoney},

		{"GET /operation", api.getOperation, poll},
		{"POST /operation/cancel", api.cancelOperation, 0},

		{"GET /logs", api.listLogs, poll},

		{"POST /display/image", api.displayImage, busy | notifies},
		{"POST /display/text", api.displayText, busy | notifies},
		{"POST /display/carousel", api.displayCarousel, busy | notifies},
		{"POST /display/clear", api.clearDisplay, busy | notifies},
		{"POST /display/pop", api.popDisplay, busy | notifies},

		{"POST /notification", api.notify, 0},

		{"GET /status", api.status, poll},
		{"GET /info", api.info, poll},
		{"POST /restart", api.restart, notifies},
	}
}

// emulatorRoutes play the people and break the hardware; they are no commands of the caller.
func (api *API) emulatorRoutes() []route {
	return []route{
		{"GET /emulator/screen", api.emulatorScreen, poll},
		{"POST /emulator/foreground", api.emulatorForeground, 0},
		{"POST /emulator/answer", api.emulatorAnswer, 0},
		{"POST /emulator/payment", api.emulatorPayment, 0},
		{"POST /emulator/card", api.emulatorCard, 0},
		{"POST /emulator/acquirer", api.emulatorAcquirer, 0},
		{"POST /emulator/printer", api.emulatorPrinter, 0},
		{"GET /emulator/printer/jobs", api.emulatorJobs, poll},
		{"GET /emulator/drawer", api.emulatorDrawers, poll},
		{"POST /emulator/drawer/close", api.emulatorCloseDrawers, 0},
		{"GET /emulator/requests", api.emulatorRequests, poll},
		{"POST /emulator/reset", api.emulatorReset, 0},
	}
}

// streams write for themselves.
func (api *API) streams() map[string]http.Handler {
	s := map[string]http.Handler{
		"GET /logs/zip/download":   api.logArchive("service_logs"),
		"GET /logs/stream":         api.logStream(func(b logBody) any { return b }),
		"GET /operation/stream":    http.HandlerFunc(api.streamOperation),
		"GET /metrics":             http.HandlerFunc(api.metrics),
		"GET /docs":                api.docs,
		"GET /docs/{file...}":      api.docs,
		"GET /openapi.bundle.yaml": api.docs,
		"GET /{$}":                 apidoc.Landing(api.door),
	}
	if api.Emulator != nil {
		s["GET /emulator/printer/jobs/{picture}"] = http.HandlerFunc(api.emulatorPicture)
	}
	return s
}

// Patterns lists every route as "METHOD /path", sorted.
func (api *API) Patterns() []string {
	var all []string
	for _, r := range api.table() {
		all = append(all, r.pattern)
	}
	for p := range api.streams() {
		all = append(all, p)
	}
	slices.Sort(all)
	return all
}

func (api *API) table() []route {
	if api.Emulator == nil {
		return api.routes()
	}
	return append(api.routes(), api.emulatorRoutes()...)
}

func (api *API) mount(mux *http.ServeMux, table []route, streams map[string]http.Handler) {
	methods := map[string][]string{} // path → methods
	learn := func(pattern string) {
		method, path, _ := strings.Cut(pattern, " ")
		methods[path] = append(methods[path], method)
	}
	for _, r := range table {
		learn(r.pattern)
		mux.Handle(r.pattern, api.serve(r))
	}
	for pattern, h := range streams {
		learn(pattern)
		mux.Handle(pattern, h)
	}
	for path, allowed := range methods {
		mux.Handle(path, api.methodNotAllowed(allowed))
	}
	mux.HandleFunc("/", api.notFound)
}

// public requests need no credentials: the documentation and what it is made of.
func (api *API) public(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	return r.URL.Path == "/" || api.docs.Serves(r.URL.EscapedPath())
}
