package pixsim

import (
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
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
	path   *regexp.Regexp // below the bank's base
	scope  string         // empty: it gives tokens
	body   bool
	serve  func(*Bank, *request) reply
}

const (
	txidPath   = `^/cob/([^/]+)$`
	refundPath = `^/pix/([^/]+)/devolucao/([^/]+)$`
)

var common = []route{
	{OnCreate, http.MethodPut, regexp.MustCompile(txidPath), "cob.write", true, (*Bank).createCharge},
	{OnSee, http.MethodGet, regexp.MustCompile(txidPath), "cob.read", false, (*Bank).seeCharge},
	{OnWithdraw, http.MethodPatch, regexp.MustCompile(txidPath), "cob.write", true, (*Bank).withdrawCharge},
	{OnRefund, http.MethodPut, regexp.MustCompile(refundPath), "pix.write", true, (*Bank).createRefund},
	{OnSeeRefund, http.MethodGet, regexp.MustCompile(refundPath), "pix.read", false, (*Bank).seeRefund},
}

var giving = route{call: OnToken, method: http.MethodPost, body: true, serve: (*Bank).giveToken}

// routesOf are the calls that a bank has.
func routesOf(m Manner) []route {
	routes := slices.Clone(common)
	pattern := func(path string) *regexp.Regexp {
		return regexp.MustCompile("^" + strings.NewReplacer("{txid}", `([^/]+)`, "{loc}", `([^/]+)`).Replace(path) + "$")
	}
	if m.Code.Beside != "" {
		routes = append(routes, route{OnCreate, http.MethodPut, pattern(m.Code.Beside), "cob.write", true, (*Bank).createWithCode})
	}
	if m.Code.Call != "" {
		routes = append(routes, route{OnCode, http.MethodGet, pattern(m.Code.Call), m.codeScope(), false, (*Bank).tellCode})
	}
	return routes
}

// ServeHTTP answers the API, or misbehaves.
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.door.ServeHTTP(w, r) }

func (b *Bank) route(w http.ResponseWriter, call *httpsim.Request[Event]) {
	r := &request{Request: call}
	if r.URL.Path == b.manner.Token && r.Method == giving.method {
		r.Note.Call = OnToken
		b.misbehave(w, r, giving)
		return
	}
	known := false
	for _, route := range b.routes {
		base := b.manner.Base
		if route.call == OnWithdraw && b.manner.Patch != "" {
			base = b.manner.Patch
		}
		below, ours := strings.CutPrefix(r.URL.EscapedPath(), base)
		match := route.path.FindStringSubmatch(below)
		known = known || ours && match != nil
		if ours && match != nil && route.method == r.Method {
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
	if refusal := b.atTheDoor(r, route); refusal != nil {
		return *refusal
	}
	if route.scope == "" {
		return route.serve(b, r)
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case b.strays(r):
		return b.bad(r, http.StatusBadRequest, "RequisicaoInvalida", "a chamada não tem estes parâmetros na URL")
	case !route.body && len(r.Body) > 0:
		return b.bad(r, http.StatusBadRequest, "RequisicaoInvalida", "a chamada não tem corpo")
	case route.body && media != "application/json":
		return b.bad(r, http.StatusBadRequest, "RequisicaoInvalida", "o corpo não é application/json")
	case route.call == OnWithdraw && b.config.KeepsCharges:
		return b.problem(http.StatusMethodNotAllowed, "RequisicaoInvalida", "o banco não retira cobranças")
	}
	return route.serve(b, r)
}

// bad refuses a request that breaks a rule, and keeps that for the tests.
func (b *Bank) bad(r *request, status int, kind, why string) reply {
	b.violate(r, why)
	return b.problem(status, kind, why)
}

func (b *Bank) violate(r *request, why string) {
	_ = b.happen(Event{Kind: Violated, Note: fmt.Sprintf("%s %s: %s", r.Method, r.URL.Path, why)}) // refused all the same
}

func write(w http.ResponseWriter, r reply) { httpsim.Write(w, r) }
