package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/reply"
)

// Operations are kept while and after they run; an *operations.Desk does it.
type Operations interface {
	Begin(ctx context.Context, o operations.Operation) (kept operations.Operation, fresh bool, err error)
	Repeat(ctx context.Context, o operations.Operation) (kept operations.Operation, fresh bool, err error)
	Again(ctx context.Context, o operations.Operation) (operations.Operation, error)
	Send(ctx context.Context, id string) error
	Finish(ctx context.Context, id string, status int, headers map[string]string, answer []byte) error
	Break(ctx context.Context, id string) error
	// Abandon notes the answer of one that waits, or that it is lost if it was sent before. ErrState: it waits no more.
	Abandon(ctx context.Context, o operations.Operation, status int, headers map[string]string, answer []byte) error
	Find(ctx context.Context, s fleet.Scope, terminal, id string) (operations.Operation, error)
	List(ctx context.Context, s fleet.Scope, f operations.Filter, limit int) ([]operations.Operation, error)
	Recover(ctx context.Context) ([]operations.Operation, error)
	// Unended are those that are on the disk as this hub's, and have no end there.
	Unended(ctx context.Context) ([]operations.Operation, error)
}

// keyHeader names a request: sent again with it, it is the same one.
const keyHeader = "Idempotency-Key"

// wantsOperation tells of a request that is to run by itself.
func wantsOperation(r *http.Request) bool {
	async, _ := preference(r)
	return async || r.Header.Get(keyHeader) != ""
}

// mostWait bounds how long an answer is held for who asked not to be held: what is between cuts longer ones.
const mostWait = time.Minute

// preference is what the caller would rather have: no waiting, or so much of it.
func preference(r *http.Request) (async bool, wait time.Duration) {
	for _, value := range r.Header.Values("Prefer") {
		for part := range strings.SplitSeq(value, ",") {
			wish, _, _ := strings.Cut(part, ";") // without its parameters
			name, rest, _ := strings.Cut(wish, "=")
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "respond-async":
				async = true
			case "wait":
				if seconds, err := strconv.Atoi(strings.Trim(strings.TrimSpace(rest), `"`)); err == nil && seconds > 0 {
					wait = min(time.Duration(min(seconds, 3600))*time.Second, mostWait)
				}
			}
		}
	}
	return async, wait
}

// longestOperation is what a terminal takes at most of those that may run by themselves: a picture to print.
const longestOperation = 16 << 20

// operate runs a request as an operation, which goes on whether or not its caller stays. The same key, or the same reference of a
// payment, is the same operation.
func (y *Relay) operate(w http.ResponseWriter, r *http.Request, to Target, what kind, link http.RoundTripper) {
	body, err := readBody(w, r, longestOperation)
	if errors.Is(err, errTooLarge) {
		err = reply.Refuse(http.StatusRequestEntityTooLarge, "Requisição grande demais: o limite é de 16 MiB")
	}
	if err != nil {
		refuse(w, err)
		return
	}
	if link == nil {
		to.absent(w) // an operation that goes on is found again when the terminal is back, by the same key
		return
	}
	o := operations.Operation{
		Place: to.Terminal.Place, Terminal: to.Terminal.ID, Caller: to.Caller.ID, Method: r.Method, Path: withQuery(to.Path, r.URL.RawQuery), Body: body,
	}
	if what == payment {
		if o.Reference, _ = referenceIn(body, "referenceId"); o.Reference == "" && lacksReference(body) {
			if to.Caller.NeedsReferences {
				refuse(w, errNeedsReference)
				return
			}
			o.Reference = newReference()
		}
	}
	leave, room := y.running.enter(o)
	claimed := y.running.claims()
	defer claimed.end()
	o, fresh, err := y.begin(r.Context(), o, nameOf(r, what, to, body), room, claimed)
	if room && !fresh {
		leave()
	}
	switch {
	case errors.Is(err, operations.ErrNotFound):
		fail(w, http.StatusServiceUnavailable, "Muitas operações em andamento, tente novamente em instantes")
		return
	case errors.Is(err, operations.ErrOtherRequest):
		fail(w, http.StatusUnprocessableEntity, "Idempotency-Key já utilizada com outra requisição")
		return
	case errors.Is(err, operations.ErrBadKey):
		refuse(w, reply.Invalid(keyHeader, "é longa demais"))
		return
	case err != nil:
		refuse(w, err)
		return
	}
	if fresh {
		if what == payment && lacksReference(body) {
			body = addReference(body, o.Reference)
		}
		y.start(o, link, body, r, leave)
	}
	async, wait := preference(r)
	if async {
		y.respondAccepted(w, r, to, o, wait)
		return
	}
	o, err = y.await(r.Context(), o)
	if err != nil {
		panic(http.ErrAbortHandler) // the caller has gone; the operation goes on
	}
	y.respondEnded(w, r, o)
}

func withQuery(path, query string) string {
	if query == "" {
		return path
	}
	return path + "?" + query
}

// name is what a request is known by when it is sent again.
type name struct {
	key     string
	natural bool // it is the payment's own: what the terminal refused may be asked for again, and is another operation then
}

func nameOf(r *http.Request, what kind, to Target, body []byte) name {
	if key := r.Header.Get(keyHeader); key != "" {
		return name{key: "key " + key}
	}
	switch what {
	case payment:
		if reference, _ := referenceIn(body, "referenceId"); reference != "" {
			return name{"ref " + reference, true}
		}
	case reversal:
		if id, _ := referenceIn(body, "reversalId"); id != "" {
			return name{"rev " + to.Path + " " + id, true}
		}
	}
	return name{}
}

// mostTries is how often one name may be tried anew.
const mostTries = 1000

// begin begins an operation, or finds the one of its name. Without room for another, what runs or has run can still be asked for.
func (y *Relay) begin(ctx context.Context, o operations.Operation, n name, room bool, claimed *claims) (kept operations.Operation, fresh bool, err error) {
	begin := y.Operations.Begin
	if !room {
		begin = y.Operations.Repeat
	}
	for try := 1; try <= mostTries; try++ {
		o.Key = n.key
		if try > 1 {
			o.Key += " #" + strconv.Itoa(try)
		}
		o.ID = operations.NewID()
		claimed.add(o.ID)
		kept, fresh, err = begin(ctx, o)
		switch {
		case errors.Is(err, operations.ErrOtherRequest) && n.natural: // the terminal says what a reference means when it comes again
			continue
		case err != nil, fresh:
			return kept, fresh, err
		case room && kept.State == operations.Broken && (n.natural || kept.Reference != ""):
			claimed.add(kept.ID)
			return y.again(ctx, kept)
		case !leavesNameFree(kept, n.natural):
			return kept, false, nil
		}
		o.Reference = kept.Reference
	}
	return kept, fresh, err
}

// again has an operation run once more whose answer is lost: the terminal knows the payment by its name, and answers as it did.
func (y *Relay) again(ctx context.Context, o operations.Operation) (operations.Operation, bool, error) {
	anew, err := y.Operations.Again(ctx, o)
	if errors.Is(err, operations.ErrState) { // somebody else was faster
		o, err = y.Operations.Find(ctx, fleet.Scope{Place: o.Place}, o.Terminal, o.ID)
		return o, false, err
	}
	return anew, true, err
}

// leavesNameFree tells of an ended operation that was refused before anything began (nothing was sent, or the terminal was busy or
// stopping), or of a payment's own name, to which the terminal did not say yes.
func leavesNameFree(o operations.Operation, natural bool) bool {
	return o.State == operations.Done && (o.Status == http.StatusServiceUnavailable || natural && o.Status >= http.StatusMultipleChoices)
}

// respondAccepted answers 202 with where the operation is, or with its end where that comes soon enough.
func (y *Relay) respondAccepted(w http.ResponseWriter, r *http.Request, to Target, o operations.Operation, wait time.Duration) {
	if wait > 0 {
		ctx, cancel := context.WithTimeout(r.Context(), wait)
		if ended, err := y.await(ctx, o); err == nil {
			o = ended
		}
		cancel()
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	expose(h, "Location", "/terminals/"+to.Terminal.ID+"/operations/"+o.ID)
	h.Set("Preference-Applied", "respond-async")
	if o.Reference != "" {
		expose(h, ReferenceHeader, o.Reference)
	}
	reply.JSON(w, http.StatusAccepted, bodyOf(o)) //nolint:errcheck // it always encodes
}

// respondEnded answers as the terminal did.
func (y *Relay) respondEnded(w http.ResponseWriter, r *http.Request, o operations.Operation) {
	h := w.Header()
	if o.State == operations.Broken {
		if o.Reference != "" {
			expose(h, ReferenceHeader, o.Reference)
		}
		broken(w)
		return
	}
	for name, value := range o.Headers {
		h.Set(name, value)
	}
	guardOrigin(r, h)
	h.Set("Access-Control-Allow-Origin", "*")
	if o.Reference != "" {
		expose(h, ReferenceHeader, o.Reference)
	}
	h.Set("Content-Length", strconv.Itoa(len(o.Answer)))
	w.WriteHeader(o.Status)
	io.Copy(w, bytes.NewReader(o.Answer)) //nolint:errcheck // the caller may be gone
}

// serveOperation answers under /terminals/{id}/operations.
func (y *Relay) serveOperation(w http.ResponseWriter, r *http.Request, to Target, rest []string) {
	if r.Method == http.MethodOptions {
		preflight(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		fail(w, http.StatusMethodNotAllowed, "Método não permitido")
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", "*")
	switch len(rest) {
	case 0:
		all, err := y.Operations.List(r.Context(), to.Caller.Scope, operations.Filter{Terminal: to.Terminal.ID}, 0)
		if err != nil {
			fail(w, http.StatusServiceUnavailable, notRead)
			return
		}
		reply.JSON(w, http.StatusOK, Bodies(all)) //nolint:errcheck // it always encodes
	case 1:
		y.showOperation(w, r, to, rest[0])
	default:
		fail(w, http.StatusNotFound, "Rota não encontrada")
	}
}

const notRead = "Banco de dados do hub fora do ar, tente novamente"

func (y *Relay) showOperation(w http.ResponseWriter, r *http.Request, to Target, id string) {
	o, err := y.Operations.Find(r.Context(), to.Caller.Scope, to.Terminal.ID, id)
	if err == nil {
		if _, wait := preference(r); wait > 0 {
			ctx, cancel := context.WithTimeout(r.Context(), wait)
			if ended, waitErr := y.await(ctx, o); waitErr == nil {
				o = ended
			}
			cancel()
		}
	}
	switch {
	case errors.Is(err, operations.ErrNotFound):
		fail(w, http.StatusNotFound, "Operação não encontrada")
	case err != nil:
		fail(w, http.StatusServiceUnavailable, notRead)
	default:
		reply.JSON(w, http.StatusOK, bodyOf(o)) //nolint:errcheck // it always encodes
	}
}

// OperationBody is an operation as callers see it.
type OperationBody struct {
	ID          string           `json:"id"`
	Terminal    string           `json:"terminal"`
	State       operations.State `json:"state"`
	Message     *string          `json:"message"`
	Method      string           `json:"method"`
	Path        string           `json:"path"`
	ReferenceID *string          `json:"referenceId"`
	CreatedAt   *string          `json:"createdAt"`
	EndedAt     *string          `json:"endedAt"`
	Answer      *answerBody      `json:"answer"`
}

type answerBody struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

// Bodies are operations as callers see them.
func Bodies(all []operations.Operation) []OperationBody {
	list := make([]OperationBody, len(all))
	for i, o := range all {
		list[i] = bodyOf(o)
	}
	return list
}

func bodyOf(o operations.Operation) OperationBody {
	b := OperationBody{
		ID: o.ID, Terminal: o.Terminal, State: o.State, Method: o.Method, Path: o.Path, CreatedAt: reply.Stamp(o.CreatedAt), EndedAt: reply.Stamp(o.EndedAt),
	}
	if o.Reference != "" {
		b.ReferenceID = &o.Reference
	}
	switch o.State {
	case operations.Broken:
		text := lostWords
		b.Message = &text
	case operations.Done:
		b.Answer = &answerBody{o.Status, o.Headers, jsonOf(o.Answer)}
		if o.Headers == nil {
			b.Answer.Headers = map[string]string{}
		}
	}
	return b
}

// jsonOf is an answer as part of one: itself where it is JSON, else its text. Lists have none.
func jsonOf(answer []byte) json.RawMessage {
	if answer == nil {
		return json.RawMessage("null")
	}
	if json.Valid(answer) {
		return answer
	}
	text, err := json.Marshal(string(answer))
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}
