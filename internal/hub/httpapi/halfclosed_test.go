package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// A caller that has closed its own half of the connection still reads: it gets its answer, also when it did so before the hub knew who calls.
func TestWhoSendsNoMoreIsAnswered(t *testing.T) {
	h := newHub(t)
	x := h.join(t, "", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	ended, end := context.WithCancel(t.Context())
	end()
	for auth, want := range map[string]int{h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: h.founded.Shop.Place, Role: fleet.Reads}}): http.StatusTeapot, "Bearer x": http.StatusUnauthorized} {
		r := httptest.NewRequestWithContext(ended, http.MethodGet, "/terminals/"+x.id+"/status", http.NoBody)
		r.Header.Set("Authorization", auth)
		w := httptest.NewRecorder()
		h.Config.Handler.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("as %.10s: %d %s, want %d", auth, w.Code, w.Body, want)
		}
	}
}
