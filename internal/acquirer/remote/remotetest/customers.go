package remotetest

import (
	"sync"
	"time"
)

// Customers stand at a device that asks for a card in its own time.
type Customers struct {
	mu   sync.Mutex
	next chan struct{} // closed when they are sent away
	here sync.WaitGroup
}

// Come has one try again and again until he says that it is done, for a few seconds: he looks at the device until it asks for the
// card, or goes away.
func (c *Customers) Come(try func() (done bool)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil {
		c.next = make(chan struct{})
	}
	next := c.next
	c.here.Go(func() {
		for began := time.Now(); time.Since(began) < 5*time.Second && !try(); {
			select {
			case <-next:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
}

// Leave has all go away, and returns when they have: who came for one payment must not pay the next one.
func (c *Customers) Leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next != nil {
		close(c.next)
		c.next = nil
	}
	c.here.Wait()
}

// Wait waits until each has done what he came for, or given up.
func (c *Customers) Wait() { c.here.Wait() }
