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

type request = httpsim.Request[Event]

// Exchange is one request and what became of it, for whoever looks on.
type Exchange = httpsim.Exchange[Event]

func (a *Account) routes() []httpsim.Route[Event] {
	of := regexp.MustCompile
	return []httpsim.Route[Event]{
		{Call: OnCreate, Method: http.MethodPost, Path: of(`^/v1/orders()$`), Serve: a.keyed(a.createOrder)},
		{Call: OnSearch, Method: http.MethodGet, Path: of(`^/v1/orders()$`), Serve: a.searchOrders},
		{Call: OnSee, Method: http.MethodGet, Path: of(`^/v1/orders/([^/]+)$`), Serve: a.seeOrder},
		{Call: OnCancel, Method: http.MethodPost, Path: of(`^/v1/orders/([^/]+)/cancel$`), Serve: a.keyed(a.cancelOrder)},
		{Call: OnRefund, Method: http.MethodPost, Path: of(`^/v1/orders/([^/]+)/refund$`), Serve: a.keyed(a.refundOrder)},
		{Call: OnPay, Method: http.MethodPost, Path: of(`^/v1/orders/([^/]+)/events$`), Serve: a.playEvent, Played: true},
		{Call: OnList, Method: http.MethodGet, Path: of(`^/terminals/v1/list()$`), Serve: a.listDevices},
	}
}

// keyed is a call that wants an idempotency key.
func (a *Account) keyed(serve func(*request) httpsim.Reply) func(*request) httpsim.Reply {
	return func(r *request) httpsim.Reply {
		if key(r) == "" {
			return a.bad(r, http.StatusBadRequest, "empty_required_header", "falta X-Idempotency-Key")
		}
		if no := a.whimsical(r); no != nil {
			return *no
		}
		return serve(r)
	}
}

// admit holds a request to the rules of all calls.
func (a *Account) admit(r *request) *httpsim.Reply {
	var no httpsim.Reply
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case !bearer || subtle.ConstantTimeCompare([]byte(token), []byte(a.config.Token)) != 1:
		no = a.bad(r, http.StatusUnauthorized, "unauthorized", "o access token não é o desta conta")
	case len(key(r)) > 64:
		no = a.bad(r, http.StatusBadRequest, "bad_request", "X-Idempotency-Key longa demais")
	case r.Method == http.MethodGet && len(r.Body) > 0:
		no = a.bad(r, http.StatusBadRequest, "bad_request", "a chamada não tem corpo")
	default:
		return nil
	}
	return &no
}

func (a *Account) lost(r *request) httpsim.Reply {
	return a.bad(r, http.StatusNotFound, "not_found", "o caminho ou o método não existe")
}

// whimsical is what a misbehaviour of this simulator's own does with a request; nil: the request goes on.
func (a *Account) whimsical(r *request) *httpsim.Reply {
	var no httpsim.Reply
	switch o := a.orders[r.ID]; r.Misbehaviour.Kind {
	case Queued:
		no = problem(http.StatusConflict, "already_queued_order_for_terminal", "a maquininha já tem uma cobrança")
	case DeviceKeeps:
		no = problem(http.StatusConflict, "cannot_cancel_order", "a cobrança só pode ser cancelada na maquininha")
	case PaidBefore:
		if o != nil && o.open() {
			_ = a.end(o, ending{Status: processed})
		}
		return nil
	default:
		return nil
	}
	return &no
}

func key(r *request) string { return r.Header.Get("X-Idempotency-Key") }

// sum is of the request's bytes.
func sum(r *request) string {
	of := sha256.Sum256(append([]byte(r.URL.Path+"\n"), r.Body...))
	return hex.EncodeToString(of[:])
}

// before is what came of the same request earlier, or the reply that its key was used for another.
func (a *Account) before(r *request) (e Event, known bool, no *httpsim.Reply) {
	e, known = a.keys[key(r)]
	switch {
	case !known || time.Since(e.At) >= keyLife:
		return Event{}, false, nil
	case e.Sum != sum(r):
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

// stateOf is the order's that an answer tells of.
func stateOf(answer httpsim.Reply) string {
	j, _ := answer.Body.(map[string]any)
	state, _ := j["status"].(string)
	return state
}
