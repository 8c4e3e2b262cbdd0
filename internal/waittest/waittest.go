// Package waittest waits in tests: for what is needed, never for a while.
package waittest

import (
	"testing"
	"time"
)

// Limit is longer than anything takes, however busy the machine is: a test that reaches it waits in vain.
const Limit = 10 * time.Minute

// Until returns when a condition holds. It looks less and less often: what is looked at may be a whole log, and others need the processor.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	pause := 2 * time.Millisecond
	for end := time.Now().Add(Limit); !holds(); pause = min(pause*5/4, 40*time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(pause)
	}
}

// Receive returns what comes from a channel, or nothing when it is closed.
func Receive[T any](t testing.TB, what string, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(Limit):
		t.Fatalf("waited in vain: %s", what)
	}
	return v
}
