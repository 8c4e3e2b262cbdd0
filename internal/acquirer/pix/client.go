package pix

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

const maxTries = remote.MaxTries

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

// call makes one request and repeats it as long as that is harmless and may help. Its error is a *remote.Failure.
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
			return nil, &remote.Failure{Err: err, Text: err.Error()}
		}
	}
	hide := func(err error) string { return c.tokens.hide(fmt.Sprintf("%s %s: %v", method, path, err)) }
	backoff := remote.Backoff{First: c.pace.Backoff, Most: c.pace.MaxBackoff}
	return backoff.Repeat(ctx, tries, hide, func(mark func(context.Context) context.Context) ([]byte, error) {
		return c.authorized(ctx, mark, method, path, payload)
	})
}

// authorized makes the request with a token, and once more with a new one if the PSP no longer takes the first.
func (c *client) authorized(ctx context.Context, mark func(context.Context) context.Context, method, path string, payload []byte) ([]byte, error) {
	for renewed := false; ; renewed = true {
		token, err := c.tokens.get(ctx)
		if err != nil {
			return nil, fmt.Errorf("asking for a token: %w", tokenFault{err})
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
		raw, err := c.answer(mark(ctx), c.http, req)
		var p *problem
		switch {
		case err == nil:
			c.worked.Store(true)
		case errors.As(err, &p) && p.Status == http.StatusNotFound && p.api && c.worked.Load():
			p.notFound = true // the address is right, so it is the thing that is missing
		}
		if errors.As(err, &p) && p.Status == http.StatusUnauthorized && !renewed {
			c.tokens.drop(token)
			continue
		}
		return raw, err
	}
}

// answer is the body of a success; anything else is an error, a *problem if the PSP answered at all.
func (c *client) answer(ctx context.Context, by *http.Client, req *http.Request) ([]byte, error) {
	a, err := remote.Ask(ctx, by, req, c.timeout)
	if err != nil {
		return nil, err
	}
	if !a.OK() {
		p := parseProblem(a.Status, a.Body, c.tokens.hide)
		p.Pause = remote.RetryAfter(a.Header)
		return nil, p
	}
	return a.Body, nil
}
