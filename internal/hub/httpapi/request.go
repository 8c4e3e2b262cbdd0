package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/params"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/metrics"
)

// request is one with who sent it.
type request struct {
	*http.Request
	caller relay.Caller
	header http.Header // of the answer
	writer http.ResponseWriter
	text   []byte // the body
}

const (
	longestBody = 64 << 10
	bodyWait    = 30 * time.Second
)

// takeBody reads the body before the customer's turn comes: callers on slow lines must not hold up their colleagues, nor those who mean to.
func (api *API) takeBody(r *request) error {
	if isRead(r.Method) || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	leave, err := api.bodies.enter(r.Context(), r.caller.Scope)
	if err != nil {
		return err
	}
	defer leave()
	conn := http.NewResponseController(r.writer)
	conn.SetReadDeadline(time.Now().Add(bodyWait)) //nolint:errcheck // what knows no deadlines has none
	// Where a body's pieces have deadlines of their own, many small ones would take for ever.
	late := time.AfterFunc(bodyWait, func() { r.Body.Close() })
	defer late.Stop()
	r.text, err = io.ReadAll(http.MaxBytesReader(r.writer, r.Body, longestBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return reply.Refuse(http.StatusRequestEntityTooLarge, "Requisição grande demais: o limite é de 65536 bytes")
	case err != nil: // the deadline stays, or the server would wait for the rest
		return reply.Refuse(http.StatusBadRequest, "Requisição inválida: o corpo não chegou inteiro")
	}
	conn.SetReadDeadline(time.Time{}) //nolint:errcheck // as above
	return nil
}

// decode reads the body, an object. Fields that nobody knows are passed over.
func (r *request) decode(to any) error {
	text := r.text
	if len(text) == 0 {
		text = []byte("{}")
	}
	err := json.Unmarshal(text, to)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return reply.Invalid(wrong.Field, "é de outro tipo")
	case err != nil:
		return reply.Refuse(http.StatusBadRequest, "Requisição inválida: o corpo não é um objeto JSON válido")
	}
	return nil
}

// query is the part of the address behind the question mark, with what only this interface asks for there.
type query struct{ *params.Query }

func queryOf(r *http.Request) query {
	q := params.Of(r)
	q.InZone("zone")
	return query{q}
}

// datedQuery is one whose dates are of the zone that is named or, where one terminal is, of that terminal's clock.
func (api *API) datedQuery(r *http.Request, s fleet.Scope) query {
	q := queryOf(r)
	if id := q.Get("terminal"); id != "" && q.Get("zone") == "" {
		if t, err := api.Fleet.Terminal(r.Context(), s, id); err == nil && !t.Condition.Clock.IsZero() {
			q.Zone = t.Condition.Clock.Location()
		}
	}
	return q
}

func (q query) place() fleet.Place { return fleet.Place{Tenant: q.Get("tenant"), Shop: q.Get("shop")} }

func (q query) mark() records.Mark {
	m, err := records.ParseMark(q.Get("after"))
	if err != nil {
		q.Wrong("after", "não é o fim de uma página")
	}
	return m
}

// nullable is a text, or null where there is none.
func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// measure counts a request when it is answered.
func measure(count *metrics.Route) func(status int) {
	began := time.Now()
	return func(status int) {
		outcome := metrics.OK
		switch {
		case status >= http.StatusInternalServerError:
			outcome = metrics.Failed
		case status >= http.StatusBadRequest:
			outcome = metrics.Refused
		}
		count.Done(outcome, time.Since(began))
	}
}
