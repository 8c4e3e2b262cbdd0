package connection

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// How long an answer may take that a stop waits for, where nobody has said otherwise.
func TestUsualWriteTimeout(t *testing.T) {
	t.Parallel()
	if got := NewLimiter(1, Timeouts{}).writeTimeout; got != usualWriteTimeout {
		t.Errorf("%v", got)
	}
}

// Connections that the system has queued when the service stops are not let in.
func TestDrain(t *testing.T) {
	t.Parallel()
	limiter := NewLimiter(10, Timeouts{})
	inside, early := net.Pipe()
	defer early.Close()
	if limiter.admit(inside) == nil {
		t.Fatal("an empty limiter let nobody in")
	}
	limiter.Drain()
	if _, err := early.Write([]byte("GET")); err == nil {
		t.Error("one that had sent nothing is still open")
	}
	outside, late := net.Pipe()
	defer late.Close()
	if limiter.admit(outside) != nil {
		t.Error("a drained limiter let somebody in")
	}
}

// Where many come at once, one more is let in when one of them has sent its request or has gone, and now and then besides.
func TestNewcomers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(10, Timeouts{})
		var inside []*conn
		for range 2 {
			near, far := net.Pipe()
			t.Cleanup(func() { far.Close() })
			inside = append(inside, limiter.admit(near))
		}
		expect := func(when string, most int, want bool) {
			t.Helper()
			if got := limiter.welcomes(most); got != want {
				t.Errorf("%s: %v", when, got)
			}
		}
		expect("two, without a limit", 0, true)
		expect("two of three", 3, true)
		expect("two of two, the first beyond", 2, true)
		expect("two of two, at once again", 2, false)
		time.Sleep(surplusEach)
		expect("two of two, later", 2, true)
		inside[0].settle() // it has sent its request
		inside[0].Close()  //nolint:errcheck // a pipe
		expect("one of two", 2, true)
		inside[1].Close() //nolint:errcheck // a pipe
		expect("none of one", 1, true)
	})
}

// Among those who are known, whoever has most idle connections loses one.
func TestWhoHasMostGoesFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(4, Timeouts{})
		come := func() *conn {
			near, far := net.Pipe()
			t.Cleanup(func() { far.Close() })
			time.Sleep(time.Second)
			return limiter.admit(near)
		}
		known := func(owner string, stage int32) *conn {
			c := come()
			MarkOwned(context.WithValue(t.Context(), connKey{}, c), owner)
			c.stage.Store(stage)
			return c
		}
		known("few", stageIdle) // the oldest
		known("many", stageHandled)
		second := known("many", stageIdle)
		third := known("many", stageIdle)
		has := func(c *conn) bool { _, open := limiter.conns[c]; return open }
		if known("few", stageHandled); has(second) || !has(third) {
			t.Error("another went before the oldest idle one of who has most")
		}
	})
}
