package httpapi

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/moment"
)

// query is the part of the address behind the question mark.
type query struct{ url.Values }

func readQuery(r *http.Request) (query, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return query{}, invalid("", "parâmetros da URL malformados")
	}
	return query{values}, nil
}

// maxListed is the most that one answer lists.
const maxListed = 100_000

func (q query) limit(otherwise int) (int, error) {
	if !q.Has("limit") {
		return otherwise, nil
	}
	n, err := strconv.Atoi(q.Get("limit"))
	if err != nil || n < 1 || n > maxListed {
		return 0, invalid("limit", "deve ser um número inteiro entre 1 e "+strconv.Itoa(maxListed))
	}
	return n, nil
}

func (q query) flag(name string, otherwise bool) (bool, error) {
	switch q.Get(name) {
	case "":
		return otherwise, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, invalid(name, "deve ser true ou false")
}

// moment reads a parameter as moment.Parse does.
func (q query) moment(name string, end bool) (time.Time, error) {
	text := q.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	t, ok := moment.Parse(text, end)
	if !ok {
		return t, invalid(name, "não é uma data ISO 8601")
	}
	return t, nil
}
