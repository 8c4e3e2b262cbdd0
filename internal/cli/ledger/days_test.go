package ledger

import (
	"testing"
	"time"
)

// Today and yesterday are whole days, also where the clock leaves zero hours out.
func TestDaysWithoutMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	fifth, sixth, seventh := time.Date(2026, 9, 5, 0, 0, 0, 0, zone), time.Date(2026, 9, 6, 1, 0, 0, 0, zone), time.Date(2026, 9, 7, 0, 0, 0, 0, zone)
	for _, c := range []struct {
		asked        Period
		now          time.Time
		since, until time.Time
	}{
		{Period{Today: true}, sixth.Add(time.Hour), sixth, seventh},
		{Period{Yesterday: true}, sixth.Add(time.Hour), fifth, sixth},
		{Period{Yesterday: true}, seventh.Add(time.Hour), sixth, seventh},
	} {
		got, err := c.asked.of(c.now)
		if err != nil || !got.Since.Equal(c.since) || !got.Until.Equal(c.until) {
			t.Errorf("%+v at %v: %v (%v)", c.asked, c.now, got, err)
		}
	}
}
