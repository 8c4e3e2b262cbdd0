// Package pixsim is a PSP without a bank behind it, for integrators and tests: it serves the part of the Central
// Bank's Pix API that a terminal needs, holds every request to the public rules, keeps a ledger of its own on disk
// and misbehaves on demand.
package pixsim

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/journal"
	"github.com/maquininha/maquininha/internal/brazil"
)

// Config is a PSP with one customer: the shop.
type Config struct {
	As           string      // whose profile it plays, see Banks; empty: the Central Bank's text
	Listen       string      // for Run; an address like 127.0.0.1:8443
	TLS          *tls.Config // nil: plain HTTP. Where it has ClientCAs, each call wants a certificate that the bank wants one for.
	ClientID     string
	ClientSecret string
	Key          string // the shop's PIX key
	AppKey       string // of its application, where the bank has one
	Account      string // of the shop's several; empty: it has one
	Ledger       string // path of the file
	Merchant     brazil.Merchant
	TokenLife    time.Duration // 0: the bank's, or ten minutes
	PerMinute    int           // how many calls pass; 0: any
	KeepsCharges bool          // they can't be withdrawn
	// Repeats makes a PUT that comes again be answered as the first was; otherwise its id counts as used up, which
	// the API allows as well.
	Repeats bool
	AutoPay time.Duration // a charge pays itself after this time; 0: somebody must pay
	Chaos   Chaos
	Ready   func(net.Addr) // told where Run listens; may be nil
	Log     func(Exchange) // told of all that happens, within the bank's lock at times: it must not call back; may be nil
}

// ErrTaken means that another PSP has the ledger.
var ErrTaken = journal.ErrTaken

// Bank is the PSP. It is an http.Handler: the API at the root, the token at /oauth/token, and what the API does not
// have, like paying, below /sim.
type Bank struct {
	config Config
	manner Manner
	routes []route
	door   httpsim.Door[Event]
	whims  *httpsim.Whims
	stage  httpsim.Stage

	mu         sync.Mutex
	ledger     *journal.Book[Event]
	note       *Exchange // the request that is being carried out
	charges    map[string]*cob
	order      []*cob // as they were asked for
	payments   map[string]*paid
	tokens     map[string]token
	violations []string
	named      map[string]bool // ids of calls that want a new one each
	calls      []time.Time     // of the last minute
}

func emptyBank(c Config) *Bank {
	manner, _ := BankNamed(c.As)
	b := &Bank{
		config: c, manner: manner, routes: routesOf(manner), named: map[string]bool{}, whims: httpsim.NewWhims(Repertoire, c.Chaos),
		charges: map[string]*cob{}, payments: map[string]*paid{}, tokens: map[string]token{},
	}
	b.door = httpsim.Door[Event]{API: b.route, Control: b.control(), Problem: b.plain, Log: c.Log}
	b.stage = b.newStage()
	return b
}

// New opens the PSP with what its ledger says.
func New(c Config) (*Bank, error) {
	if c.ClientID == "" || c.ClientSecret == "" || c.Key == "" || c.Ledger == "" {
		return nil, errors.New("pixsim: client id, client secret, key and ledger are needed")
	}
	manner, known := BankNamed(c.As)
	if !known {
		return nil, fmt.Errorf("pixsim: no bank %q", c.As)
	}
	c.Merchant.Name = cmp.Or(c.Merchant.Name, "LOJA DO SIMULADOR")
	c.Merchant.City = cmp.Or(c.Merchant.City, "SAO PAULO")
	c.TokenLife = cmp.Or(c.TokenLife, manner.TokenLife, 10*time.Minute)
	c.AppKey = cmp.Or(c.AppKey, "chave-do-simulador")
	b := emptyBank(c)
	var err error
	now := time.Now()
	if b.ledger, err = journal.Open(c.Ledger, func(e Event) { b.apply(e.notAfter(now)) }); err != nil {
		return nil, err
	}
	for _, c := range b.order {
		b.attend(c)
	}
	return b, nil
}

// Close ends every silence and closes the ledger.
func (b *Bank) Close() error {
	b.door.Close()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ledger.Close()
}

// Violations are the requests that broke a rule of the API, so far.
func (b *Bank) Violations() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.violations)
}

// Forgive forgets the violations, for a test that meant them.
func (b *Bank) Forgive() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.violations = nil
}

// Run serves until the context ends.
func Run(ctx context.Context, c Config) error {
	b, err := New(c)
	if err != nil {
		return err
	}
	server := httpsim.Server{Listen: c.Listen, TLS: c.TLS, Ready: c.Ready}
	if c.Log != nil {
		server.Complaint = func(text string) { c.Log(Exchange{Problem: text}) }
	}
	return server.Run(ctx, b, b.Close)
}

// NewServer is for who serves a bank otherwise.
func NewServer(h http.Handler, t *tls.Config) *http.Server { return httpsim.NewServer(h, t) }
