package app

import (
	"bytes"
	"context"
	"net"

	"github.com/maquininha/maquininha/internal/hub/peers"
	"github.com/maquininha/maquininha/internal/hub/store"
)

// Hub is one that shares the database, as somebody beside it sees it.
type Hub struct {
	Address string // where the others are told to reach it; empty: it takes itself for the only one
	Own     bool   // it says the same address as is configured here
	Err     error  // why it can't be reached from here
}

// Hubs are those that run at the database, each tried from here. Nothing is written.
func Hubs(ctx context.Context, c Config) ([]Hub, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*pingPatience)
	defer cancel()
	found, err := store.HubsAt(ctx, c.Database)
	if err != nil {
		return nil, err
	}
	all := make([]Hub, len(found))
	for i, h := range found {
		all[i] = Hub{Address: h.Address, Own: h.Address == c.PeerAddress}
		if h.Address == "" {
			all[i].Own = bytes.Equal(h.KeyHash, folderHash(c.Data))
			continue
		}
		all[i].Err = peers.Probe(ctx, h.Address, h.KeyHash)
	}
	return all, nil
}

// PeerPort is where a hub listens that others reach at an address: there where it is a number, everywhere where it is a name.
func PeerPort(address string) string {
	if host, port, err := net.SplitHostPort(address); err == nil && net.ParseIP(host) == nil {
		return ":" + port
	}
	return address
}
