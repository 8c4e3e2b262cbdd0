//go:build unix

package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
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

// tape keeps what a process says.
type tape struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *tape) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *tape) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// process is the program, running.
type process struct {
	caller
	cmd            *exec.Cmd
	stdout, stderr *tape
	ended          chan struct{}
}

const (
	user   = "loja"
	secret = "segrêdo-0815"
)

// environment is what a process gets to see: nothing of the tester's own settings.
func environment(more ...string) []string {
	return append([]string{"HOME=/nonexistent", "PATH=" + os.Getenv("PATH"), "TZ=America/Sao_Paulo"}, more...)
}

func withSecret() []string {
	return environment("MAQUININHA_USERNAME="+user, "MAQUININHA_PASSWORD="+secret)
}

// command prepares the program without starting it.
func command(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	if raced {
		t.Skip("another process: for the run without the race detector")
	}
	p := &process{cmd: exec.Command(apptest.Program(t), args...), stdout: &tape{}, stderr: &tape{}, ended: make(chan struct{})}
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = env, p.stdout, p.stderr
	return p
}

func (p *process) start(t *testing.T) {
	t.Helper()
	must(t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait() // how it ended is in its state
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // gone already is as good
		<-p.ended
	})
}

// exit waits for the end and returns the code; -1 means that a signal ended it.
func (p *process) exit(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(waittest.Limit):
		t.Fatalf("still running; it said:\n%s%s", p.stdout, p.stderr)
	}
	return p.cmd.ProcessState.ExitCode()
}

// run is the program from beginning to end.
func run(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	p := command(t, env, args...)
	p.start(t)
	code = p.exit(t)
	return p.stdout.String(), p.stderr.String(), code
}

var bannerAPI = regexp.MustCompile(`(?m)^ +API +(http://\S+)`)

// serve runs the program on free ports and returns once it answers.
func serve(t *testing.T, data string, env []string, args ...string) *process {
	t.Helper()
	p := command(t, env, append(args, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--data", data)...)
	p.start(t)
	waittest.Until(t, "the banner", func() bool {
		select {
		case <-p.ended:
			t.Fatalf("ended at once with %d:\n%s%s", p.cmd.ProcessState.ExitCode(), p.stdout, p.stderr)
		default:
		}
		return strings.Contains(p.stdout.String(), "Experimente:")
	})
	found := bannerAPI.FindStringSubmatch(p.stdout.String())
	if found == nil {
		t.Fatalf("no address in:\n%s", p.stdout)
	}
	p.caller = newCaller(t, found[1])
	return p
}

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
