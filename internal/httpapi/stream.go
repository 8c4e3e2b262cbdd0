package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

// mergeContexts ends when either does.
func mergeContexts(a, b context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(a)
	stop := context.AfterFunc(b, cancel)
	return ctx, func() { stop(); cancel() }
}

// beginEvents opens a stream of Server-Sent Events; false: there is nothing more to send.
func beginEvents(w http.ResponseWriter, r *http.Request) (*http.ResponseController, bool) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	w.WriteHeader(http.StatusOK)
	return out, out.Flush() == nil && r.Method != http.MethodHead
}

// nextEntries waits for entries; none and no error means it is time to keep the connection awake.
func nextEntries(ctx context.Context, f *logbook.Follower, quiet time.Duration) ([]logbook.Entry, error) {
	waiting, cancel := context.WithTimeout(ctx, quiet)
	defer cancel()
	entries, err := f.Next(waiting)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, nil
	}
	return entries, err
}
