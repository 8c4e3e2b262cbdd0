package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

// hubKey marks a context as of a request that came through a hub.
type hubKey struct{}

// ThroughHub marks a request that comes through the tunnel of the terminal's hub. Where the hub has checked who asks, no password is
// asked for, and nobody is slowed for what another caller of the hub did.
func ThroughHub(ctx context.Context, checked bool) context.Context {
	return context.WithValue(ctx, hubKey{}, checked)
}

// authorized checks the Authorization header. A request with two is refused: either could be meant.
func (api *API) authorized(r *http.Request) bool {
	if checked, _ := r.Context().Value(hubKey{}).(bool); checked {
		return true
	}
	shown := r.Header["Authorization"]
	return len(shown) == 1 && api.Authenticator.Allows(r.Context(), r.RemoteAddr, shown[0])
}

// refuseUnauthorized answers 401. Many wrong guesses are answered late, each on a connection of its own, and are not all logged.
func (api *API) refuseUnauthorized(w http.ResponseWriter, r *http.Request, started time.Time) {
	if len(r.Header["Authorization"]) > 0 {
		if wait := api.attempts.Wrong(r.RemoteAddr); wait > 0 {
			w.Header().Set("Connection", "close")
			api.delay(r, wait)
		}
	}
	api.counters.unauthorized.Inc()
	h := w.Header()
	h.Set("WWW-Authenticate", `Basic realm="maquininha", charset="UTF-8"`)
	f := failureOf(errUnauthorized)
	respond(w, f.status, errorBody{f.code, f.message}) //nolint:errcheck // two fields always encode
	worth, before := api.attempts.Note(r.RemoteAddr)
	if !worth {
		return
	}
	details := f.message
	if before > 0 {
		details += fmt.Sprintf("\nmais %d recusas desta origem não foram anotadas", before)
	}
	api.logRequest(r, started, logbook.HTTP, f.status, details)
}

// delay lets time pass, unless the caller leaves or the service stops.
func (api *API) delay(r *http.Request, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	case <-api.stopping.Done():
	}
}
