package pix

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"
)

// Reach asks the PSP for a token, once, and for nothing else: no money moves. It tells the PSP's clock, zero where the
// PSP does not say.
func Reach(ctx context.Context, c Config) (clock time.Time, err error) {
	c.Terminal = cmp.Or(c.Terminal, "check")
	heard := &listener{}
	c.wrap = func(next http.RoundTripper) http.RoundTripper {
		heard.next = next
		return heard
	}
	a, err := New(c)
	if err != nil {
		return time.Time{}, err
	}
	defer a.Close()
	_, err = a.client.tokens.get(ctx)
	return heard.clock, err
}

// listener hears what time it is at the PSP.
type listener struct {
	next  http.RoundTripper
	clock time.Time
}

func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := l.next.RoundTrip(r)
	if err == nil {
		l.clock, _ = http.ParseTime(res.Header.Get("Date")) // zero: it says none
	}
	return res, err
}

// Answer is what the PSP itself said against a request; false when the error is another.
func Answer(err error) (status int, text string, answered bool) {
	var p *problem
	if !errors.As(err, &p) {
		return 0, "", false
	}
	return p.status, p.text, true
}
