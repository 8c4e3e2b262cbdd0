package discovery

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"time"
)

const (
	// A name is asked for three times before it is taken.
	probes     = 3
	probePause = 250 * time.Millisecond
	// Then it is announced twice.
	announcements = 2
	announcePause = time.Second
	// Many who answer the same question take turns by chance.
	answerSoonest = 20 * time.Millisecond
	answerLatest  = 120 * time.Millisecond
	// What everybody has just heard is not said again: a flood of questions makes none of answers.
	answerPause = time.Second
	// mostNames ends the search for a free name: somebody takes them all.
	mostNames = 50
)

// lookEvery is how often networks, addresses and what is announced are looked at anew.
var lookEvery = 10 * time.Second

// Options say what is announced, and who is told how it goes. All functions are called from one goroutine.
type Options struct {
	// Describe is the terminal as it is now.
	Describe func() Terminal
	// Only is the one address it is reached at; none: at all of them.
	Only netip.Addr
	// Announced is told under which name and addresses others find it, each time that changes, and after a failure.
	Announced func(name string, at []netip.Addr)
	// Failed is told why it can't be announced, once for each reason; it is tried again all the time.
	Failed func(error)
}

// Announcer has a terminal found, until it is closed.
type Announcer struct {
	stop context.CancelFunc
	done chan struct{}
}

// Announce begins to. It needs no network yet.
func Announce(o Options) *Announcer {
	ctx, stop := context.WithCancel(context.Background())
	a := &Announcer{stop: stop, done: make(chan struct{})}
	r := &responder{Options: o, host: hostName(), attempt: 1}
	go func() {
		defer close(a.done)
		r.run(ctx)
	}()
	return a
}

// Close says goodbye to those who listen and returns when it is said.
func (a *Announcer) Close() {
	a.stop()
	<-a.done
}

// hostName is one of our own by chance: the machine's may be spoken for by its own system, or be that of many machines.
func hostName() string {
	return fmt.Sprintf("maquininha-%012x", rand.N[int64](1<<48)) + domain
}

// responder is the announcer's one goroutine, and all it knows.
type responder struct {
	Options
	host    string
	attempt int // of the name

	terminal Terminal
	notice   notice
	conn     *conn
	packets  chan packet
	links    []link
	step     int  // of probing and announcing
	ours     bool // nobody has objected to the name
	next     *time.Timer
	answer   *time.Timer
	answerTo []link
	spoke    time.Time // when an answer was last sent to everybody
	replies  allowance // to those who asked by themselves

	told   string // what Announced was last told
	failed string // what Failed was last told
}

func (r *responder) run(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	r.next, r.answer = stopped(), stopped()
	r.look(ctx)
	for {
		select {
		case <-ctx.Done():
			r.leave()
			return
		case <-look.C:
			r.look(ctx)
		case <-r.next.C:
			r.goOn()
		case <-r.answer.C:
			r.multicast(r.answerTo, r.notice.announcement)
			r.answerTo, r.spoke = nil, time.Now()
		case p, ok := <-r.packets:
			if !ok && ctx.Err() == nil {
				r.close() // a socket that fails is opened anew at the next look
			}
			if !ok {
				continue
			}
			r.receive(p)
		}
	}
}

func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// look follows what may have changed: networks, addresses, the terminal itself.
func (r *responder) look(ctx context.Context) {
	now, err := links(r.Only)
	if err != nil {
		r.fail(err)
		return
	}
	if r.conn == nil && len(now) > 0 {
		if r.conn, err = join(); err != nil {
			r.conn = nil
			r.fail(err)
			return
		}
		r.packets = make(chan packet)
		go func(c *conn, packets chan<- packet) {
			defer close(packets)
			c.listen(ctx, packets)
		}(r.conn, r.packets)
	}
	if r.conn == nil {
		return // no network yet
	}
	if err := r.conn.follow(now); err != nil {
		r.fail(err)
	}
	before, moved := r.terminal, !slices.EqualFunc(r.conn.joined, r.links, link.same)
	r.terminal, r.links = r.Describe(), r.conn.joined
	switch {
	case len(r.links) == 0:
	case r.terminal.Name != before.Name:
		r.attempt = 1
		r.begin()
	case moved:
		r.begin() // in another network somebody else may have the name
	case r.terminal.port() != before.port() || !slices.Equal(r.terminal.text(), before.text()):
		r.write()
		if r.ours {
			r.step = probes
			r.next.Reset(0)
		}
	}
}

// begin asks for the name, and goes on to announce it.
func (r *responder) begin() {
	r.write()
	r.step, r.ours = 0, false
	r.next.Reset(chance(0, probePause))
}

// write puts down what is announced.
func (r *responder) write() {
	r.notice = notice{
		instance: label(r.terminal.Name, r.attempt) + "." + serviceOf, host: r.host, port: uint16(r.terminal.port()), text: r.terminal.text(),
	}
}

// goOn takes the next step of probing or announcing.
func (r *responder) goOn() {
	r.step++
	switch {
	case r.step <= probes:
		r.multicast(r.links, func([]netip.Addr) ([]byte, error) { return r.notice.probe() })
		r.next.Reset(probePause)
		return
	case r.step > probes+announcements:
		return
	}
	r.ours = true
	r.next.Reset(announcePause)
	if sent := r.multicast(r.links, r.notice.announcement); sent > 0 {
		r.report(sent == len(r.links))
	}
}

// multicast sends a message to everybody in some networks, and returns in how many it went out.
func (r *responder) multicast(to []link, message func([]netip.Addr) ([]byte, error)) (sent int) {
	if r.conn == nil {
		return 0
	}
	for _, l := range to {
		packet, err := message(l.addresses())
		if err == nil {
			err = r.conn.multicast(l, packet)
		}
		if err != nil {
			r.fail(err)
			continue
		}
		sent++
	}
	return sent
}

// leave says goodbye, twice: packets get lost.
func (r *responder) leave() {
	if r.ours {
		r.multicast(r.links, r.notice.goodbye)
		r.multicast(r.links, r.notice.goodbye)
	}
	r.close()
}

func (r *responder) close() {
	if r.conn == nil {
		return
	}
	r.conn.Close() //nolint:errcheck // nothing is lost with it
	for range r.packets {
	}
	r.conn, r.packets, r.links, r.ours = nil, nil, nil, false
	r.next.Stop()
	r.answer.Stop()
	r.answerTo = nil
}

// report tells where the terminal is found now. Who was told of a failure wants to know, too, that it is over.
func (r *responder) report(everywhere bool) {
	var at []netip.Addr
	for _, l := range r.links {
		at = append(at, l.addresses()...)
	}
	name := strings.TrimSuffix(r.notice.instance, "."+serviceOf)
	words := name
	for _, a := range at {
		words += " " + a.String()
	}
	over := everywhere && r.failed != ""
	if words == r.told && !over {
		return
	}
	if r.told = words; over {
		r.failed = ""
	}
	r.Announced(name, at)
}

func (r *responder) fail(err error) {
	if words := err.Error(); words != r.failed {
		r.failed = words
		r.Failed(err)
	}
}

// chance is a moment between two.
func chance(least, most time.Duration) time.Duration { return least + rand.N(most-least) }
