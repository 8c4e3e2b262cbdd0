// Package pointsim is Mercado Pago with one Point device and a customer before it, for integrators and tests: it serves the part
// of the Orders API that a terminal needs, holds every request to the public rules, keeps a ledger of its own on disk and misbehaves
// on demand. Its orders are ended as the published simulation of events ends them.
package pointsim

import (
	"cmp"
	"context"
	"errors"
	"net"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/journal"
)

// Config is an account with one device.
type Config struct {
	Listen   string // for Run; an address like 127.0.0.1:9061
	Token    string
	Device   string
	Mode     string        // of the device; empty: PDV. In any other it takes no orders.
	Ledger   string        // path of the file
	PickUp   time.Duration // until the device has the order; 0: at once
	AutoPay  time.Duration // the customer pays after this time; 0: somebody must
	NoSearch bool          // orders can't be listed
	Chaos    httpsim.Chaos
	Ready    func(net.Addr) // told where Run listens; may be nil
	Log      func(Exchange) // told of all that happens, within the lock at times: it must not call back; may be nil
}

// VirtualDevice is the name of the published simulation's device.
const VirtualDevice = "NEWLAND_N950__SBX0000001"

// keyLife is for how long a key stands for its request.
const keyLife = 24 * time.Hour

// ErrTaken means that another simulator has the ledger.
var ErrTaken = journal.ErrTaken

// Account is the simulator. It is an http.Handler: the API at the root and what the API does not have, like a customer, below
// /sim.
type Account struct {
	httpsim.Simulator[Event]
	config Config

	orders map[string]*order
	inTurn []*order // as they were asked for
	keys   map[string]Event
}

func empty(c Config) *Account {
	a := &Account{config: c, orders: map[string]*order{}, keys: map[string]Event{}}
	a.Routes, a.Calls, a.Apply, a.Admit, a.Lost, a.State = a.routes(), callsOnly, a.apply, a.admit, a.lost, stateOf
	a.Set(Repertoire, c.Chaos, plainProblem, a.control, c.Log)
	return a
}

// New opens the account with what its ledger says.
func New(c Config) (*Account, error) {
	if c.Token == "" || c.Ledger == "" {
		return nil, errors.New("pointsim: token and ledger are needed")
	}
	c.Device, c.Mode = cmp.Or(c.Device, VirtualDevice), cmp.Or(c.Mode, "PDV")
	a := empty(c)
	if err := a.Resume(c.Ledger, Event.notAfter); err != nil {
		return nil, err
	}
	for _, o := range a.inTurn {
		a.attend(o)
	}
	return a, nil
}

// Run serves until the context ends.
func Run(ctx context.Context, c Config) error {
	return httpsim.Run(ctx, c.Listen, c.Ready, func() (*Account, error) { return New(c) })
}
