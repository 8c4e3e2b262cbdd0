// Package tefsim is the other side of TEF by file exchange: a payment manager without a bank, for integrators and
// tests. It keeps its own ledger, as the network would, and misbehaves on demand.
package tefsim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/journal"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// Config is what a simulator is made of.
type Config struct {
	Dir       string       // holds both folders; made if they are missing
	Req, Resp string       // their names; empty: Req and Resp
	Files     intpos.Names // zero: the usual
	As        string       // the vendor whose manager it plays, one of Vendors; empty: as the request's 7xx fields suggest
	Ledger    string       // the file
	Script    []Order      // for the first requests that they fit, or to stay
	Orders    <-chan Order // more of them while it runs; may be nil
	Chaos     Chaos
	Poll      time.Duration // between two looks for a request; 0: 100 ms
	// Pinpad is how long the customer takes; nothing else is read meanwhile. Lateness is how late a late answer is.
	Pinpad, Lateness time.Duration
	Card             string         // the number that a careless manager tells; empty: a test card's
	Upper            bool           // file names in capitals
	Reticent         bool           // takes a sale without a word on others that are still open, as most managers do
	Ready            func()         // told when requests are taken; may be nil
	Log              func(Exchange) // told of every request when it is over; may be nil
}

// ErrTaken means that another simulator has the folder or the ledger.
var ErrTaken = journal.ErrTaken

// Lock is the file in the exchange's folder by which a simulator keeps others out.
const Lock = "simulador.lock"

const (
	pollPause       = 100 * time.Millisecond
	slowness        = time.Second // of a partial or locked file
	repetition      = 2 * time.Second
	patience        = 2 * time.Second // with a request that is not whole
	defaultLateness = 20 * time.Second
)

type simulator struct {
	config    Config
	vendor    vendor
	req, resp intpos.Folder
	ledger    *ledger
	script    []Order
	habits    []*habit
	chaos     *chance
	ignored   string    // the request that is not even read
	halfSince time.Time // a request that is not whole lies there; zero: none, or it was told
	halfTold  bool
	later     []task
	now       Exchange // the one in hand
}

type task struct {
	at time.Time
	do func() error
}

// Run answers requests until the context ends, which is no error.
func Run(ctx context.Context, c Config) error {
	c.Lateness, c.Poll, c.Files = cmp.Or(c.Lateness, defaultLateness), cmp.Or(c.Poll, pollPause), cmp.Or(c.Files, intpos.Usual)
	c.Card = cmp.Or(c.Card, testCard)
	as, known := vendors[c.As]
	if !known {
		return fmt.Errorf("não há gerenciador %q", c.As)
	}
	s := &simulator{
		config: c, vendor: as, chaos: c.Chaos.roll(),
		req:  intpos.Folder{Path: intpos.Sub(c.Dir, cmp.Or(c.Req, "Req")), Temporary: c.Files.Temporary},
		resp: intpos.Folder{Path: intpos.Sub(c.Dir, cmp.Or(c.Resp, "Resp")), Temporary: c.Files.Temporary},
	}
	for _, o := range c.Script {
		s.take(o)
	}
	for _, dir := range []string{s.req.Path, s.resp.Path, filepath.Dir(c.Ledger)} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	folder, err := journal.Lock(filepath.Join(c.Dir, Lock))
	if err != nil {
		return err
	}
	defer journal.Unlock(folder) //nolint:errcheck // it was only locked
	if s.ledger, err = openLedger(c.Ledger); err != nil {
		return err
	}
	defer s.ledger.book.Close()
	// Killed while it had the response locked, it must not stay so.
	if err := unlock(s.resp.Path, s.name(s.config.Files.Response)); err != nil {
		return err
	}
	if c.Ready != nil {
		c.Ready()
	}
	for ctx.Err() == nil {
		if err := s.step(ctx); err != nil {
			return err
		}
		sleep(ctx, c.Poll)
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// step does what is due and takes the request that is there.
func (s *simulator) step(ctx context.Context) error {
	for i := 0; i < len(s.later); {
		if time.Now().Before(s.later[i].at) {
			i++
			continue
		}
		do := s.later[i].do
		s.later = append(s.later[:i], s.later[i+1:]...)
		if err := do(); err != nil {
			return err
		}
	}
	request, whole, there, err := s.req.Read(s.config.Files.Request)
	s.half(there && !whole && err == nil)
	switch {
	case errors.Is(err, intpos.ErrHeld):
		return nil
	case err != nil:
		return err
	case !there:
		s.ignored = ""
		return nil
	case !whole:
		return nil // a program that writes it in place, or none at all
	}
	name := request.Get(intpos.Command) + request.Get(intpos.ID)
	if s.ignored == name {
		return nil
	}
	order, err := s.choose(request)
	if err != nil {
		return err
	}
	s.begin(request, order.Case)
	defer s.end()
	if order.Case == NoStatus {
		s.ignored = name
		return nil
	}
	// A request that was withdrawn after it was read is worked on all the same: the worst a manager can do.
	if _, err := s.req.Remove(s.config.Files.Request); err != nil {
		return err
	}
	return s.handle(ctx, request, order)
}

// half tells once of a request that does not become whole: its writer waits for an answer that will not come.
func (s *simulator) half(lies bool) {
	switch {
	case !lies:
		s.halfSince, s.halfTold = time.Time{}, false
	case s.halfSince.IsZero():
		s.halfSince = time.Now()
	case !s.halfTold && time.Since(s.halfSince) >= patience:
		s.halfTold = true
		s.report(Exchange{Problem: "o pedido está incompleto: falta a linha 999-999 = 0"})
	}
}

func (s *simulator) handle(ctx context.Context, request intpos.Message, order Order) error {
	command := request.Get(intpos.Command)
	if id := request.Get(intpos.ID); !idPattern.MatchString(id) && (id != "" || command != intpos.Undo) {
		return s.protest(request, "o 001 deve ter de 1 a 10 dígitos")
	}
	switch command {
	case intpos.Alive:
		return s.acknowledge(request)
	case intpos.Confirm, intpos.Undo:
		if err := s.finish(request); err != nil {
			return err
		}
		return s.acknowledge(request)
	case intpos.Sale, intpos.Pix, intpos.Cancel, intpos.Admin:
		return s.operate(ctx, request, order)
	}
	return s.protest(request, "operação desconhecida")
}

func (s *simulator) acknowledge(request intpos.Message) error {
	return s.resp.Put(s.name(s.config.Files.Status), s.encode(echo(request)))
}

// record writes to the ledger what happens in the exchange in hand.
func (s *simulator) record(e Entry) error {
	e.At = time.Now()
	if err := s.ledger.append(e); err != nil {
		return err
	}
	s.now.Entries = append(s.now.Entries, e)
	return nil
}

func (s *simulator) protest(request intpos.Message, note string) error {
	return s.record(Entry{Event: Protest, ID: request.Get(intpos.ID), Key: request.Get(intpos.Key), Note: request.Get(intpos.Command) + ": " + note})
}

// finish is the second phase. Repeating it changes nothing; turning it around is a protest.
func (s *simulator) finish(request intpos.Message) error {
	o, event := s.meant(request), Confirmed
	if request.Get(intpos.Command) == intpos.Undo {
		event = Undone
	}
	switch {
	case o == nil && event == Undone:
		return nil
	case o == nil:
		return s.protest(request, "nada a confirmar com este 027 nem com este 001")
	case s.foreign(request, o):
		return s.protest(request, "010 ou 012 de outra operação")
	case o.state == event:
		return nil
	case !o.open():
		return s.protest(request, "a operação já foi "+map[Event]string{Confirmed: "confirmada", Undone: "desfeita"}[o.state])
	}
	return s.record(Entry{Event: event, ID: o.id, Key: o.key, NSU: o.nsu})
}

// foreign tells that a request names another operation than the one it means, in what it says at all.
func (s *simulator) foreign(request intpos.Message, o *operation) bool {
	network, nsu := request.Get(intpos.Network), request.Get(intpos.NSU)
	return s.vendor.network != "" && network != "" && network != s.vendor.network || nsu != "" && nsu != o.nsuText()
}
