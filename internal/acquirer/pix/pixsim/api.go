package pixsim

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/portuguese"
)

const maxBody = 64 << 10

// request is a call with its body read.
type request struct {
	*http.Request
	body []byte
	path []string
	note *Exchange
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
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.busy.Add(1)
	defer b.busy.Done()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		write(w, problem(http.StatusBadRequest, "RequisicaoInvalida", "o corpo não pôde ser lido"))
		return
	}
	if r.URL.Path == "/sim" || strings.HasPrefix(r.URL.Path, "/sim/") {
		b.control(w, r, body)
		return
	}
	answer := &httpsim.Answerer{ResponseWriter: w}
	note := &Exchange{Method: r.Method, Path: r.URL.Path}
	defer func() { // also when it ends by cutting the connection
		note.Status = max(note.Status, answer.Status)
		b.report(*note)
	}()
	b.route(answer, &request{Request: r, body: body, note: note})
}

func (b *Bank) route(w http.ResponseWriter, r *request) {
	known := false
	for _, route := range routes {
		match := route.path.FindStringSubmatch(r.URL.EscapedPath())
		known = known || match != nil
		if match != nil && route.method == r.Method {
			r.path, r.note.Call = match[1:], route.call
			b.misbehave(w, r, route)
			return
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note = r.note
	defer func() { b.note = nil }()
	var answer reply
	if known {
		answer = b.bad(r, http.StatusMethodNotAllowed, "RequisicaoInvalida", "o caminho não tem este método")
	} else {
		answer = b.bad(r, http.StatusNotFound, "NaoEncontrado", "o caminho não existe")
	}
	r.note.note(answer)
	write(w, answer)
}

// serve holds the request to the rules of its route and answers it.
func (b *Bank) serve(r *request, route route) reply {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note = r.note
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
	case !route.body && len(r.body) > 0:
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

// broken is the PSP's own fault.
func broken(err error) reply {
	return problem(http.StatusInternalServerError, "ErroInternoDoServidor", portuguese.Error(err))
}

func write(w http.ResponseWriter, r reply) { httpsim.Write(w, r) }
