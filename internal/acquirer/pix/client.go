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
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

const (
	maxAnswer = 1 << 20
	maxTries  = 4
)

var errTooLong = errors.New("the PSP's answer is too long")

// client speaks HTTP with the PSP.
type client struct {
	base    string
	patch   string // where charges are withdrawn
	query   string // of every call, with its question mark
	headers []field
	words   *strings.Replacer // what stands for itself in headers
	http    *http.Client
	timeout time.Duration
	pace    Pace
	tokens  *tokens
	worked  atomic.Bool // a call of the API was answered: its address is right
}

func newClient(c Config) (*client, error) {
	certificate, err := c.LoadCertificate()
	if err != nil {
		return nil, err
	}
	cl := &client{base: c.BaseURL, patch: c.PatchURL, timeout: c.Timeout, pace: c.Pace}
	cl.words = strings.NewReplacer("{client_id}", c.ClientID, "{app_key}", c.AppKey, "{account}", c.Account)
	cl.headers, _ = c.headerFields() // checked already, and so is the query
	query := url.Values{}
	fields, _ := c.queryFields()
	for _, f := range fields {
		if value := cl.words.Replace(f.value); value != "" {
			query.Set(f.name, value)
		}
	}
	if len(query) > 0 {
		cl.query = "?" + query.Encode()
	}
	if cl.http, err = c.httpClient(certificate, *c.APICert); err != nil {
		return nil, err
	}
	forTokens, err := c.httpClient(certificate, *c.TokenCert)
	if err != nil {
		return nil, err
	}
	cl.tokens = newTokens(c, func(ctx context.Context, req *http.Request) ([]byte, error) {
		cl.dress(req, "")
		return cl.answer(ctx, forTokens, req)
	})
	return cl, nil
}

// close lets go of the connections.
func (c *client) close() {
	c.http.CloseIdleConnections()
}

// dress gives a request the headers that the bank wants. What is not known yet is left out.
func (c *client) dress(req *http.Request, token string) {
	for _, f := range c.headers {
		value := strings.NewReplacer("{uuid}", uuid.NewString(), "{token}", token).Replace(c.words.Replace(f.value))
		if value != "" {
			req.Header[http.CanonicalHeaderKey(f.name)] = []string{value}
		}
	}
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
		base := c.base
		if method == http.MethodPatch {
			base = c.patch
		}
		req, err := http.NewRequest(method, base+path+c.query, bytes.NewReader(payload))
		if err != nil {
			return nil, err
		}
		c.dress(req, token)
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Accept", "application/json, application/problem+json")
		if payload != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }}
		raw, err := c.answer(httptrace.WithClientTrace(ctx, trace), c.http, req)
		var p *problem
		switch {
		case err == nil:
			c.worked.Store(true)
		case errors.As(err, &p) && p.status == http.StatusNotFound && p.api && c.worked.Load():
			p.notFound = true // the address is right, so it is the thing that is missing
		}
		if errors.As(err, &p) && p.status == http.StatusUnauthorized && !renewed {
			c.tokens.drop(token)
			continue
		}
		return raw, err
	}
}

// answer is the body of a success; anything else is an error, a *problem if the PSP answered at all.
func (c *client) answer(ctx context.Context, by *http.Client, req *http.Request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	res, err := by.Do(req.WithContext(ctx))
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
