package discovery

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"

	"golang.org/x/net/ipv4"
)

var group = &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: 5353}

// mostBytes is the largest packet there is, headers included.
const mostBytes = 9000

// link is a network that this machine is in.
type link struct {
	card     net.Interface
	prefixes []netip.Prefix // its own addresses in it
}

func (l link) addresses() []netip.Addr {
	all := make([]netip.Addr, len(l.prefixes))
	for i, p := range l.prefixes {
		all[i] = p.Addr()
	}
	return all
}

// has tells whether an address is one of this network.
func (l link) has(a netip.Addr) bool {
	return slices.ContainsFunc(l.prefixes, func(p netip.Prefix) bool { return p.Contains(a) })
}

func (l link) same(other link) bool {
	return l.card.Index == other.card.Index && l.card.Name == other.card.Name && slices.Equal(l.prefixes, other.prefixes)
}

// links are the networks to announce in: those that carry multicast, and where there are others. With an address, only
// the one that has it.
func links(only netip.Addr) ([]link, error) {
	cards, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("reading the network interfaces: %w", err)
	}
	var all []link
	for _, card := range cards {
		if card.Flags&net.FlagUp == 0 || card.Flags&net.FlagMulticast == 0 || card.Flags&(net.FlagLoopback|net.FlagPointToPoint) != 0 {
			continue
		}
		addresses, err := card.Addrs()
		if err != nil {
			continue // it is gone again
		}
		l := link{card: card}
		for _, a := range addresses {
			prefix, err := netip.ParsePrefix(a.String())
			if err == nil && prefix.Addr().Is4() && (!only.IsValid() || only == prefix.Addr()) {
				l.prefixes = append(l.prefixes, prefix)
			}
		}
		if len(l.prefixes) > 0 {
			all = append(all, l)
		}
	}
	return all, nil
}

// conn is a socket in the group of all who speak multicast DNS on some networks.
type conn struct {
	*ipv4.PacketConn
	joined []link
}

// join opens the port that everybody shares.
func join() (*conn, error) {
	socket, err := net.ListenUDP("udp4", group) // of an address like this one the port is shared
	if err != nil {
		return nil, fmt.Errorf("opening port %d: %w", group.Port, err)
	}
	return prepare(socket)
}

func prepare(socket *net.UDPConn) (*conn, error) {
	c := &conn{PacketConn: ipv4.NewPacketConn(socket)}
	// Others on this very machine are to hear it too; the rest is how packets that never left the network are known.
	for _, set := range []func() error{
		func() error { return c.SetMulticastLoopback(true) }, func() error { return c.SetMulticastTTL(255) }, func() error { return c.SetTTL(255) },
	} {
		if err := set(); err != nil {
			socket.Close()
			return nil, fmt.Errorf("preparing multicast: %w", err)
		}
	}
	return c, nil
}

// follow joins the group in networks that are new and leaves it in those that are gone. An error means that it could
// join in none.
func (c *conn) follow(now []link) error {
	var failure error
	var joined []link
	for _, l := range now {
		known := slices.ContainsFunc(c.joined, func(j link) bool { return j.card.Index == l.card.Index && j.card.Name == l.card.Name })
		if !known {
			if err := c.JoinGroup(&l.card, group); err != nil {
				failure = fmt.Errorf("joining multicast on %s: %w", l.card.Name, err)
				continue
			}
		}
		joined = append(joined, l)
	}
	for _, j := range c.joined {
		if !slices.ContainsFunc(joined, func(l link) bool { return l.card.Index == j.card.Index }) {
			_ = c.LeaveGroup(&j.card, group) // it may be gone with its card
		}
	}
	c.joined = joined
	if len(joined) > 0 {
		return nil
	}
	return failure
}

// multicast sends a packet to everybody in a network.
func (c *conn) multicast(l link, packet []byte) error {
	if err := c.SetMulticastInterface(&l.card); err != nil {
		return err
	}
	_, err := c.WriteTo(packet, nil, group)
	return err
}

// packet is one that came in.
type packet struct {
	from  netip.AddrPort
	bytes []byte
}

// listen passes packets on until the socket is closed, or nobody wants them any more.
func (c *conn) listen(ctx context.Context, to chan<- packet) {
	room := make([]byte, mostBytes)
	for {
		n, _, from, err := c.ReadFrom(room)
		if err != nil {
			return
		}
		sender, ok := from.(*net.UDPAddr)
		if !ok {
			continue
		}
		address := sender.AddrPort()
		select {
		case to <- packet{netip.AddrPortFrom(address.Addr().Unmap(), address.Port()), slices.Clone(room[:n])}:
		case <-ctx.Done():
			return
		}
	}
}
