package httpsim

import (
	"context"
	crand "crypto/rand"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/journal"
)

// Route is one call of an API.
type Route[Event any] struct {
	Call   Call
	Method string
	Path   *regexp.Regexp // its first group is what the call is about
	Query  string         // a name, or name=value, that tells the call from others of its path; empty: none
	Serve  func(*Request[Event]) Reply
	Played bool // it is part of the service's own simulation, and never misbehaves
}

func (r Route[Event]) match(q *http.Request) (id string, ok bool) {
	found := r.Path.FindStringSubmatch(q.URL.EscapedPath())
	if found == nil || r.Method != q.Method {
		return "", false
	}
	name, value, valued := strings.Cut(r.Query, "=")
	query := q.URL.Query()
	return found[1], name == "" || query.Has(name) && (!valued || query.Get(name) == value)
}

// Simulator is what every one of them is made of: a door, whims and a ledger, under one lock. One that embeds it says what its events
// mean and which calls it answers.
type Simulator[Event any] struct {
	Whims  *Whims
	Door   Door[Event]
	Routes []Route[Event]
	Calls  []Misdeed // those that calls can have
	// Apply is an event that is in the ledger; Admit holds a request to the rules of all calls, nil: it may come in. Both are within
	// the lock.
	Apply func(Event)
	Admit func(*Request[Event]) *Reply
	// Lost answers what is no call of the API, within the lock.
	Lost func(*Request[Event]) Reply
	// State is what an answer tells of, for whoever looks on.
	State func(Reply) string

	Mu         sync.Mutex
	ledger     *journal.Book[Event]
	note       *Exchange[Event] // the request that is being carried out
	violations []string
}

// Set makes its parts fit together.
func (s *Simulator[Event]) Set(r Repertoire, c Chaos, problem func(int, string) Reply, control func() Control, log func(Exchange[Event])) {
	s.Whims = NewWhims(r, c)
	own := control()
	own.Whims, own.Violations = s.Whims, s.Violations
	s.Door = Door[Event]{API: s.route, Control: own, Problem: problem, Log: log}
}

// Resume takes the ledger and has be so what it says, nothing of it later than now: the clock may have been set back.
func (s *Simulator[Event]) Resume(path string, notAfter func(Event, time.Time) Event) (err error) {
	now := time.Now()
	s.ledger, err = journal.Open(path, func(e Event) { s.Apply(notAfter(e, now)) })
	return err
}

// Replay has be so what a ledger says, also while another writes it; one that does not exist is empty.
func (s *Simulator[Event]) Replay(path string) error {
	events, err := journal.Read[Event](path)
	for _, e := range events {
		s.Apply(e)
	}
	return err
}

// Close ends every silence and closes the ledger.
func (s *Simulator[Event]) Close() error {
	s.Door.Close()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.ledger.Close()
}

// Next has something go wrong; Behave forgets what was to.
func (s *Simulator[Event]) Next(m Misbehaviour) error { return s.Whims.Next(m) }

// Behave: see Next.
func (s *Simulator[Event]) Behave() { s.Whims.Behave() }

// Violated keeps the words for a request that broke a rule.
func (s *Simulator[Event]) Violated(note string) { s.violations = append(s.violations, note) }

// Violations are the requests that broke a rule of the API, so far.
func (s *Simulator[Event]) Violations() []string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return slices.Clone(s.violations)
}

// ServeHTTP answers the API, or misbehaves.
func (s *Simulator[Event]) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.Door.ServeHTTP(w, r) }

// Record puts an event into the ledger, has it be so, and tells who looks on. Within the lock.
func (s *Simulator[Event]) Record(e Event) error {
	if err := s.ledger.Append(e); err != nil {
		return err
	}
	s.Apply(e)
	if s.note == nil {
		s.Door.Report(Exchange[Event]{Events: []Event{e}})
	} else {
		s.note.Events = append(s.note.Events, e)
	}
	return nil
}

func (s *Simulator[Event]) route(w http.ResponseWriter, r *Request[Event]) {
	stage := Stage{Closed: s.Door.Closed(), Problem: s.Door.Problem}
	for _, route := range s.Routes {
		id, ok := route.match(r.Request)
		if !ok {
			continue
		}
		r.ID, r.Note.Call = id, route.Call
		if !route.Played {
			r.Misbehaviour, _ = s.Whims.Take(route.Call, s.Calls)
		}
		r.Note.Misdeed = r.Misbehaviour.Kind
		if stage.Before(w, r.Request, r.Misbehaviour) {
			return
		}
		answer := s.serve(r, func() Reply {
			if no := s.Admit(r); no != nil {
				return *no
			}
			return route.Serve(r)
		})
		r.Note.Status = stage.After(w, r.Request, r.Misbehaviour, answer)
		return
	}
	Write(w, s.serve(r, func() Reply { return s.Lost(r) }))
}

func (s *Simulator[Event]) serve(r *Request[Event], answer func() Reply) Reply {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.note = r.Note
	defer func() { s.note = nil }()
	reply := answer()
	r.Note.Problem, r.Note.State = reply.Why, s.State(reply)
	return reply
}

// Later has something be done within the lock after a while, unless the door is closed first.
func (s *Simulator[Event]) Later(after time.Duration, do func()) {
	s.Door.Later(after, func() {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		do()
	})
}

// Run opens a simulator and serves it until the context ends.
func Run[S player](ctx context.Context, listen string, ready func(net.Addr), open func() (S, error)) error {
	s, err := open()
	if err != nil {
		return err
	}
	return s.Serve(ctx, listen, ready, s)
}

type player interface {
	http.Handler
	Serve(context.Context, string, func(net.Addr), http.Handler) error
}

// Serve is Run for one that is open already, behind a handler of its own.
func (s *Simulator[Event]) Serve(ctx context.Context, listen string, ready func(net.Addr), h http.Handler) error {
	server := Server{Listen: listen, Ready: ready}
	if s.Door.Log != nil {
		server.Complaint = func(text string) { s.Door.Report(Exchange[Event]{Problem: text}) }
	}
	return server.Run(ctx, h, s.Close)
}

// Digits are so many, by chance: the form that numbers of payments have.
func Digits(n int) string {
	var b strings.Builder
	for _, r := range crand.Text()[:n] {
		b.WriteByte('0' + byte(r)%10)
	}
	return b.String()
}
