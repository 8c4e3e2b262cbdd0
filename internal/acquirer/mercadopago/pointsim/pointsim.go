// Package pointsim is Mercado Pago with one Point device and a customer before it, for integrators and tests: it serves the part
// of the Orders API that a terminal needs, holds every request to the public rules, keeps a ledger of its own on disk and misbehaves
// on demand. Its orders are ended as the published simulation of events ends them.
package pointsim

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"sync"
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
	config Config
	whims  *httpsim.Whims
	stage  httpsim.Stage
	door   httpsim.Door[Event]

	mu         sync.Mutex
	ledger     *journal.Book[Event]
	note       *Exchange // the request that is being carried out
	orders     map[string]*order
	inTurn     []*order // as they were asked for
	keys       map[string]Event
	violations []string
}

func empty(c Config) *Account {
	a := &Account{
		config: c, whims: httpsim.NewWhims(Repertoire, c.Chaos), orders: map[string]*order{}, keys: map[string]Event{},
	}
	a.door = httpsim.Door[Event]{API: a.route, Control: a.control(), Problem: plainProblem, Log: c.Log}
	a.stage = httpsim.Stage{Closed: a.door.Closed(), Problem: plainProblem}
	return a
}

// New opens the account with what its ledger says.
func New(c Config) (*Account, error) {
	if c.Token == "" || c.Ledger == "" {
		return nil, errors.New("pointsim: token and ledger are needed")
	}
	c.Device, c.Mode = cmp.Or(c.Device, VirtualDevice), cmp.Or(c.Mode, "PDV")
	a := empty(c)
	var err error
	now := time.Now()
	if a.ledger, err = journal.Open(c.Ledger, func(e Event) { a.apply(e.notAfter(now)) }); err != nil {
		return nil, err
	}
	for _, o := range a.inTurn {
		a.attend(o)
	}
	return a, nil
}

// Close ends every silence and closes the ledger.
func (a *Account) Close() error {
	a.door.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ledger.Close()
}

// Next has something go wrong; Behave forgets what was to.
func (a *Account) Next(m httpsim.Misbehaviour) error { return a.whims.Next(m) }

// Behave: see Next.
func (a *Account) Behave() { a.whims.Behave() }

// Violations are the requests that broke a rule of the API, so far.
func (a *Account) Violations() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.violations)
}

// Run serves until the context ends.
func Run(ctx context.Context, c Config) error {
	a, err := New(c)
	if err != nil {
		return err
	}
	server := httpsim.Server{Listen: c.Listen, Ready: c.Ready}
	if c.Log != nil {
		server.Complaint = func(text string) { c.Log(Exchange{Problem: text}) }
	}
	return server.Run(ctx, a, a.Close)
}
