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
	v := &voice{Options: o, host: hostName(), attempt: 1}
	go func() {
		defer close(a.done)
		v.run(ctx)
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

// voice is the announcer's one goroutine, and all it knows.
type voice struct {
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

func (v *voice) run(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	v.next, v.answer = stopped(), stopped()
	v.look(ctx)
	for {
		select {
		case <-ctx.Done():
			v.leave()
			return
		case <-look.C:
			v.look(ctx)
		case <-v.next.C:
			v.goOn()
		case <-v.answer.C:
			v.tell(v.answerTo, v.notice.announcement)
			v.answerTo, v.spoke = nil, time.Now()
		case p, ok := <-v.packets:
			if !ok && ctx.Err() == nil {
				v.close() // a socket that fails is opened anew at the next look
			}
			if !ok {
				continue
			}
			v.hear(p)
		}
	}
}

func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// look follows what may have changed: networks, addresses, the terminal itself.
func (v *voice) look(ctx context.Context) {
	now, err := links(v.Only)
	if err != nil {
		v.fail(err)
		return
	}
	if v.conn == nil && len(now) > 0 {
		if v.conn, err = join(); err != nil {
			v.conn = nil
			v.fail(err)
			return
		}
		v.packets = make(chan packet)
		go func(c *conn, packets chan<- packet) {
			defer close(packets)
			c.listen(ctx, packets)
		}(v.conn, v.packets)
	}
	if v.conn == nil {
		return // no network yet
	}
	if err := v.conn.follow(now); err != nil {
		v.fail(err)
	}
	before, moved := v.terminal, !slices.EqualFunc(v.conn.joined, v.links, link.same)
	v.terminal, v.links = v.Describe(), v.conn.joined
	switch {
	case len(v.links) == 0:
	case v.terminal.Name != before.Name:
		v.attempt = 1
		v.begin()
	case moved:
		v.begin() // in another network somebody else may have the name
	case v.terminal.port() != before.port() || !slices.Equal(v.terminal.text(), before.text()):
		v.write()
		if v.ours {
			v.step = probes
			v.next.Reset(0)
		}
	}
}

// begin asks for the name, and goes on to announce it.
func (v *voice) begin() {
	v.write()
	v.step, v.ours = 0, false
	v.next.Reset(chance(0, probePause))
}

// write puts down what is announced.
func (v *voice) write() {
	v.notice = notice{
		instance: label(v.terminal.Name, v.attempt) + "." + serviceOf, host: v.host, port: uint16(v.terminal.port()), text: v.terminal.text(),
	}
}

// goOn takes the next step of probing or announcing.
func (v *voice) goOn() {
	v.step++
	switch {
	case v.step <= probes:
		v.tell(v.links, func([]netip.Addr) ([]byte, error) { return v.notice.probe() })
		v.next.Reset(probePause)
		return
	case v.step > probes+announcements:
		return
	}
	v.ours = true
	v.next.Reset(announcePause)
	if sent := v.tell(v.links, v.notice.announcement); sent > 0 {
		v.report(sent == len(v.links))
	}
}

// tell sends a message to everybody in some networks, and returns in how many it went out.
func (v *voice) tell(to []link, message func([]netip.Addr) ([]byte, error)) (sent int) {
	if v.conn == nil {
		return 0
	}
	for _, l := range to {
		packet, err := message(l.addresses())
		if err == nil {
			err = v.conn.tell(l, packet)
		}
		if err != nil {
			v.fail(err)
			continue
		}
		sent++
	}
	return sent
}

// leave says goodbye, twice: packets get lost.
func (v *voice) leave() {
	if v.ours {
		v.tell(v.links, v.notice.goodbye)
		v.tell(v.links, v.notice.goodbye)
	}
	v.close()
}

func (v *voice) close() {
	if v.conn == nil {
		return
	}
	v.conn.Close() //nolint:errcheck // nothing is lost with it
	for range v.packets {
	}
	v.conn, v.packets, v.links, v.ours = nil, nil, nil, false
	v.next.Stop()
	v.answer.Stop()
	v.answerTo = nil
}

// report tells where the terminal is found now. Who was told of a failure wants to know, too, that it is over.
func (v *voice) report(everywhere bool) {
	var at []netip.Addr
	for _, l := range v.links {
		at = append(at, l.addresses()...)
	}
	name := strings.TrimSuffix(v.notice.instance, "."+serviceOf)
	words := name
	for _, a := range at {
		words += " " + a.String()
	}
	over := everywhere && v.failed != ""
	if words == v.told && !over {
		return
	}
	if v.told = words; over {
		v.failed = ""
	}
	v.Announced(name, at)
}

func (v *voice) fail(err error) {
	if words := err.Error(); words != v.failed {
		v.failed = words
		v.Failed(err)
	}
}

// chance is a moment between two.
func chance(least, most time.Duration) time.Duration { return least + rand.N(most-least) }
