// Package paysim is PayGo's ControlPay with one terminal and a customer before it, for integrators and tests: it serves the part of the
// API that a till needs, holds every request to the public rules, keeps a ledger of its own on disk and misbehaves on demand.
package paysim

import (
	"cmp"
	"context"
	"errors"
	"net"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/journal"
)

// Config is an account with one terminal.
type Config struct {
	Listen   string // for Run; an address like 127.0.0.1:9064
	Key      string
	Terminal int    // 0: 314
	Password string // the technical one; empty: PayGo's usual
	Ledger   string // path of the file
	// Patience is how long the terminal waits for a card before the sale expires; 0: a minute.
	Patience time.Duration
	AutoPay  time.Duration // the customer pays after this time; 0: somebody must
	Chaos    httpsim.Chaos
	Ready    func(net.Addr) // told where Run listens; may be nil
	Log      func(Exchange) // told of all that happens, within the lock at times: it must not call back; may be nil
}

// What the simulator takes where the configuration says nothing.
const (
	Terminal = 314
	Password = "314159"
)

// ErrTaken means that another simulator has the ledger.
var ErrTaken = journal.ErrTaken

// Account is the simulator. It is an http.Handler: the API at the root and what the API does not have, like a customer, below /sim.
type Account struct {
	httpsim.Simulator[Event]
	config Config

	sales  map[int64]*sale
	inTurn []*sale
}

func empty(c Config) *Account {
	a := &Account{config: c, sales: map[int64]*sale{}}
	a.Routes, a.Calls, a.Apply, a.Admit, a.Lost, a.State = a.routes(), httpsim.Everywhere, a.apply, a.admit, a.lost, stateOf
	a.Set(Repertoire, c.Chaos, problem, a.control, c.Log)
	return a
}

// New opens the account with what its ledger says.
func New(c Config) (*Account, error) {
	if c.Key == "" || c.Ledger == "" {
		return nil, errors.New("paysim: key and ledger are needed")
	}
	c.Terminal, c.Password, c.Patience = cmp.Or(c.Terminal, Terminal), cmp.Or(c.Password, Password), cmp.Or(c.Patience, time.Minute)
	a := empty(c)
	if err := a.Resume(c.Ledger, Event.notAfter); err != nil {
		return nil, err
	}
	for _, s := range a.inTurn {
		a.attend(s)
	}
	return a, nil
}

// Run serves until the context ends.
func Run(ctx context.Context, c Config) error {
	return httpsim.Run(ctx, c.Listen, c.Ready, func() (*Account, error) { return New(c) })
}
