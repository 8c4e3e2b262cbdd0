package pixsim

import (
	"fmt"
	"mime"
	"net/http"
	"regexp"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// request is a call with its body read.
type request struct {
	*httpsim.Request[Event]
	path []string
}

// reply is an answer yet to be written.
type reply = httpsim.Reply

// route is one call of the API and what it takes to make it.
type route struct {
	call   Call
	method string
	path   *regexp.Regexp
	scope  string
	body   bool
	serve  func(*Bank, *request) reply
}

const (
	txidPath   = `^/cob/([^/]+)$`
	refundPath = `^/pix/([^/]+)/devolucao/([^/]+)$`
)

var routes = []route{
	{OnToken, http.MethodPost, regexp.MustCompile(`^/oauth/token$`), "", true, (*Bank).giveToken},
	{OnCreate, http.MethodPut, regexp.MustCompile(txidPath), "cob.write", true, (*Bank).createCharge},
	{OnSee, http.MethodGet, regexp.MustCompile(txidPath), "cob.read", false, (*Bank).seeCharge},
	{OnWithdraw, http.MethodPatch, regexp.MustCompile(txidPath), "cob.write", true, (*Bank).withdrawCharge},
	{OnRefund, http.MethodPut, regexp.MustCompile(refundPath), "pix.write", true, (*Bank).createRefund},
	{OnSeeRefund, http.MethodGet, regexp.MustCompile(refundPath), "pix.read", false, (*Bank).seeRefund},
}

// ServeHTTP answers the API, or misbehaves.
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.door.ServeHTTP(w, r) }

func (b *Bank) route(w http.ResponseWriter, call *httpsim.Request[Event]) {
	r, known := &request{Request: call}, false
	for _, route := range routes {
		match := route.path.FindStringSubmatch(r.URL.EscapedPath())
		known = known || match != nil
		if match != nil && route.method == r.Method {
			r.path, r.Note.Call = match[1:], route.call
			b.misbehave(w, r, route)
			return
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note = r.Note
	defer func() { b.note = nil }()
	var answer reply
	if known {
		answer = b.bad(r, http.StatusMethodNotAllowed, "RequisicaoInvalida", "o caminho não tem este método")
	} else {
		answer = b.bad(r, http.StatusNotFound, "NaoEncontrado", "o caminho não existe")
	}
	told(r.Note, answer)
	write(w, answer)
}

// serve holds the request to the rules of its route and answers it.
func (b *Bank) serve(r *request, route route) reply {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note = r.Note
	defer func() { b.note = nil }()
	if route.scope != "" {
		if refusal := b.authorize(r, route.scope); refusal != nil {
			return *refusal
		}
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.URL.RawQuery != "":
		return b.bad(r, http.StatusBadRequest, "RequisicaoInvalida", "a chamada não tem parâmetros na URL")
	case !route.body && len(r.Body) > 0:
		return b.bad(r, http.StatusBadRequest, "RequisicaoInvalida", "a chamada não tem corpo")
	case route.body && route.scope != "" && media != "application/json":
		return b.bad(r, http.StatusBadRequest, "RequisicaoInvalida", "o corpo não é application/json")
	}
	return route.serve(b, r)
}

// bad refuses a request that breaks a rule, and keeps that for the tests.
func (b *Bank) bad(r *request, status int, kind, why string) reply {
	b.violate(r, why)
	return problem(status, kind, why)
}

func (b *Bank) violate(r *request, why string) {
	_ = b.happen(Event{Kind: Violated, Note: fmt.Sprintf("%s %s: %s", r.Method, r.URL.Path, why)}) // refused all the same
}

// problem is an error as RFC 7807 has it.
func problem(status int, kind, detail string) reply {
	return reply{Status: status, Media: "application/problem+json", Body: map[string]any{
		"type": "https://pix.bcb.gov.br/api/v2/error/" + kind, "title": kind, "status": status, "detail": detail,
	}}
}

// plainProblem is an error that is not about a charge or a refund.
func plainProblem(status int, detail string) reply {
	kind, known := map[int]string{
		http.StatusServiceUnavailable: "ServicoIndisponivel", http.StatusInternalServerError: "ErroInternoDoServidor",
		http.StatusNotFound: "NaoEncontrado", http.StatusConflict: "CobOperacaoInvalida",
	}[status]
	if !known {
		kind = "RequisicaoInvalida"
	}
	return problem(status, kind, detail)
}

// broken is the PSP's own fault.
func broken(err error) reply {
	return problem(http.StatusInternalServerError, "ErroInternoDoServidor", portuguese.Error(err))
}

func write(w http.ResponseWriter, r reply) { httpsim.Write(w, r) }
