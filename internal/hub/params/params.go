// Package params reads the part of an address behind the question mark: the hub's own interface does, and lookups that it answers in a
// terminal's place.
package params

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones, also where the system has none

	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/moment"
)

// Query are the parameters of a request. The first thing wrong is remembered.
type Query struct {
	url.Values
	Fault error          // a refusal; nil: nothing is wrong so far
	Zone  *time.Location // of dates that name none
}

// Of are those of a request.
func Of(r *http.Request) *Query {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		err = reply.Refuse(http.StatusBadRequest, "Requisição inválida: parâmetros da URL malformados")
	}
	return &Query{values, err, time.Local}
}

// Wrong notes what is wrong with a parameter.
func (q *Query) Wrong(name, problem string) {
	if q.Fault == nil {
		q.Fault = reply.Invalid(name, problem)
	}
}

// Whole is a whole number between two bounds.
func (q *Query) Whole(name string, otherwise, least, most int) int {
	if !q.Has(name) {
		return otherwise
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < least || n > most {
		q.Wrong(name, "deve ser um número inteiro entre "+strconv.Itoa(least)+" e "+strconv.Itoa(most))
	}
	return n
}

// Choice is a word out of a few; none: it does not matter.
func (q *Query) Choice(name string, words ...string) string {
	text := q.Get(name)
	if text != "" && !slices.Contains(words, text) {
		q.Wrong(name, "deve ser um de: "+strings.Join(words, ", "))
	}
	return text
}

// InZone takes dates for those of the zone that a parameter names, such as America/Manaus: a day ends in each shop when it does there.
func (q *Query) InZone(name string) {
	text := q.Get(name)
	if text == "" {
		return
	}
	zone, ok := moment.Zone(text)
	if !ok {
		q.Wrong(name, "deve ser um fuso horário, como America/Sao_Paulo")
		return
	}
	q.Zone = zone
}

// Moment is a date as people write it, or the end of it; none is zero.
func (q *Query) Moment(name string, end bool) time.Time {
	text := q.Get(name)
	if text == "" {
		return time.Time{}
	}
	t, ok := moment.ParseIn(text, end, q.Zone)
	if !ok {
		q.Wrong(name, "não é uma data ISO 8601")
	}
	return t
}
