package httpapi

import (
	"context"
	"net/http"

	"github.com/maquininha/maquininha/internal/operation"
)

// decodeSlot lets one picture be decoded at a time: a few kilobytes may take 128 MiB meanwhile, and callers who come together
// must not take that many times over.
type decodeSlot chan struct{}

func newDecodeSlot() decodeSlot { return make(decodeSlot, 1) }

// take waits for the slot, unless the caller leaves or the service stops.
func (s decodeSlot) take(r *http.Request, stopping context.Context) (leave func(), err error) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-stopping.Done():
		return nil, operation.ErrStopping
	}
}
