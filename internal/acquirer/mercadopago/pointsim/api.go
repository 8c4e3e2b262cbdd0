package pointsim

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// request is a call with its body read.
type request struct {
	*httpsim.Request[Event]
	id string // of the order
}

// Exchange is one request and what became of it, for whoever looks on.
type Exchange = httpsim.Exchange[Event]

// route is one call of the API and what it takes to make it.
type route struct {
	call   httpsim.Call
	method string
	path   *regexp.Regexp
	keyed  bool // wants an idempotency key
	serve  func(*Account, *request) httpsim.Reply
}

var routes = []route{
	{OnCreate, http.MethodPost, regexp.MustCompile(`^/v1/orders()$`), true, (*Account).createOrder},
	{OnSearch, http.MethodGet, regexp.MustCompile(`^/v1/orders()$`), false, (*Account).searchOrders},
	{OnSee, http.MethodGet, regexp.MustCompile(`^/v1/orders/([^/]+)$`), false, (*Account).seeOrder},
	{OnCancel, http.MethodPost, regexp.MustCompile(`^/v1/orders/([^/]+)/cancel$`), true, (*Account).cancelOrder},
	{OnRefund, http.MethodPost, regexp.MustCompile(`^/v1/orders/([^/]+)/refund$`), true, (*Account).refundOrder},
	{OnPay, http.MethodPost, regexp.MustCompile(`^/v1/orders/([^/]+)/events$`), false, (*Account).playEvent},
	{OnList, http.MethodGet, regexp.MustCompile(`^/terminals/v1/list()$`), false, (*Account).listDevices},
}

// ServeHTTP answers the API, or misbehaves.
func (a *Account) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.door.ServeHTTP(w, r) }

func (a *Account) route(w http.ResponseWriter, call *httpsim.Request[Event]) {
	r := &request{Request: call}
	for _, route := range routes {
		match := route.path.FindStringSubmatch(r.URL.EscapedPath())
		if match == nil || route.method != r.Method {
			continue
		}
		r.id, r.Note.Call = match[1], route.call
		kinds := callsOnly
		if route.call == OnPay {
			kinds = nil // the simulation of events is not simulated
		}
		m, _ := a.whims.Take(route.call, kinds)
		r.Note.Misdeed = m.Kind
		if a.stage.Before(w, call.Request, m) {
			return
		}
		answer := a.serve(r, route, m)
		told(r.Note, answer)
		r.Note.Status = a.stage.After(w, call.Request, m, answer)
		return
	}
	a.mu.Lock()
	a.note = r.Note
	answer := a.bad(r, http.StatusNotFound, "not_found", "o caminho ou o método não existe")
	a.note = nil
	a.mu.Unlock()
	told(r.Note, answer)
	httpsim.Write(w, answer)
}

// serve holds the request to the rules of its route and answers it.
func (a *Account) serve(r *request, route route, m httpsim.Misbehaviour) httpsim.Reply {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.note = r.Note
	defer func() { a.note = nil }()
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case !bearer || subtle.ConstantTimeCompare([]byte(token), []byte(a.config.Token)) != 1:
		return a.bad(r, http.StatusUnauthorized, "unauthorized", "o access token não é o desta conta")
	case route.keyed && r.key() == "":
		return a.bad(r, http.StatusBadRequest, "empty_required_header", "falta X-Idempotency-Key")
	case len(r.key()) > 64:
		return a.bad(r, http.StatusBadRequest, "bad_request", "X-Idempotency-Key longa demais")
	case r.Method == http.MethodGet && len(r.Body) > 0:
		return a.bad(r, http.StatusBadRequest, "bad_request", "a chamada não tem corpo")
	}
	switch o := a.orders[r.id]; m.Kind {
	case Queued:
		return problem(http.StatusConflict, "already_queued_order_for_terminal", "a maquininha já tem uma cobrança")
	case DeviceKeeps:
		return problem(http.StatusConflict, "cannot_cancel_order", "a cobrança só pode ser cancelada na maquininha")
	case PaidBefore:
		if o != nil && o.open() {
			_ = a.end(o, ending{Status: processed})
		}
	}
	return route.serve(a, r)
}

func (r *request) key() string { return r.Header.Get("X-Idempotency-Key") }

// sum is of the request's bytes.
func (r *request) sum() string {
	sum := sha256.Sum256(append([]byte(r.URL.Path+"\n"), r.Body...))
	return hex.EncodeToString(sum[:])
}

// before is what came of the same request earlier, or the reply that its key was used for another.
func (a *Account) before(r *request) (e Event, known bool, no *httpsim.Reply) {
	e, known = a.keys[r.key()]
	switch {
	case !known || time.Since(e.At) >= keyLife:
		return Event{}, false, nil
	case e.Sum != r.sum():
		other := a.bad(r, http.StatusConflict, "idempotency_key_already_used", "a chave já foi usada com outro corpo")
		return Event{}, false, &other
	}
	return e, true, nil
}

// bad refuses a request that breaks a rule, and keeps that for the tests.
func (a *Account) bad(r *request, status int, code, why string) httpsim.Reply {
	_ = a.happen(Event{Kind: Violated, Note: fmt.Sprintf("%s %s: %s", r.Method, r.URL.Path, why)}) // refused all the same
	return problem(status, code, why)
}

// problem is an error as the Orders API has it.
func problem(status int, code, detail string) httpsim.Reply {
	return httpsim.Reply{Status: status, Body: map[string]any{"errors": []map[string]any{{"code": code, "message": detail}}}, Why: detail}
}

// plainProblem is an error that is not about an order.
func plainProblem(status int, detail string) httpsim.Reply {
	code, known := map[int]string{http.StatusBadRequest: "bad_request", http.StatusNotFound: "not_found", http.StatusConflict: "conflict"}[status]
	if !known {
		code = "internal_error"
	}
	return problem(status, code, detail)
}

// broken is the simulator's own fault.
func broken(err error) httpsim.Reply {
	return problem(http.StatusInternalServerError, "internal_error", portuguese.Error(err))
}

// told keeps what an answer says.
func told(e *Exchange, answer httpsim.Reply) {
	e.Problem = answer.Why
	j, _ := answer.Body.(map[string]any)
	e.State, _ = j["status"].(string)
}
