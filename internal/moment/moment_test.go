package moment

import (
	"testing"
	"time"
)

// A date is one moment, and a span of it is not empty.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2026-11-15", "2026-319", "20261115T1030Z", "2026-W46-7", "2026W467", "2026-11-15T10:30:00.123-03:00", "2026-11-15 10:30 03:00", "0000-W01-1", "9999-W53-7", "2026-11-15T24:00", "", "T"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		begin, ok := Parse(text, false)
		end, also := Parse(text, true)
		if ok != also {
			t.Fatalf("%q is a moment as one end of a span only", text)
		}
		if !ok {
			return
		}
		if !begin.Before(end) || end.Sub(begin) > 26*time.Hour {
			t.Errorf("%q is from %v to %v", text, begin, end)
		}
	})
}
