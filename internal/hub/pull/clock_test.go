package pull

import (
	"testing"
	"time"
)

// A position that was on its way for some seconds makes no clock wrong; one that is off by more is known.
func TestClockOff(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for ahead, want := range map[time.Duration]time.Duration{-30 * time.Second: 0, time.Second: 0, -time.Hour: -time.Hour, 5 * time.Minute: 5 * time.Minute} {
		if got := clockOff(now.Add(ahead), now); got != want {
			t.Errorf("%v ahead: %v, want %v", ahead, got, want)
		}
	}
	if got := clockOff(time.Time{}, now); got != 0 {
		t.Errorf("of a clock that nobody knows: %v", got)
	}
}
