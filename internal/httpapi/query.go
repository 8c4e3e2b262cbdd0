package httpapi

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
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

// zoned date-times carry their zone; the others are the device's.
var (
	zonedFormats = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07"}
	localFormats = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T15", "2006-01-02 15:04:05", "2006-01-02 15:04"}
	dayFormats   = []string{"2006-01-02", "20060102"}
)

// moment reads any ISO 8601 date or date-time. As the end of a span, a date alone means the end of that day; the
// moment returned is the first one outside.
func (q query) moment(name string, end bool) (time.Time, error) {
	text := q.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	for _, format := range zonedFormats {
		if t, err := time.Parse(format, text); err == nil {
			return after(t, end), nil
		}
	}
	for _, format := range localFormats {
		if t, err := time.ParseInLocation(format, text, time.Local); err == nil {
			return after(t, end), nil
		}
	}
	for _, format := range dayFormats {
		if t, err := time.ParseInLocation(format, text, time.Local); err == nil {
			if end {
				t = t.AddDate(0, 0, 1)
			}
			return t, nil
		}
	}
	return time.Time{}, invalid(name, "não é uma data ISO 8601")
}

// after makes the end of a span include the millisecond it names: that is how finely times are shown.
func after(t time.Time, end bool) time.Time {
	if end {
		return t.Truncate(time.Millisecond).Add(time.Millisecond)
	}
	return t
}
