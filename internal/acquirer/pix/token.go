package pix

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// tokens keeps the token that opens the API until shortly before it expires.
type tokens struct {
	config Config
	answer func(context.Context, *http.Request) ([]byte, error)
	turn   chan struct{} // held by whoever asks for a new one

	mu    sync.Mutex
	value string
	old   string // may still be in a text that somebody will read
	until time.Time
}

func newTokens(c Config, answer func(context.Context, *http.Request) ([]byte, error)) *tokens {
	return &tokens{config: c, answer: answer, turn: make(chan struct{}, 1)}
}

func (t *tokens) get(ctx context.Context) (string, error) {
	if t.config.TokenAuth == "none" {
		return t.config.ClientSecret, nil
	}
	if value, ok := t.current(); ok {
		return value, nil
	}
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if value, ok := t.current(); ok {
		return value, nil // another has fetched it meanwhile
	}
	return t.fetch(ctx)
}

func (t *tokens) current() (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.value, t.value != "" && time.Now().Before(t.until)
}

// request asks for a token as the bank wants to be asked.
func (t *tokens) request() (*http.Request, error) {
	c := t.config
	address, fields := c.TokenURL, map[string]string{}
	switch c.TokenGrant {
	case "body":
		fields["grant_type"] = "client_credentials"
	case "query":
		address += "?grant_type=client_credentials"
	}
	if c.TokenAuth == "body" || c.TokenAuth == "body-public" {
		fields["client_id"] = c.ClientID
	}
	if c.TokenAuth == "body" {
		fields["client_secret"] = c.ClientSecret
	}
	if scopes := c.scopes(); scopes != "" {
		fields["scope"] = scopes
	}
	media, body := "application/x-www-form-urlencoded", formOf(fields)
	if c.TokenFormat == "json" {
		text, err := json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		media, body = "application/json", string(text)
	}
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", media)
	req.Header.Set("Accept", "application/json")
	switch {
	case c.TokenAuth != "basic":
	case *c.BasicEscape:
		req.SetBasicAuth(url.QueryEscape(c.ClientID), url.QueryEscape(c.ClientSecret)) // as RFC 6749 wants it
	default:
		req.SetBasicAuth(c.ClientID, c.ClientSecret) // as banks compare it
	}
	return req, nil
}

func formOf(fields map[string]string) string {
	form := url.Values{}
	for name, value := range fields {
		form.Set(name, value)
	}
	return form.Encode()
}

func (t *tokens) fetch(ctx context.Context) (string, error) {
	req, err := t.request()
	if err != nil {
		return "", err
	}
	asked := time.Now()
	raw, err := t.answer(ctx, req)
	if err != nil {
		return "", err
	}
	value, life, err := parseToken(raw)
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	// A request on its way must not outlive its token.
	t.old, t.value, t.until = t.value, value, asked.Add(life-min(life/10, 30*time.Second))
	return value, nil
}

// drop forgets a token that the PSP no longer takes.
func (t *tokens) drop(value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value == value {
		t.until = time.Time{}
	}
}

// hide takes the secrets out of a text that somebody will read.
func (t *tokens) hide(s string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, secret := range []string{t.config.ClientSecret, url.QueryEscape(t.config.ClientSecret), t.config.AppKey, t.value, t.old} {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, "***")
		}
	}
	return s
}
