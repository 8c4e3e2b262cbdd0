package httpapi

import (
	"context"
	"net/http"

	"github.com/maquininha/maquininha/internal/operation"
)

// slot lets one at a time do what takes much memory: a few kilobytes may be a picture of 128 MiB, or a page of 20 metres, and
// callers who come together must not take that many times over.
type slot chan struct{}

func newSlot() slot { return make(slot, 1) }

// take waits for the slot, unless the caller leaves or the service stops.
func (s slot) take(r *http.Request, stopping context.Context) (leave func(), err error) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-stopping.Done():
		return nil, operation.ErrStopping
	}
}
