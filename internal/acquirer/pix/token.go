package pix

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const scopes = "cob.write cob.read pix.write pix.read"

// tokens keeps the token that opens the API until shortly before it expires.
type tokens struct {
	url, id, secret string
	answer          func(context.Context, *http.Request) ([]byte, error)
	turn            chan struct{} // held by whoever asks for a new one

	mu    sync.Mutex
	value string
	old   string // may still be in a text that somebody will read
	until time.Time
}

func newTokens(c Config, answer func(context.Context, *http.Request) ([]byte, error)) *tokens {
	return &tokens{url: c.TokenURL, id: c.ClientID, secret: c.ClientSecret, answer: answer, turn: make(chan struct{}, 1)}
}

func (t *tokens) get(ctx context.Context) (string, error) {
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

func (t *tokens) fetch(ctx context.Context) (string, error) {
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {scopes}}
	req, err := http.NewRequest(http.MethodPost, t.url, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.SetBasicAuth(url.QueryEscape(t.id), url.QueryEscape(t.secret)) // as RFC 6749 wants it
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
	for _, secret := range []string{t.secret, url.QueryEscape(t.secret), t.value, t.old} {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, "***")
		}
	}
	return s
}
