// Package tunneltest is a small real hub for tests of terminals: one terminal joins it with a code, and is reached through it.
package tunneltest

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/tunnel"
)

// Code is what a terminal joins with; any other is refused.
const Code = "ABCD2345"

// Hub is one that runs for the length of a test.
type Hub struct {
	*httptest.Server
	Accepted chan *tunnel.Conn // terminals as they come in

	host tunnel.Host

	mu      sync.Mutex
	key     ed25519.PublicKey // of the terminal that has joined; nil: none
	revoked bool
}

// New starts a hub.
func New(t testing.TB) *Hub {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	h := &Hub{Accepted: make(chan *tunnel.Conn, 16)}
	h.host = tunnel.Host{ID: "hub-1", Key: key, Admit: h.admit}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+tunnel.JoinPath, h.join)
	mux.HandleFunc(tunnel.Path, func(w http.ResponseWriter, r *http.Request) {
		if conn, err := tunnel.Accept(w, r, h.host); err == nil {
			h.Accepted <- conn
		}
	})
	h.Server = httptest.NewTLSServer(mux)
	t.Cleanup(h.Close)
	return h
}

// Pin is that of its certificate, which no authority has signed.
func (h *Hub) Pin() string { return tunnel.Pin(h.Certificate()) }

// Revoke has the terminal's next proof refused for ever.
func (h *Hub) Revoke() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.revoked = true
}

func (h *Hub) admit(_ context.Context, terminal string) (ed25519.PublicKey, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.key == nil || terminal != "terminal-1":
		return nil, tunnel.ErrUnknown
	case h.revoked:
		return nil, tunnel.ErrRevoked
	}
	return h.key, nil
}

func (h *Hub) join(w http.ResponseWriter, r *http.Request) {
	var asked tunnel.JoinRequest
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Code != Code {
		http.Error(w, `{"code":404,"message":"Código desconhecido ou vencido"}`, http.StatusNotFound)
		return
	}
	h.mu.Lock()
	h.key, h.revoked = asked.PublicKey, false
	h.mu.Unlock()
	name := asked.Name
	if name == "" {
		name = "Terminal 1"
	}
	json.NewEncoder(w).Encode(tunnel.JoinAnswer{ //nolint:errcheck // the terminal would notice
		Terminal: "terminal-1", Hub: h.host.ID, HubKey: h.host.Key.Public().(ed25519.PublicKey), Name: name, Account: "Loja",
	})
}
