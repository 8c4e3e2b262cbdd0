// Package gpsim is the local API of Connect TEF with one device and a customer before it, for integrators and tests: it takes
// operations, holds every request to the public rules, keeps a ledger of its own on disk and misbehaves on demand.
package gpsim

import (
	"cmp"
	"context"
	"errors"
	"net"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// Config is a manager with one device.
type Config struct {
	Listen  string        // for Run; an address like 127.0.0.1:9062
	Ledger  string        // path of the file
	Wait    time.Duration // for the customer, then the device gives up; 0: one minute
	AutoPay time.Duration // the customer pays after this time; 0: somebody must
	Empty   bool          // an identification that it has not is answered with an empty object, not with 404: nobody says which
	Network string        // the acquirer; empty: STONE
	Chaos   httpsim.Chaos
	Ready   func(net.Addr) // told where Run listens; may be nil
	Log     func(Exchange) // told of all that happens, within the lock at times: it must not call back; may be nil
}

// Exchange is one request and what became of it, for whoever looks on.
type Exchange = httpsim.Exchange[Event]

// Manager is the simulator. It is an http.Handler: the API at its path and what the API does not have, like a customer, below /sim.
type Manager struct {
	httpsim.Simulator[Event]
	config Config

	operations map[string]*operation
	inTurn     []*operation // as they were asked for
}

func empty(c Config) *Manager {
	m := &Manager{config: c, operations: map[string]*operation{}}
	m.Routes, m.Calls, m.Apply, m.Admit, m.Lost, m.State = m.routes(), callsOnly, m.apply, m.admit, m.lost, stateOf
	m.Set(Repertoire, c.Chaos, problem, m.control, c.Log)
	return m
}

// New opens the manager with what its ledger says.
func New(c Config) (*Manager, error) {
	if c.Ledger == "" {
		return nil, errors.New("gpsim: a ledger is needed")
	}
	c.Wait, c.Network = cmp.Or(c.Wait, time.Minute), cmp.Or(c.Network, "STONE")
	m := empty(c)
	if err := m.Resume(c.Ledger, Event.notAfter); err != nil {
		return nil, err
	}
	for _, o := range m.inTurn {
		m.attend(o)
	}
	return m, nil
}

// Run serves until the context ends.
func Run(ctx context.Context, c Config) error {
	return httpsim.Run(ctx, c.Listen, c.Ready, func() (*Manager, error) { return New(c) })
}
