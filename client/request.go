package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// call is one request as the interface knows it.
type call struct {
	method, path string
	query        url.Values
	body         []byte
	kind         string       // of the body; JSON when empty
	held         bool         // a person or a printer takes the time it takes
	onceOnly     bool         // not to be repeated, whatever the answer
	stoppable    bool         // harmless to ask again of a terminal that has restarted
	header       *http.Header // where to put the answer's; nil: nobody wants it
}

// path joins segments; ids may hold anything.
func path(segments ...string) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(url.PathEscape(s), ".", "%2E")) // "." and ".." are ids, too
	}
	return b.String()
}

// Do sends a request that has no call of its own here, such as those of /emulator. A body that is not []byte is sent as JSON; the
// answer is decoded into out, or is out itself where that is a *[]byte, unless it is nil. It is repeated while the terminal is busy.
func (c *Client) Do(ctx context.Context, method, path string, body, out any) error {
	return c.send(ctx, call{method: method, path: path, held: true}, body, out)
}

// Most calls are one of these: answered at once, in JSON.
func (c *Client) get(ctx context.Context, path string, out any) error {
	return c.send(ctx, call{method: http.MethodGet, path: path}, nil, out)
}

func (c *Client) post(ctx context.Context, path string, body, out any) error {
	return c.send(ctx, call{method: http.MethodPost, path: path}, body, out)
}

func (c *Client) patch(ctx context.Context, path string, change any) error {
	return c.send(ctx, call{method: http.MethodPatch, path: path}, change, nil)
}

func (c *Client) remove(ctx context.Context, path string) error {
	return c.send(ctx, call{method: http.MethodDelete, path: path}, nil, nil)
}

// send encodes the body, repeats the call while the terminal is busy, and decodes the answer.
func (c *Client) send(ctx context.Context, k call, body, out any) error {
	switch b := body.(type) {
	case nil:
	case []byte:
		k.body = b
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return fmt.Errorf("montando a requisição: %w", err)
		}
		k.body = text
	}
	text, err := c.patiently(ctx, k)
	if err != nil || out == nil {
		return err
	}
	if raw, ok := out.(*[]byte); ok {
		*raw = text
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%w: resposta de %s que não é do terminal: %w", ErrNoAnswer, k.path, err)
	}
	return nil
}

const (
	firstPause   = 250 * time.Millisecond
	longestPause = 2 * time.Second
)

// patiently repeats a call that the terminal was too busy for: it refuses those before it does anything.
func (c *Client) patiently(ctx context.Context, k call) ([]byte, error) {
	giveUp := time.Now().Add(c.busy)
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		text, err := c.once(ctx, k)
		again := errors.Is(err, ErrBusy) || k.stoppable && errors.Is(err, ErrStopping)
		if !again || k.onceOnly || time.Now().Add(pause).After(giveUp) {
			return text, err
		}
		if wait(ctx, pause) != nil {
			return nil, err // that it was busy says more than that time is up
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// once sends a call and reads its whole answer.
func (c *Client) once(ctx context.Context, k call) ([]byte, error) {
	if !k.held {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	answer, err := c.open(ctx, k)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	if k.header != nil {
		*k.header = answer.Header
	}
	return text, nil
}

// open sends a call; what is no success is an error.
func (c *Client) open(ctx context.Context, k call) (*http.Response, error) {
	var connected atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	address := c.base.String() + k.path
	if len(k.query) > 0 {
		address += "?" + k.query.Encode()
	}
	var content io.Reader
	if k.body != nil {
		content = bytes.NewReader(k.body)
	}
	r, err := http.NewRequestWithContext(traced, k.method, address, content)
	if err != nil {
		return nil, fmt.Errorf("montando a requisição: %w", err)
	}
	r.SetBasicAuth(c.user, c.password)
	if k.body != nil {
		kind := k.kind
		if kind == "" {
			kind = "application/json"
		}
		r.Header.Set("Content-Type", kind)
	}
	answer, err := c.http.Do(r)
	switch {
	case err != nil && connected.Load():
		return nil, fmt.Errorf("%w: %w", ErrNoAnswer, bare(err))
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, bare(err))
	case answer.StatusCode == http.StatusOK, answer.StatusCode == http.StatusAccepted && !k.held:
		return answer, nil
	}
	defer answer.Body.Close()
	return nil, failureOf(k, answer)
}

// bare takes off the method and the address, which the caller knows.
func bare(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// longestError is far beyond any error body; what is longer comes from elsewhere.
const longestError = 64 << 10

func failureOf(k call, answer *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(answer.Body, longestError))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	var said struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	e := &Error{Status: answer.StatusCode, Code: answer.StatusCode, Reason: answer.Header.Get("X-Motivo"), Method: k.method, Path: k.path}
	if json.Unmarshal(text, &said) == nil && said.Message != "" {
		e.Code, e.Message = said.Code, said.Message
	} else {
		e.Message = "Resposta inesperada: " + strconv.Itoa(answer.StatusCode) // a proxy in between, or no terminal at all
	}
	return e
}
