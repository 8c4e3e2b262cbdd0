package connection

import (
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

// Where many come at once, the next is let in when one of them has sent its request or has gone; where they say nothing, after a while.
func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(10, Timeouts{})
		var inside []*conn
		for range 2 {
			near, far := net.Pipe()
			t.Cleanup(func() { far.Close() })
			inside = append(inside, limiter.admit(near))
		}
		began := time.Now()
		for _, most := range []int{0, 3} {
			if limiter.pace(most); time.Since(began) != 0 {
				t.Errorf("two newcomers of %d waited", most)
			}
		}
		if limiter.pace(2); time.Since(began) != slowestPace {
			t.Errorf("with two who say nothing the next waited %v", time.Since(began))
		}
		for i, c := range inside {
			go c.Close() //nolint:errcheck // a pipe
			limiter.pace(2 - i)
			if n := limiter.newcomers.Load(); n != int64(1-i) {
				t.Errorf("%d newcomers", n)
			}
		}
		if time.Since(began) != slowestPace {
			t.Errorf("who waited for others to go waited %v", time.Since(began))
		}
	})
}
