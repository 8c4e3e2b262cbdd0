package connection

import (
	"net"
	"testing"
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
