package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
	"github.com/maquininha/maquininha/internal/rig"
)

// hub is the hub's process, and how callers reach it.
type hub struct {
	binary, dir string
	database    string // of PostgreSQL; empty: SQLite in its folder
	address     string
	user, key   string // of the first start
	client      *http.Client

	mu      sync.Mutex
	process *counter.Process
}

func newHub(binary, dir, database string) *hub {
	return &hub{
		binary: binary, dir: dir, database: database, address: rig.FreeAddress(),
		// Its certificate is its own. A connection for each request: one to a process that was killed is no use to the next.
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}},
	}
}

func (h *hub) data() string { return filepath.Join(h.dir, "dados") }

var keyPattern = regexp.MustCompile(`Chave de API\s+([^:\s]+):(\S+)`)

// start runs the hub. While its database is away it can't: then it is tried again.
func (h *hub) start(ctx context.Context) error {
	return until(ctx, "the hub starts", func() (bool, error) {
		p, err := counter.Launch(ctx, filepath.Join(h.dir, "hub.log"), []string{"MAQUININHA_HUB_DATABASE=" + h.database}, h.binary,
			"--listen", h.address, "--data", h.data())
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

// ask sends a request to the hub.
func (h *hub) ask(ctx context.Context, patience time.Duration, method, path string, body any, headers ...string) reply {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body) // texts and numbers of our own
	}
	r, err := http.NewRequestWithContext(ctx, method, "https://"+h.address+path, bytes.NewReader(text))
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
func (h *hub) read(ctx context.Context, method, path string, body, to any) error {
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
