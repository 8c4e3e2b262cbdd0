//go:build unix

package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		apptest.RemoveProgram()
		os.Exit(code)
	}))
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

const (
	user   = "loja"
	secret = "segrêdo-0815"
)

// caller sends requests to a service.
type caller struct {
	base           string
	user, password string
	client         *http.Client
}

func newCaller(t *testing.T, base string) caller {
	transport := &http.Transport{MaxIdleConnsPerHost: 32}
	t.Cleanup(transport.CloseIdleConnections)
	return caller{base, user, secret, &http.Client{Transport: transport}}
}

func (c caller) as(user, password string) caller {
	c.user, c.password = user, password
	return c
}

// send returns the status and body, or an error when no answer came.
func (c caller) send(ctx context.Context, method, path, body string) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.SetBasicAuth(c.user, c.password)
	resp, err := c.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return resp.StatusCode, got, err
}

// call is send for a service that must answer.
func (c caller) call(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit)
	defer cancel()
	status, got, err := c.send(ctx, method, path, body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return status, string(got)
}

func (c caller) ok(t *testing.T, method, path, body string) string {
	t.Helper()
	status, got := c.call(t, method, path, body)
	if status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, status, got)
	}
	return got
}

// get reads a JSON answer.
func get[T any](t *testing.T, c caller, path string) (v T) {
	t.Helper()
	must(t, json.Unmarshal([]byte(c.ok(t, "GET", path, "")), &v))
	return v
}

// answer is what a held request got in the end.
type answer struct {
	status int
	body   string
	err    error
}

// hold sends a request that will not be answered soon.
func (c caller) hold(t *testing.T, method, path, body string) <-chan answer {
	got := make(chan answer, 1)
	ctx, cancel := context.WithTimeout(context.Background(), waittest.Limit)
	t.Cleanup(cancel)
	go func() {
		status, text, err := c.send(ctx, method, path, body)
		got <- answer{status, string(text), err}
	}()
	return got
}

const (
	question    = `{"question":{"id":1,"type":"TEXT","question":"Nome?"}}`
	transaction = `{"tPag":"03","amount":12.34,"referenceId":"held"}`
)

// holdBoth has a question and, on top of it, a payment that waits for the card: it is in the ledger then.
func holdBoth(t *testing.T, c caller) (asked, paid <-chan answer) {
	t.Helper()
	type shown struct {
		View    string
		Payment struct{ Step string }
	}
	screen := func() shown { return get[shown](t, c, "/emulator/screen") }
	asked = c.hold(t, "POST", "/ask", question)
	waittest.Until(t, "the question on the screen", func() bool { return screen().View == "question" })
	paid = c.hold(t, "POST", "/transaction", transaction)
	waittest.Until(t, "the payment waits for the card", func() bool { return screen().Payment.Step == "card" })
	return asked, paid
}

// stopped checks that a held request was told so.
func stopped(t *testing.T, what string, held <-chan answer) {
	t.Helper()
	select {
	case a := <-held:
		var body struct {
			Code    int
			Message string
		}
		if a.err != nil || a.status != http.StatusServiceUnavailable || json.Unmarshal([]byte(a.body), &body) != nil || body.Code != 503 || body.Message == "" {
			t.Errorf("%s got %d %s (%v), want 503", what, a.status, a.body, a.err)
		}
	case <-time.After(waittest.Limit):
		t.Errorf("%s got no answer", what)
	}
}

// terminal is the service inside this process.
type terminal struct {
	caller
	app    *app.App
	config app.Config
	stop   func() error
}

func config(data string) app.Config {
	return app.Config{
		Listen: "127.0.0.1:0", Screen: "127.0.0.1:0", Data: data, Mode: app.Emulator, Platform: "android",
		Autopilot: true, AutopilotDelay: time.Hour, Username: user, Password: secret, PaperWidth: 384, Version: "1", Build: "2",
	}
}

// start runs the service in this process until stopped.
func start(t *testing.T, c app.Config) *terminal {
	t.Helper()
	a, err := app.New(c)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	api, _ := a.Addresses()
	term := &terminal{caller: newCaller(t, "http://"+api.String()), app: a, config: c}
	term.stop = sync.OnceValue(func() error {
		cancel()
		defer term.client.CloseIdleConnections()
		return <-ended
	})
	t.Cleanup(func() { _ = term.stop() })
	return term
}
