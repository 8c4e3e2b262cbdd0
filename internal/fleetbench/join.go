package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/maquininha/maquininha/internal/tunnel"
)

// version is what the simulated terminals say they are.
const version = "1.2.3"

// join has terminals join as the command does, but for a TLS connection of each.
func (b *bench) join(h *hub, n int) ([]tunnel.Membership, error) {
	const together = 32
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: together}}
	defer client.CloseIdleConnections()
	members := make([]tunnel.Membership, n)
	var failures [together]error
	var joining sync.WaitGroup
	for w := range together {
		joining.Go(func() {
			for i := w; i < n && failures[w] == nil; i += together {
				members[i], failures[w] = joinOne(client, h, i)
			}
		})
	}
	joining.Wait()
	return members, errors.Join(failures[:]...)
}

func joinOne(client *http.Client, h *hub, i int) (tunnel.Membership, error) {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return tunnel.Membership{}, err
	}
	var made struct{ Code string }
	if _, err := h.ask(client, "POST", "/api/v1/codes", map[string]string{"name": fmt.Sprintf("Caixa %05d", i+1)}, &made); err != nil {
		return tunnel.Membership{}, err
	}
	var said tunnel.JoinAnswer
	if _, err := h.ask(client, "POST", tunnel.JoinPath, tunnel.JoinRequest{Code: made.Code, PublicKey: public, Version: version}, &said); err != nil {
		return tunnel.Membership{}, err
	}
	return tunnel.Membership{
		Address: "https://" + h.tls, Pin: h.pin, Hub: said.Hub, Terminal: said.Terminal, Key: key, HubKey: said.HubKey, Name: said.Name, Account: said.Account,
	}, nil
}

// writeMembers is how another process is told who it is.
func (b *bench) writeMembers(name string, members []tunnel.Membership) (path string, err error) {
	text, err := json.Marshal(members)
	if err != nil {
		return "", err
	}
	path = filepath.Join(b.dir, name)
	return path, os.WriteFile(path, text, 0o600)
}
