package httpapi

import (
	"testing"
	"time"
)

// What the interface's timeouts are where nobody has said anything; tests that wait for its end have less.
func TestUsualTimeouts(t *testing.T) {
	if got, want := (Timeouts{}).orDefault(), (Timeouts{Body: 30 * time.Second, Rest: time.Second, KeepAlive: 15 * time.Second, Second: time.Second}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
