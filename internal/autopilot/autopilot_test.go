package autopilot

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// counter is a terminal on which tasks appear and are done.
type counter struct {
	mu         sync.Mutex
	changes    chan struct{}
	serial     uint64
	waiting    bool
	done       []time.Time
	unattended bool
	thinks     time.Duration
}

func (c *counter) set(fn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn()
	close(c.changes)
	c.changes = make(chan struct{})
}

func (c *counter) Changes() <-chan struct{} { c.mu.Lock(); defer c.mu.Unlock(); return c.changes }
func (c *counter) Unattended() bool         { c.mu.Lock(); defer c.mu.Unlock(); return c.unattended }

func (c *counter) Waiting() (uint64, time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.serial, c.thinks, c.waiting
}

func (c *counter) Proceed(uint64) {
	c.set(func() { c.waiting = false; c.done = append(c.done, time.Now()) })
}
func (c *counter) Answer(s uint64) { c.Proceed(s) }

func (c *counter) ask() { c.set(func() { c.serial++; c.waiting = true }) }

func TestActsAfterTheDelayAndOnlyUnattended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions := &counter{changes: make(chan struct{}), unattended: true, thinks: 2 * time.Second}
		payments := &counter{changes: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			Pilot{Questions: questions, Payments: payments, Screen: questions}.Run(ctx)
		}()
		start := time.Now()
		questions.ask()
		time.Sleep(time.Second)
		questions.set(func() {}) // an unrelated change must not restart the clock
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if len(questions.done) != 1 || questions.done[0].Sub(start) != 2*time.Second {
			t.Fatalf("answered %v, want once after 2 s", questions.done)
		}
		questions.set(func() { questions.unattended = false })
		questions.ask()
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(questions.done) != 1 {
			t.Fatal("acted although somebody is there")
		}
		left := time.Now()
		questions.set(func() { questions.unattended = true })
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(questions.done) != 2 || questions.done[1].Sub(left) != 2*time.Second {
			t.Fatalf("did not take over after the page left: %v", questions.done)
		}
		cancel()
		<-done
	})
}

func TestPaymentCoversQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions := &counter{changes: make(chan struct{}), unattended: true, thinks: time.Second}
		payments := &counter{changes: make(chan struct{}), serial: 1, waiting: true, thinks: time.Second}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			Pilot{Questions: questions, Payments: payments, Screen: questions}.Run(ctx)
		}()
		questions.ask()
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(payments.done) != 1 || len(questions.done) != 1 || !payments.done[0].Before(questions.done[0]) {
			t.Fatalf("payment %v, question %v", payments.done, questions.done)
		}
		cancel()
		<-done
	})
}
