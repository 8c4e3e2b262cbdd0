package hubfeed

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// What a page has at most, in records and about in bytes; the last record may exceed the bytes.
const (
	usualLimit = 500
	mostLimit  = 1000
	pageBytes  = 1 << 20
)

// ask is what a hub wants to read: what comes after the record that it has.
type ask struct {
	epoch string    // that after is of; "": the one of now
	after int64     // 0: from the beginning
	at    time.Time // when that record was made, as the hub has it; zero: it does not say
	limit int
}

// readAsk reads the part of the address behind the question mark. Its errors are the hub's to read.
func readAsk(query string) (a ask, err error) {
	q, err := url.ParseQuery(query)
	if err != nil {
		return a, errors.New("parâmetros da URL malformados")
	}
	a.epoch, a.limit = q.Get("epoch"), usualLimit
	if q.Has("after") {
		if a.after, err = strconv.ParseInt(q.Get("after"), 10, 64); err != nil || a.after < 0 {
			return a, errors.New("after: deve ser um número inteiro, zero ou maior")
		}
	}
	if q.Has("limit") {
		if a.limit, err = strconv.Atoi(q.Get("limit")); err != nil || a.limit < 1 || a.limit > mostLimit {
			return a, fmt.Errorf("limit: deve ser um número inteiro entre 1 e %d", mostLimit)
		}
	}
	if q.Has("at") {
		if a.at, err = time.Parse(time.RFC3339Nano, q.Get("at")); err != nil {
			return a, errors.New("at: não é uma data e hora RFC 3339")
		}
	}
	return a, nil
}

// differs tells whether the record that the hub has was made at another moment than the one of its number here. A hub may
// keep times to the microsecond.
func (a ask) differs(here time.Time) bool {
	if a.at.IsZero() {
		return false
	}
	apart := a.at.Sub(here)
	return apart <= -time.Microsecond || apart >= time.Microsecond
}
