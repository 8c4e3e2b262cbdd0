// Package tefsim is the other side of TEF by file exchange: a payment manager without a bank, for integrators and
// tests. It keeps its own ledger, as the network would, and misbehaves on demand.
package tefsim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// Config is what a simulator is made of. It speaks whatever profile a request speaks.
type Config struct {
	Dir    string  // holds Req and Resp; made if they are missing
	Ledger string  // the file
	Script []Order // for the first requests that they fit
	// Pinpad is how long the customer takes; nothing else is read meanwhile. Lateness is how late a late answer is.
	Pinpad, Lateness time.Duration
	Upper            bool              // file names in capitals
	Log              func(line string) // told of every request; may be nil
}

const (
	pollPause       = 100 * time.Millisecond
	slowness        = time.Second // of a partial or locked file
	repetition      = 2 * time.Second
	defaultLateness = 20 * time.Second
)

type simulator struct {
	config    Config
	req, resp intpos.Folder
	ledger    *ledger
	script    []Order
	alive     bool   // the last command was ATV
	ignored   string // the request that is not even read
	later     []task
}

type task struct {
	at time.Time
	do func() error
}

// Run answers requests until the context ends, which is no error.
func Run(ctx context.Context, c Config) error {
	if c.Lateness == 0 {
		c.Lateness = defaultLateness
	}
	s := &simulator{
		config: c, script: slices.Clone(c.Script), alive: true, // it can't know what was asked of it before
		req: intpos.Folder{Path: intpos.Sub(c.Dir, "Req")}, resp: intpos.Folder{Path: intpos.Sub(c.Dir, "Resp")},
	}
	for _, dir := range []string{s.req.Path, s.resp.Path, filepath.Dir(c.Ledger)} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	var err error
	if s.ledger, err = openLedger(c.Ledger); err != nil {
		return err
	}
	defer s.ledger.file.Close()
	for ctx.Err() == nil {
		if err := s.step(ctx); err != nil {
			return err
		}
		sleep(ctx, pollPause)
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
	request, whole, there, err := s.req.Read(intpos.Exchange)
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
	if s.config.Log != nil {
		s.config.Log(fmt.Sprintf("%s %s: %s", request.Get(intpos.Command), request.Get(intpos.ID), order))
	}
	if order.Case == NoStatus {
		s.ignored = name
		return nil
	}
	// A request that was withdrawn after it was read is worked on all the same: the worst a manager can do.
	if _, err := s.req.Remove(intpos.Exchange); err != nil {
		return err
	}
	return s.handle(ctx, request, order)
}

func (s *simulator) handle(ctx context.Context, request intpos.Message, order Order) error {
	command, id := request.Get(intpos.Command), request.Get(intpos.ID)
	if id == "" || len(id) > 10 {
		return s.protest(request, "an id that is none")
	}
	wasAlive := s.alive
	s.alive = command == intpos.Alive
	switch command {
	case intpos.Alive:
		return s.acknowledge(request)
	case intpos.Confirm, intpos.Undo:
		if err := s.finish(request); err != nil {
			return err
		}
		return s.acknowledge(request)
	case intpos.Sale, intpos.Cancel:
		if !wasAlive {
			if err := s.protest(request, "without asking first whether anybody is there"); err != nil {
				return err
			}
		}
		return s.operate(ctx, request, order)
	}
	return s.protest(request, "an operation that is none")
}

func (s *simulator) acknowledge(request intpos.Message) error {
	return s.resp.Put(s.name(intpos.Receipt), encode(echo(request)))
}

func (s *simulator) protest(request intpos.Message, note string) error {
	return s.ledger.append(Entry{Event: Protest, ID: request.Get(intpos.ID), Key: request.Get(intpos.Key), Note: request.Get(intpos.Command) + ": " + note})
}

// finish is the second phase. Repeating it changes nothing; turning it around is a protest.
func (s *simulator) finish(request intpos.Message) error {
	command, o := request.Get(intpos.Command), s.ledger.byKey[request.Get(intpos.Key)]
	event := Confirmed
	if command == intpos.Undo {
		event = Undone
	}
	switch {
	case o == nil && event == Undone:
		return nil
	case o == nil:
		return s.protest(request, "nothing to confirm")
	case request.Get(intpos.Network) != network || request.Get(intpos.NSU) != nsuText(o.nsu):
		return s.protest(request, "network or NSU of another")
	case o.state == event:
		return nil
	case !o.open():
		return s.protest(request, fmt.Sprintf("it is %s already", o.state))
	}
	return s.ledger.append(Entry{Event: event, ID: o.id, Key: o.key, NSU: o.nsu})
}
