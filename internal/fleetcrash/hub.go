package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
)

// hub is a hub's process.
type hub struct {
	binary, dir string
	database    string // of PostgreSQL; empty: SQLite in its folder
	wire        *link  // to the database, where there are several hubs
	address     string
	peer        string // where the others reach it; empty: it is alone
	user, key   string // of the first start

	mu      sync.Mutex
	process *counter.Process
}

// hubs are all, and how callers and terminals reach them.
type hubs struct {
	all       []*hub
	user, key string
	client    *http.Client
	turn      atomic.Uint32
}

func newHubs() *hubs {
	h := &hubs{}
	// Their certificate is their own. A connection for each request: one to a process that was killed is no use to the next.
	h.client = &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return h.dial(ctx) },
	}}
	return h
}

// dial connects to the hubs by turns, as a load balancer does: to the next where one takes nobody.
func (h *hubs) dial(ctx context.Context) (conn net.Conn, err error) {
	var dialer net.Dialer
	for range h.all {
		if conn, err = dialer.DialContext(ctx, "tcp", h.all[int(h.turn.Add(1))%len(h.all)].address); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// stop ends all that run.
func (h *hubs) stop() (err error) {
	for _, one := range h.all {
		if p := one.running(); p != nil && p.Alive() {
			err = errors.Join(err, p.Stop())
		}
	}
	return err
}

func (h *hub) data() string { return filepath.Join(h.dir, "dados") }

var keyPattern = regexp.MustCompile(`Chave de API\s+([^:\s]+):(\S+)`)

// start runs the hub. While its database is away it can't: then it is tried again.
func (h *hub) start(ctx context.Context) error {
	return until(ctx, "the hub starts", func() (bool, error) {
		p, err := counter.Launch(ctx, filepath.Join(h.dir, "hub.log"), []string{"MAQUININHA_HUB_DATABASE=" + h.database, "MAQUININHA_HUB_PEER_ADDRESS=" + h.peer}, h.binary, "--listen", h.address, "--data", h.data())
		if err != nil {
			return false, err
		}
		h.mu.Lock()
		h.process = p
		h.mu.Unlock()
		err = p.Hear(func(line string) bool {
			if found := keyPattern.FindStringSubmatch(line); found != nil {
				h.user, h.key = found[1], found[2]
			}
			return strings.Contains(line, "Para ligar um terminal")
		})
		if errors.Is(err, counter.ErrDied) && (h.database != "" || h.user != "") {
			return false, nil
		}
		return err == nil, err
	})
}

func (h *hub) running() *counter.Process {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.process
}

// reply is what the hub answered; status 0: nothing, or not all of it.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a request to one of the hubs.
func (h *hubs) ask(ctx context.Context, patience time.Duration, method, path string, body any, headers ...string) reply {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body) // texts and numbers of our own
	}
	r, err := http.NewRequestWithContext(ctx, method, "https://"+h.all[0].address+path, bytes.NewReader(text))
	if err != nil {
		return reply{}
	}
	r.SetBasicAuth(h.user, h.key)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := h.client.Do(r)
	if err != nil {
		return reply{}
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}
	}
	return reply{response.StatusCode, response.Header, raw}
}

// read reads something of the hub's own interface, as often as it takes.
func (h *hubs) read(ctx context.Context, method, path string, body, to any) error {
	return until(ctx, method+" "+path, func() (bool, error) {
		a := h.ask(ctx, counter.Patience, method, path, body)
		switch a.status {
		case http.StatusOK, http.StatusCreated:
			return true, json.Unmarshal(a.body, to)
		case 0, http.StatusServiceUnavailable, http.StatusBadGateway:
			return false, nil
		}
		return false, errors.New(path + ": " + string(a.body))
	})
}
