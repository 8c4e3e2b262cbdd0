package httpapi

import (
	"context"
	"net/http"

	"github.com/maquininha/maquininha/internal/operation"
)

// easel has room for one picture: a few kilobytes may take 128 MiB while they are decoded, and callers who come together
// must not take that many times over. Who comes first is first.
type easel chan struct{}

func newEasel() easel { return make(easel, 1) }

// take waits for the easel, unless the caller leaves or the service stops.
func (e easel) take(r *http.Request, stopping context.Context) (leave func(), err error) {
	select {
	case e <- struct{}{}:
		return func() { <-e }, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-stopping.Done():
		return nil, operation.ErrStopping
	}
}
