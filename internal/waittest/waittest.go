// Package waittest waits in tests: for what is needed, never for a while.
package waittest

import (
	"testing"
	"time"
)

// Limit is longer than anything takes, however busy the machine is: a test that reaches it waits in vain.
const Limit = 10 * time.Minute

// Until returns when a condition holds.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(Limit); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
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
