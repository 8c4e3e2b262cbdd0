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
		r, done := Outlive(r)
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

// A caller's reference may be any text; a header may not.
func TestReferencesThatNoHeaderHolds(t *testing.T) {
	for reference, want := range map[string]string{"pedido 1": "pedido 1", "a\x00b": "", "a\nb": "", "ação": "ação"} {
		h := http.Header{}
		expose(h, ReferenceHeader, reference)
		if h.Get(ReferenceHeader) != want || (h.Get("Access-Control-Expose-Headers") != "") != (want != "") {
			t.Errorf("%q: %v", reference, h)
		}
	}
}
