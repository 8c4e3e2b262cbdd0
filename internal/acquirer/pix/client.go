package pix

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	maxAnswer = 1 << 20
	maxTries  = 4
)

var errTooLong = errors.New("the PSP's answer is too long")

// client speaks HTTP with the PSP.
type client struct {
	base    string
	http    *http.Client
	timeout time.Duration
	pace    Pace
	tokens  *tokens
	close   func()
}

func newClient(c Config, transport http.RoundTripper, closeIdle func()) *client {
	cl := &client{base: c.BaseURL, timeout: c.Timeout, pace: c.Pace, close: closeIdle}
	cl.http = &http.Client{
		Transport: transport,
		// A token must not follow a redirect to wherever it leads.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	cl.tokens = newTokens(c, cl.answer)
	return cl
}

// call makes one request and repeats it as long as that is harmless and may help. Its error is a *failure.
func (c *client) call(ctx context.Context, method, path string, body any) ([]byte, error) {
	tries := maxTries
	if method == http.MethodPatch {
		tries = 1 // whoever withdraws looks before asking again
	}
	return c.repeat(ctx, tries, method, path, body)
}

func (c *client) repeat(ctx context.Context, tries int, method, path string, body any) ([]byte, error) {
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return nil, &failure{err: err, text: err.Error()}
		}
	}
	unsure := false
	for try := 1; ; try++ {
		var sent atomic.Bool
		raw, err := c.authorized(ctx, &sent, method, path, payload)
		if err == nil {
			return raw, nil
		}
		var p *problem
		answered := errors.As(err, &p)
		unsure = unsure || sent.Load() && (!answered || p.status >= 500)
		again := ctx.Err() == nil && try < tries && !errors.Is(err, errTooLong) && (!answered || p.transient())
		if !again || !c.pause(ctx, try, p) {
			return nil, &failure{err: err, text: c.tokens.hide(fmt.Sprintf("%s %s: %v", method, path, err)), unsure: unsure}
		}
	}
}

// pause waits before the next try; false: it is not worth it.
func (c *client) pause(ctx context.Context, try int, p *problem) bool {
	wait := min(c.pace.Backoff<<(try-1), c.pace.MaxBackoff)
	wait = wait/2 + rand.N(wait/2+1) // terminals that lost the PSP together must not come back together
	if p != nil {
		wait = max(wait, p.wait)
	}
	if wait > c.pace.MaxBackoff {
		return false
	}
	return sleep(ctx, wait) == nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// authorized makes the request with a token, and once more with a new one if the PSP no longer takes the first.
func (c *client) authorized(ctx context.Context, sent *atomic.Bool, method, path string, payload []byte) ([]byte, error) {
	for renewed := false; ; renewed = true {
		token, err := c.tokens.get(ctx)
		if err != nil {
			return nil, fmt.Errorf("asking for a token: %w", err)
		}
		req, err := http.NewRequest(method, c.base+path, bytes.NewReader(payload))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Accept", "application/json, application/problem+json")
		if payload != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }}
		raw, err := c.answer(httptrace.WithClientTrace(ctx, trace), req)
		var p *problem
		if errors.As(err, &p) && p.status == http.StatusUnauthorized && !renewed {
			c.tokens.drop(token)
			continue
		}
		return raw, err
	}
}

// answer is the body of a success; anything else is an error, a *problem if the PSP answered at all.
func (c *client) answer(ctx context.Context, req *http.Request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	res, err := c.http.Do(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if res.StatusCode < 200 || res.StatusCode > 299 {
		p := parseProblem(res.StatusCode, raw, c.tokens.hide)
		p.wait = retryAfter(res.Header)
		return nil, p
	}
	switch {
	case err != nil:
		return nil, err
	case len(raw) > maxAnswer:
		return nil, errTooLong
	}
	return raw, nil
}

// retryAfter reads both forms of the header. A moment is by the PSP's clock, which need not be ours: how far off it is goes
// by what that clock showed when it answered.
func retryAfter(h http.Header) time.Duration {
	s := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseUint(s, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(s)
	now, noClock := http.ParseTime(h.Get("Date"))
	if err != nil || noClock != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}
