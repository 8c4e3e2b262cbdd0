package discovery

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// ErrNoNetwork means that this machine is in no network in which there could be others.
var ErrNoNetwork = errors.New("no network that carries multicast")

// askAgain is after how long the question is asked once more: packets get lost, and machines sleep.
var askAgain = []time.Duration{500 * time.Millisecond, time.Second}

// mostFound is how many are listed; no shop has more, somebody makes them up.
const mostFound = 1000

// Find listens for answers until the context ends, and returns who answered, in the order of their names.
func Find(ctx context.Context) ([]Terminal, error) {
	networks, err := links(netip.Addr{})
	if err != nil {
		return nil, err
	}
	if len(networks) == 0 {
		return nil, ErrNoNetwork
	}
	sockets, err := listenOn(networks)
	if err != nil {
		return nil, err
	}
	question, err := ask(serviceOf, dnsmessage.TypePTR)
	if err != nil {
		return nil, err
	}
	packets := make(chan packet)
	var listening sync.WaitGroup
	defer listening.Wait()
	for _, s := range sockets {
		defer s.Close() //nolint:errcheck // nothing is lost with it
		listening.Go(func() { s.listen(ctx, packets) })
	}
	found := directory{instances: map[string]instance{}, texts: map[string][]string{}, addresses: map[string][]netip.Addr{}}
	var sent int
	turn := time.NewTimer(0)
	defer turn.Stop()
	for turns := 0; ; {
		select {
		case <-ctx.Done():
			if sent > 0 {
				err = nil
			}
			return found.terminals(), err
		case p := <-packets:
			found.receive(p, networks)
		case <-turn.C:
			for _, s := range sockets {
				for _, l := range networks {
					if failure := s.multicast(l, question); failure != nil {
						err = failure
					} else {
						sent++
					}
				}
			}
			if turns < len(askAgain) {
				turn.Reset(askAgain[turns])
				turns++
			}
		}
	}
}

// listenOn opens two sockets: one gets what is sent to everybody; the other gets answers of its own, which pass where
// multicast only goes out.
func listenOn(networks []link) ([]*conn, error) {
	plain, err := net.ListenUDP("udp4", nil)
	if err != nil {
		return nil, err
	}
	own, err := prepare(plain)
	if err != nil {
		return nil, err
	}
	shared, err := join()
	if err != nil {
		return []*conn{own}, nil //nolint:nilerr // the port is somebody's who does not share it; the other socket does
	}
	if shared.follow(networks) != nil {
		shared.Close() //nolint:errcheck // nothing is lost with it
		return []*conn{own}, nil
	}
	return []*conn{own, shared}, nil
}

// directory is what was received so far.
type directory records

// receive takes in a packet of a neighbour.
func (d *directory) receive(p packet, networks []link) {
	if !slices.ContainsFunc(networks, func(l link) bool { return l.has(p.from.Addr()) }) {
		return
	}
	h, ok := readAnswer(p.bytes)
	if !ok {
		return
	}
	for _, name := range h.gone {
		delete(d.instances, name)
	}
	for name, i := range h.instances {
		if _, known := d.instances[name]; !known && len(d.instances) >= mostFound {
			continue
		}
		d.instances[name] = i
		if text := h.texts[name]; text != nil {
			d.texts[name] = text
		}
		for _, a := range h.addresses[i.host] {
			if all := d.addresses[i.host]; !slices.Contains(all, a) && len(all) < 16 {
				d.addresses[i.host] = append(all, a)
			}
		}
	}
}

// terminals are those of which it is known what they are called and where they are.
func (d *directory) terminals() []Terminal {
	var all []Terminal
	for name, i := range d.instances {
		t := Terminal{Name: clean(i.name), Addresses: d.addresses[i.host]}
		if t.Name == "" || len(t.Addresses) == 0 || i.port == 0 {
			continue
		}
		t.describe(d.texts[name], i.port)
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b Terminal) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), a.Addresses[0].Compare(b.Addresses[0]), cmp.Compare(a.port(), b.port()))
	})
	return all
}
