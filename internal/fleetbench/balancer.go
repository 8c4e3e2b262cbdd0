package main

import (
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
)

// balancer passes connections on to hubs by turns.
type balancer struct {
	listens net.Listener
	turn    atomic.Uint32

	mu   sync.Mutex
	hubs []string
}

func openBalancer(hubs []*hub) (*balancer, error) {
	b := &balancer{}
	for _, h := range hubs {
		b.hubs = append(b.hubs, h.tls)
	}
	var err error
	if b.listens, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	go func() {
		for {
			conn, err := b.listens.Accept()
			if err != nil {
				return // closed
			}
			go b.pass(conn)
		}
	}()
	return b, nil
}

func (b *balancer) address() string { return b.listens.Addr().String() }

// without has nobody sent to a hub any more.
func (b *balancer) without(h *hub) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hubs = slices.DeleteFunc(b.hubs, func(address string) bool { return address == h.tls })
}

func (b *balancer) next() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hubs[int(b.turn.Add(1))%len(b.hubs)]
}

func (b *balancer) pass(near net.Conn) {
	defer near.Close()
	far, err := net.Dial("tcp", b.next())
	if err != nil {
		return
	}
	defer far.Close()
	go func() {
		copyPlainly(far, near)
		far.Close()
	}()
	copyPlainly(near, far)
}

// copyPlainly copies with a buffer of its own: the standard library would splice, and hold a pipe, two more files, for each direction of a link.
func copyPlainly(to io.Writer, from io.Reader) {
	const buffer = 4 << 10
	io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, buffer)) //nolint:errcheck // either end may go
}

func (b *balancer) close() { b.listens.Close() }
