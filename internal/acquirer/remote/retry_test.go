package remote_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// The other side's clock may be hours off ours: only its own two times are compared.
func TestRetryAfterGoesByOneClock(t *testing.T) {
	const date = "Sun, 15 Nov 2026 12:00:00 GMT"
	for _, c := range []struct {
		date, after string
		want        time.Duration
	}{
		{date, "3", 3 * time.Second},
		{"", " 3 ", 3 * time.Second},
		{date, "Sun, 15 Nov 2026 12:00:04 GMT", 4 * time.Second},
		{date, "Sun, 15 Nov 2026 11:00:00 GMT", 0},
		{"", "Sun, 15 Nov 2099 12:00:04 GMT", 0},
		{"yesterday", "Sun, 15 Nov 2099 12:00:04 GMT", 0},
		{date, "soon", 0},
		{date, "-3", 0},
		{date, "", 0},
	} {
		if got := remote.RetryAfter(http.Header{"Date": {c.date}, "Retry-After": {c.after}}); got != c.want {
			t.Errorf("%q at %q: %v, want %v", c.after, c.date, got, c.want)
		}
	}
}
