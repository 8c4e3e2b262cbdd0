// Package behindhub puts a real hub before the terminals of a package's tests, so that the same tests can be run a second time through
// it: only the address and the credentials are others.
package behindhub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/certificate"
	hub "github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// variable has a package's tests run through a hub. It is no flag: go test gives the same flags to every package.
const variable = "MAQUININHA_TEST_THROUGH_HUB"

// Wanted tells whether the tests are to be run through a hub.
func Wanted() bool { return os.Getenv(variable) != "" }

// Hub is one that runs, with everything that ships: SQLite, TLS, its limits of connections.
type Hub struct {
	User, Password string // of its API

	app   *hub.App
	data  string
	stop  context.CancelFunc
	ended chan error
	http  *http.Client // of the kit itself
}

var (
	mu     sync.Mutex
	common *Hub // of all tests of the process; nil: nobody has asked for it
)

// Common is the one hub of all tests of a package, which Tests stops after the last of them.
func Common(t testing.TB) *Hub {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	if common == nil {
		h, err := start()
		if err != nil {
			t.Fatal(err)
		}
		common = h
	}
	return common
}

// Start runs a hub until the test ends.
func Start(t testing.TB) *Hub {
	t.Helper()
	h, err := start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.close(); err != nil {
			t.Errorf("the hub ended with: %v", err)
		}
	})
	return h
}

// Tests are a package's, after which the common hub is stopped.
type Tests struct{ M *testing.M }

// Run is for goleak, which looks after it.
func (m Tests) Run() int {
	code := m.M.Run()
	mu.Lock()
	defer mu.Unlock()
	if common == nil {
		return code
	}
	if err := common.close(); err != nil {
		fmt.Fprintln(os.Stderr, "the hub ended with:", err)
		return max(code, 1)
	}
	return code
}

func start() (*Hub, error) {
	data, err := os.MkdirTemp("", "maquininha-hub-")
	if err != nil {
		return nil, err
	}
	h := &Hub{data: data, ended: make(chan error, 1), http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}}
	h.app, err = hub.New(context.Background(), hub.Config{
		Listen: "127.0.0.1:0", Plain: "127.0.0.1:0", Data: filepath.Join(data, "hub"), Link: apptest.PatientLink, Stop: waittest.Limit,
	})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(data))
	}
	key := regexp.MustCompile(`Chave de API\s+([^:\s]+):(\S+)`).FindStringSubmatch(h.app.Welcome())
	h.User, h.Password = key[1], key[2]
	ctx, stop := context.WithCancel(context.Background())
	h.stop = stop
	go func() { h.ended <- h.app.Run(ctx) }()
	return h, nil
}

func (h *Hub) close() error {
	h.stop()
	err := <-h.ended
	h.http.CloseIdleConnections()
	return errors.Join(err, os.RemoveAll(h.data))
}

// Plain is where the hub answers over HTTP, as it does to a reverse proxy: what a test says there byte by byte can be read as it is.
func (h *Hub) Plain() string { return "http://" + h.app.Plain().String() }

// Secure is where it answers over HTTPS.
func (h *Hub) Secure() string { return "https://" + h.app.Address().String() }

// Certificate is the file of its own certificate.
func (h *Hub) Certificate() string { return filepath.Join(h.data, "hub", certificate.OwnName) }

// Join has the terminal of a data folder join the hub, unless it has. It returns the path of its interface.
func (h *Hub) Join(t testing.TB, data string) (path string) {
	t.Helper()
	m, err := tunnel.Load(data)
	if errors.Is(err, tunnel.ErrNotJoined) {
		var code struct{ Code string }
		if h.call(t, http.MethodPost, "/api/v1/codes", "{}", &code); code.Code == "" {
			t.Fatal("the hub made no code")
		}
		m, err = app.JoinHub(context.Background(), data, tunnel.Invitation{Address: h.Secure(), Code: code.Code, Pin: h.app.Pin(), Name: t.Name()})
	}
	if err != nil {
		t.Fatal(err)
	}
	return "/terminals/" + m.Terminal
}

// Before has a terminal that runs join the hub, and returns the path of its interface when it is connected.
func (h *Hub) Before(t testing.TB, data string) (path string) {
	t.Helper()
	path = h.Join(t, data)
	h.Await(t, path)
	return path
}

// Await returns when the terminal that has such a path is connected. It asks the hub only: nothing of it is in the terminal's log.
func (h *Hub) Await(t testing.TB, path string) {
	t.Helper()
	waittest.Until(t, "the terminal is connected to the hub", func() bool { return h.online(t, path) })
}

// AwaitGone returns when the hub knows that a terminal has stopped: until then it takes the connection that was for the next one.
func (h *Hub) AwaitGone(t testing.TB, path string) {
	t.Helper()
	waittest.Until(t, "the terminal is gone for the hub", func() bool { return !h.online(t, path) })
}

func (h *Hub) online(t testing.TB, path string) bool {
	t.Helper()
	var terminal struct{ Online bool }
	h.call(t, http.MethodGet, "/api/v1"+path, "", &terminal)
	return terminal.Online
}

func (h *Hub) call(t testing.TB, method, path, body string, out any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waittest.Limit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, h.Plain()+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(h.User, h.Password)
	resp, err := h.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		t.Fatalf("%s %s: %d: %v", method, path, resp.StatusCode, err)
	}
}
