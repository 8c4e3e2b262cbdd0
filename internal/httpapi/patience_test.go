package httpapi

import (
	"testing"
	"time"
)

// What the interface's patience is where nobody has said anything; tests that wait for its end have less.
func TestUsualPatience(t *testing.T) {
	if got, want := (Patience{}).orDefault(), (Patience{Body: 30 * time.Second, Rest: time.Second, Quiet: 15 * time.Second}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
