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
		io.Copy(far, near) //nolint:errcheck // either end may go
		far.Close()
	}()
	io.Copy(near, far) //nolint:errcheck // as above
}

func (b *balancer) close() { b.listens.Close() }
