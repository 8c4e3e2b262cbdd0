package pointsim

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/portuguese"
)

const maxBody = 64 << 10

// request is a call with its body read.
type request struct {
	*http.Request
	body []byte
	id   string // of the order
	note *Exchange
}

// Exchange is one request and what became of it, for whoever looks on. One without a method is something that happened by
// itself, like a payment, or a Problem with a connection that brought no request.
type Exchange struct {
	Method, Path string
	Call         httpsim.Call    // empty: none of the API
	Status       int             // 0: the connection ended without an answer
	State        string          // of the order that the answer tells of
	Misdeed      httpsim.Misdeed // empty: all went well
	Problem      string          // why it was refused
	Events       []Event         // what the ledger got
}

func (a *Account) report(e Exchange) {
	if a.config.Log != nil {
		a.config.Log(e)
	}
}

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
func (a *Account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.busy.Add(1)
	defer a.busy.Done()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		httpsim.Write(w, problem(http.StatusBadRequest, "bad_request", "o corpo não pôde ser lido"))
		return
	}
	if r.URL.Path == "/sim" || strings.HasPrefix(r.URL.Path, "/sim/") {
		a.control(w, r, body)
		return
	}
	answer := &httpsim.Answerer{ResponseWriter: w}
	note := &Exchange{Method: r.Method, Path: r.URL.Path}
	defer func() { // also when it ends by cutting the connection
		note.Status = max(note.Status, answer.Status)
		a.report(*note)
	}()
	a.route(answer, &request{Request: r, body: body, note: note})
}

func (a *Account) route(w http.ResponseWriter, r *request) {
	for _, route := range routes {
		match := route.path.FindStringSubmatch(r.URL.EscapedPath())
		if match == nil || route.method != r.Method {
			continue
		}
		r.id, r.note.Call = match[1], route.call
		kinds := callsOnly
		if route.call == OnPay {
			kinds = nil // the simulation of events is not simulated
		}
		m, _ := a.whims.Take(route.call, kinds)
		r.note.Misdeed = m.Kind
		if a.stage.Before(w, r.Request, m) {
			return
		}
		answer := a.serve(r, route, m)
		r.note.read(answer)
		r.note.Status = a.stage.After(w, r.Request, m, answer)
		return
	}
	a.mu.Lock()
	a.note = r.note
	answer := a.bad(r, http.StatusNotFound, "not_found", "o caminho ou o método não existe")
	a.note = nil
	a.mu.Unlock()
	r.note.read(answer)
	httpsim.Write(w, answer)
}

// serve holds the request to the rules of its route and answers it.
func (a *Account) serve(r *request, route route, m httpsim.Misbehaviour) httpsim.Reply {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.note = r.note
	defer func() { a.note = nil }()
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case !bearer || subtle.ConstantTimeCompare([]byte(token), []byte(a.config.Token)) != 1:
		return a.bad(r, http.StatusUnauthorized, "unauthorized", "o access token não é o desta conta")
	case route.keyed && r.key() == "":
		return a.bad(r, http.StatusBadRequest, "empty_required_header", "falta X-Idempotency-Key")
	case len(r.key()) > 64:
		return a.bad(r, http.StatusBadRequest, "bad_request", "X-Idempotency-Key longa demais")
	case r.Method == http.MethodGet && len(r.body) > 0:
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
	sum := sha256.Sum256(append([]byte(r.URL.Path+"\n"), r.body...))
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
	return httpsim.Reply{Status: status, Body: map[string]any{"errors": []map[string]any{{"code": code, "message": detail}}}}
}

// broken is the simulator's own fault.
func broken(err error) httpsim.Reply {
	return problem(http.StatusInternalServerError, "internal_error", portuguese.Error(err))
}

// read keeps what an answer says.
func (e *Exchange) read(answer httpsim.Reply) {
	j, _ := answer.Body.(map[string]any)
	e.State, _ = j["status"].(string)
	if list, ok := j["errors"].([]map[string]any); ok {
		e.Problem, _ = list[0]["message"].(string)
	}
}
