package remote

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Caller makes the calls of one service, as often as may help.
type Caller struct {
	Base    string
	HTTP    *http.Client
	Timeout time.Duration // of one request
	Backoff Backoff
	Headers map[string]string // of every request
	Secrets []string          // never in a text that somebody reads
	Refused func(Answer) Problem
}

// Call is one of them. Its path is below the base.
type Call struct {
	Method, Path string
	Body         []byte // JSON; nil: none
	Headers      map[string]string
	Tries        int
}

// Do makes a call. Its error is a *Failure.
func (c *Caller) Do(ctx context.Context, call Call) ([]byte, error) {
	where, _, _ := strings.Cut(call.Path, "?")
	hide := func(err error) string { return c.Hide(fmt.Sprintf("%s %s: %v", call.Method, where, err)) }
	return c.Backoff.Repeat(ctx, call.Tries, hide, func(mark func(context.Context) context.Context) ([]byte, error) {
		req, err := c.request(call)
		if err != nil {
			return nil, err
		}
		a, err := Ask(mark(ctx), c.HTTP, req, c.Timeout)
		switch {
		case err != nil:
			return nil, err
		case !a.OK():
			return nil, c.Refused(a)
		}
		return a.Body, nil
	})
}

func (c *Caller) request(call Call) (*http.Request, error) {
	req, err := http.NewRequest(call.Method, c.Base+call.Path, bytes.NewReader(call.Body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if call.Method == http.MethodPost || call.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, headers := range []map[string]string{c.Headers, call.Headers} {
		for name, value := range headers {
			req.Header.Set(name, value)
		}
	}
	return req, nil
}

// Hide takes the secrets out of a text that somebody will read.
func (c *Caller) Hide(s string) string {
	for _, secret := range c.Secrets {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, "***")
		}
	}
	return s
}
