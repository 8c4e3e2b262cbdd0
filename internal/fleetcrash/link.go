package main

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
)

// link is the way from a terminal to the hub, or from a hub to its database, in the campaign's hands: it can be cut, fall silent, or
// be slow.
type link struct {
	address string
	dial    func(context.Context) (net.Conn, error) // where to
	listens net.Listener

	mu     sync.Mutex
	conns  map[net.Conn]bool
	silent chan struct{} // closed when it speaks again; nil: it does
	delay  time.Duration
}

func newLink(dial func(context.Context) (net.Conn, error)) (*link, error) {
	l := &link{address: rig.FreeAddress(), dial: dial, conns: map[net.Conn]bool{}}
	var err error
	l.listens, err = net.Listen("tcp", l.address)
	if err == nil {
		go l.accept()
	}
	return l, err
}

func (l *link) accept() {
	for {
		conn, err := l.listens.Accept()
		if err != nil {
			return // closed
		}
		go l.join(conn)
	}
}

// join carries what both ends say.
func (l *link) join(near net.Conn) {
	far, err := l.dial(context.Background())
	if err != nil {
		near.Close()
		return
	}
	l.mu.Lock()
	l.conns[near], l.conns[far] = true, true
	l.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { l.carry(far, near) })
	both.Go(func() { l.carry(near, far) })
	both.Wait()
	l.mu.Lock()
	delete(l.conns, near)
	delete(l.conns, far)
	l.mu.Unlock()
}

func (l *link) carry(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	for buffer := make([]byte, 32<<10); ; {
		n, err := from.Read(buffer)
		if n > 0 {
			l.hold()
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			l.hold() // an end is not heard of through a silent link either
			return
		}
	}
}

// hold waits as long as the link is silent or slow.
func (l *link) hold() {
	l.mu.Lock()
	silent, delay := l.silent, l.delay
	l.mu.Unlock()
	if silent != nil {
		<-silent
	}
	time.Sleep(delay)
}

// cut ends all connections, as a router does that is switched off and on: with a reset.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn := range l.conns {
		if tcp, ok := conn.(*net.TCPConn); ok {
			tcp.SetLinger(0) //nolint:errcheck // it may be closed
		}
		conn.Close()
	}
}

// hush has nothing pass until speak.
func (l *link) hush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.silent == nil {
		l.silent = make(chan struct{})
	}
}

func (l *link) speak() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.silent != nil {
		close(l.silent)
		l.silent = nil
	}
}

// slow has all that passes wait so long.
func (l *link) slow(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delay = d
}

func (l *link) close() {
	l.listens.Close()
	l.speak()
	l.cut()
}

// wait lets time pass.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

var errPatience = errors.New("the patience of the campaign is at its end")

// until waits for something; an error ends it.
func until(ctx context.Context, what string, holds func() (bool, error)) error {
	const patience = 5 * time.Minute
	for limit := time.Now().Add(patience); ; {
		ok, err := holds()
		if err != nil || ok {
			return err
		}
		if time.Now().After(limit) {
			return errors.Join(errPatience, errors.New(what))
		}
		if err := wait(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}
