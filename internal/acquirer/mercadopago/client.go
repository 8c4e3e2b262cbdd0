package mercadopago

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// client speaks HTTP with Mercado Pago.
type client struct {
	base    string
	token   string
	http    *http.Client
	timeout time.Duration
	backoff remote.Backoff
}

func newClient(c Config) (*client, error) {
	by, err := remote.Transport{CA: c.CA, Timeout: c.Timeout, Network: c.Network}.Client()
	if err != nil {
		return nil, fmt.Errorf("mercadopago: %w", err)
	}
	return &client{
		base: c.BaseURL, token: c.Token, http: by, timeout: c.Timeout,
		backoff: remote.Backoff{First: c.Pace.Backoff, Most: c.Pace.MaxBackoff},
	}, nil
}

// get reads. Its error is a *remote.Failure.
func (c *client) get(ctx context.Context, tries int, path string) ([]byte, error) {
	return c.repeat(ctx, tries, http.MethodGet, path, nil, nil)
}

// post sends a kept request, as often as may help: its key makes all of them one.
func (c *client) post(ctx context.Context, q remote.Request) ([]byte, error) {
	return c.repeat(ctx, remote.MaxTries, http.MethodPost, q.Path, q.Body, map[string]string{keyHeader: q.Key})
}

// cancel asks once: whoever cancels looks before asking again. A key of its own each time has it answered by the order's state of then.
func (c *client) cancel(ctx context.Context, path string) error {
	_, err := c.repeat(ctx, 1, http.MethodPost, path, nil, map[string]string{
		keyHeader: uuid.NewString(), "X-Allow-Cancelable-Status": string(atTerminal),
	})
	return err
}

const keyHeader = "X-Idempotency-Key"

func (c *client) repeat(ctx context.Context, tries int, method, path string, body []byte, headers map[string]string) ([]byte, error) {
	where, _, _ := strings.Cut(path, "?")
	hide := func(err error) string { return c.hide(fmt.Sprintf("%s %s: %v", method, where, err)) }
	return c.backoff.Repeat(ctx, tries, hide, func(mark func(context.Context) context.Context) ([]byte, error) {
		req, err := http.NewRequest(method, c.base+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+c.token)
		req.Header.Set("Accept", "application/json")
		if method == http.MethodPost {
			req.Header.Set("Content-Type", "application/json")
		}
		for name, value := range headers {
			req.Header.Set(name, value)
		}
		a, err := remote.Ask(mark(ctx), c.http, req, c.timeout)
		if err != nil {
			return nil, err
		}
		if !a.OK() {
			p := parseProblem(a.Status, a.Body, c.hide)
			p.wait = remote.RetryAfter(a.Header)
			return nil, p
		}
		return a.Body, nil
	})
}

// hide takes the token out of a text that somebody will read.
func (c *client) hide(s string) string { return strings.ReplaceAll(s, c.token, "***") }
