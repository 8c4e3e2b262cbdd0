// Package ordersim is Cielo's Order Manager with a device and a customer before it, for integrators and tests: it serves the part of
// the API that a terminal needs, holds every request to the public rules, keeps a ledger of its own on disk and misbehaves on demand.
package ordersim

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// Config is a shop's account.
type Config struct {
	Listen   string // for Run; an address like 127.0.0.1:9063
	ClientID string
	Token    string
	Merchant string
	Ledger   string        // path of the file
	AutoPay  time.Duration // the customer pays after this time; 0: somebody must
	Strict   bool          // what is asked for a second time, like PLACE, is refused: nobody says whether it is
	Chaos    httpsim.Chaos
	Ready    func(net.Addr) // told where Run listens; may be nil
	Log      func(Exchange) // told of all that happens, within the lock at times: it must not call back; may be nil
}

// Exchange is one request and what became of it, for whoever looks on.
type Exchange = httpsim.Exchange[Event]

// Base is where the API begins.
const Base = "/order-management/v1"

// Account is the simulator. It is an http.Handler: the API at Base and what the API does not have, like a customer, below /sim.
type Account struct {
	httpsim.Simulator[Event]
	config Config

	orders map[string]*order
	inTurn []*order // as they were asked for
}

func empty(c Config) *Account {
	a := &Account{config: c, orders: map[string]*order{}}
	a.Routes, a.Calls, a.Apply, a.Admit, a.Lost, a.State = a.routes(), callsOnly, a.apply, a.admit, a.lost, stateOf
	a.Set(Repertoire, c.Chaos, problem, a.control, c.Log)
	return a
}

// New opens the account with what its ledger says.
func New(c Config) (*Account, error) {
	if c.ClientID == "" || c.Token == "" || c.Merchant == "" || c.Ledger == "" {
		return nil, errors.New("ordersim: client id, access token, merchant id and ledger are needed")
	}
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
