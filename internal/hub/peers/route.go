package peers

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/tunnel"
)

var errBroken = errors.New("the other hub has lost the terminal")

// route is the way to a terminal that hangs at another hub.
type route struct {
	peers *Peers
	at    leases.Location
	hub   leases.Hub

	remembered bool // not just looked up
}

// RoundTrip sends a request to the hub where the terminal hangs. If it does not hang there any more it is looked for once again.
func (r *route) RoundTrip(q *http.Request) (*http.Response, error) {
	first := q.WithContext(q.Context())
	var body *trialBody
	if q.Body != nil && q.Body != http.NoBody {
		if r.remembered && q.GetBody == nil { // there may be no second try for it
			if at, hub, err := r.peers.locate(q.Context(), r.at.Terminal); err == nil {
				r.at, r.hub = at, hub
			}
		}
		body = &trialBody{from: q.Body}
		first.Body = body
	}
	resp, err := r.peers.send(first, r.at, r.hub)
	if !errors.Is(err, tunnel.ErrNotSent) {
		body.settle()
		return resp, err
	}
	again, is := r.again(q, body)
	if !is {
		r.peers.places.forget(r.at.Terminal)
		if q.Body != nil {
			q.Body.Close()
		}
		return nil, err
	}
	return again()
}

// again is the second try, where the terminal hangs elsewhere by now and the body is still there.
func (r *route) again(q *http.Request, body *trialBody) (func() (*http.Response, error), bool) {
	at, hub, err := r.peers.locate(q.Context(), r.at.Terminal)
	if err != nil || at == r.at {
		return nil, false
	}
	over := http.RoundTripper(sender{r.peers, at, hub})
	if at.Run == r.peers.leases.Run() {
		link, is := r.peers.here(r.at.Terminal)
		if !is {
			return nil, false
		}
		over = link
	}
	second := q.WithContext(q.Context())
	if !body.takeBack() {
		if q.GetBody == nil {
			return nil, false
		}
		if second.Body, err = q.GetBody(); err != nil {
			return nil, false
		}
		body.settle()
	}
	return func() (*http.Response, error) { return over.RoundTrip(second) }, true
}

// sender sends to a place, once.
type sender struct {
	peers *Peers
	at    leases.Location
	hub   leases.Hub
}

func (s sender) RoundTrip(q *http.Request) (*http.Response, error) {
	resp, err := s.peers.send(q, s.at, s.hub)
	if errors.Is(err, tunnel.ErrNotSent) && q.Body != nil {
		q.Body.Close()
	}
	return resp, err
}

// send asks another hub. What it does not send it leaves open.
func (p *Peers) send(q *http.Request, at leases.Location, hub leases.Hub) (*http.Response, error) {
	conn, err := p.lines.reserve(q.Context(), hub)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", tunnel.ErrNotSent, err)
	}
	header := q.Header.Clone()
	header.Set(linkHeader, written(at))
	q = q.WithContext(q.Context())
	q.Header = header
	resp, err := conn.RoundTrip(q)
	if err != nil {
		return nil, err
	}
	switch resp.Header.Get(verdictHeader) {
	case "":
		return resp, nil
	case notSent:
		err = tunnel.ErrNotSent
	default:
		err = errBroken
	}
	resp.Body.Close()
	return nil, err
}

// trialBody is a body that may be needed again: as long as nothing was read of it, it is not closed.
type trialBody struct {
	from io.ReadCloser

	mu      sync.Mutex
	begun   bool // something was read
	closed  bool
	settled bool // nobody else will need it
	taken   bool // somebody else has it
}

var errTaken = errors.New("the body is sent elsewhere")

func (b *trialBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	if b.taken {
		b.mu.Unlock()
		return 0, errTaken
	}
	b.begun = true
	b.mu.Unlock()
	return b.from.Read(p)
}

func (b *trialBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	if b.taken || !b.begun && !b.settled {
		return nil
	}
	return b.from.Close()
}

// settle has the body be closed by whoever reads it, or now.
func (b *trialBody) settle() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.settled = true; b.closed && !b.taken {
		b.from.Close()
	}
}

// takeBack tells whether the body can be sent elsewhere, whole. From then on nothing more is read of it here.
func (b *trialBody) takeBack() bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken = !b.begun
	return b.taken
}
