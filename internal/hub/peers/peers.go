// Package peers has hubs that share a database ask one another for the terminals that hang elsewhere.
//
// Invariants: hubs speak to whom a lease names, by the key in it, and listen to no one else; a request reaches a terminal only on the
// connection that it was sent for; tunnel.ErrNotSent is said only where certainly nothing was sent; whatever else the relay promises holds
// over two hubs too.
package peers

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/links"
)

// Leases say where terminals hang; a *leases.Desk does.
type Leases interface {
	Run() string // empty: this hub has no lease, and must not use its links
	Holds(l leases.Location) bool
	Locate(ctx context.Context, terminal string) (leases.Location, leases.Hub, error)
	Known(ctx context.Context, keyHash []byte) error
}

// Board has this hub's own links; a *links.Board does.
type Board interface {
	Find(terminal string) (links.Link, bool)
	Presence(terminal string) links.Presence
}

// Peers finds the way to terminals, wherever they hang.
type Peers struct {
	leases Leases
	board  Board
	lines  *lines
	places places
}

// New returns a hub among others, which it shows its identity.
func New(l Leases, b Board, i Identity) *Peers {
	return &Peers{leases: l, board: b, lines: newLines(i, l.Run)}
}

// Close ends the connections to other hubs, and the requests on them.
func (p *Peers) Close() { p.lines.close() }

// locatePatience is how long a request waits for the database to say where its terminal hangs.
const locatePatience = 2 * time.Second

func (p *Peers) locate(ctx context.Context, terminal string) (leases.Location, leases.Hub, error) {
	ctx, cancel := context.WithTimeout(ctx, locatePatience)
	defer cancel()
	at, hub, err := p.leases.Locate(ctx, terminal)
	if err == nil {
		p.places.put(at, hub)
	} else {
		p.places.forget(terminal)
	}
	return at, hub, err
}

// here is the link of a terminal that hangs at this hub.
func (p *Peers) here(terminal string) (links.Link, bool) {
	if p.leases.Run() == "" {
		return nil, false
	}
	return p.board.Find(terminal)
}

// Route is the way to a terminal; false: it hangs nowhere, as far as this hub can tell.
func (p *Peers) Route(ctx context.Context, terminal string) (http.RoundTripper, bool) {
	if link, is := p.here(terminal); is {
		return link, true
	}
	if known, is := p.places.get(terminal); is {
		return &route{peers: p, at: known.at, hub: known.hub, remembered: true}, true
	}
	at, hub, err := p.locate(ctx, terminal)
	if err != nil || at.Run == p.leases.Run() {
		return nil, false
	}
	return &route{peers: p, at: at, hub: hub}, true
}

// Presence is what this hub knows of a terminal. How far its records are read is known only where it hangs.
func (p *Peers) Presence(terminal string) links.Presence {
	presence := p.board.Presence(terminal)
	if !presence.Online {
		presence.Caught = time.Time{}
	}
	return presence
}

// linkHeader names the connection that a request is for, between hubs.
const linkHeader = "X-Maquininha-Link"

// verdictHeader marks an answer of the other hub itself. No terminal's has it.
const verdictHeader = "X-Maquininha-Peer"

// The verdicts.
const (
	notSent = "not sent" // the terminal does not hang there, or its link was over before
	broken  = "broken"   // nobody knows what the terminal did
)

func written(l leases.Location) string {
	return l.Run + " " + strconv.FormatInt(l.Number, 10) + " " + l.Terminal
}

func read(text string) (l leases.Location, is bool) {
	run, rest, _ := strings.Cut(text, " ")
	number, terminal, _ := strings.Cut(rest, " ")
	n, err := strconv.ParseInt(number, 10, 64)
	return leases.Location{Terminal: terminal, Run: run, Number: n}, err == nil && run != "" && terminal != ""
}
