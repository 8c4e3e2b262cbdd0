package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/metrics"
	"github.com/maquininha/maquininha/internal/moment"
)

// request is one with who sent it.
type request struct {
	*http.Request
	caller relay.Caller
	header http.Header // of the answer
	writer http.ResponseWriter
}

const (
	longestBody = 64 << 10
	bodyWait    = 30 * time.Second
)

// decode reads the body, an object. Fields that nobody knows are passed over.
func (r *request) decode(to any) error {
	conn := http.NewResponseController(r.writer)
	conn.SetReadDeadline(time.Now().Add(bodyWait)) //nolint:errcheck // what knows no deadlines has none
	text, err := io.ReadAll(http.MaxBytesReader(r.writer, r.Body, longestBody))
	conn.SetReadDeadline(time.Time{}) //nolint:errcheck // as above
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return reply.Refuse(http.StatusRequestEntityTooLarge, "Requisição grande demais: o limite é de 65536 bytes")
	case err != nil:
		return reply.Refuse(http.StatusBadRequest, "Requisição inválida: o corpo não chegou inteiro")
	case len(text) == 0:
		text = []byte("{}")
	}
	err = json.Unmarshal(text, to)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return invalid(wrong.Field, "é de outro tipo")
	case err != nil:
		return reply.Refuse(http.StatusBadRequest, "Requisição inválida: o corpo não é um objeto JSON válido")
	}
	return nil
}

func invalid(name, problem string) error {
	return reply.Refuse(http.StatusBadRequest, "Requisição inválida: "+name+" "+problem)
}

// query is the part of the address behind the question mark. The first thing wrong is remembered.
type query struct {
	url.Values
	fault error
}

func queryOf(r *http.Request) *query {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		err = reply.Refuse(http.StatusBadRequest, "Requisição inválida: parâmetros da URL malformados")
	}
	return &query{values, err}
}

func (q *query) wrong(name, problem string) {
	if q.fault == nil {
		q.fault = invalid(name, problem)
	}
}

func (q *query) whole(name string, otherwise, most int) int {
	if !q.Has(name) {
		return otherwise
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < 0 || n > most {
		q.wrong(name, "deve ser um número inteiro entre 0 e "+strconv.Itoa(most))
	}
	return n
}

// choice is a word out of a few; none: it does not matter.
func (q *query) choice(name string, words ...string) string {
	text := q.Get(name)
	if text != "" && !slices.Contains(words, text) {
		q.wrong(name, "deve ser um de: "+strings.Join(words, ", "))
	}
	return text
}

func (q *query) moment(name string, end bool) time.Time {
	text := q.Get(name)
	if text == "" {
		return time.Time{}
	}
	t, ok := moment.Parse(text, end)
	if !ok {
		q.wrong(name, "não é uma data ISO 8601")
	}
	return t
}

func (q *query) place() fleet.Place { return fleet.Place{Tenant: q.Get("tenant"), Shop: q.Get("shop")} }

func (q *query) mark() records.Mark {
	m, err := records.ParseMark(q.Get("after"))
	if err != nil {
		q.wrong("after", "não é o fim de uma página")
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
