package relay

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// A caller that sends no more may still read: its request goes on for a moment, and no longer.
func TestOutlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, hangUp := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://terminal/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r, done := outlive(r)
		defer done()
		hangUp()
		time.Sleep(afterHangUp - 1)
		if r.Context().Err() != nil {
			t.Error("it is over at once")
		}
		time.Sleep(2 * time.Nanosecond)
		synctest.Wait()
		if r.Context().Err() == nil {
			t.Error("it goes on")
		}
	})
}
