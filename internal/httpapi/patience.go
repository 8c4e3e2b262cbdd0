package httpapi

import (
	"context"
	"io"
	"net/http"
	"time"
)

// A caller that stalls must hold up neither its own request for ever nor a service that wants to stop. The
// server has no timeouts of its own, because questions and payments are held open; these bound the rest.
const (
	// bodyPatience is how long the next piece of a body may take.
	bodyPatience = 30 * time.Second
	// stopPatience is how long an answer that is being written may go on when the service stops.
	stopPatience = 2 * time.Second
)

// boundedBody reads a body piece by piece with a deadline for each; the deadline is gone once it is read, so
// that it can't end a request that is then held.
type boundedBody struct {
	io.ReadCloser
	stopping context.Context
	conn     *http.ResponseController
	forget   func() bool // no longer cut off when the service stops
}

func (api *API) bounded(w http.ResponseWriter, body io.ReadCloser) *boundedBody {
	conn := http.NewResponseController(w)
	return &boundedBody{
		ReadCloser: body, stopping: api.stopping, conn: conn,
		forget: context.AfterFunc(api.stopping, func() { conn.SetReadDeadline(time.Now()) }), //nolint:errcheck // the connection may be gone
	}
}

func (b *boundedBody) Read(p []byte) (int, error) {
	b.conn.SetReadDeadline(time.Now().Add(bodyPatience)) //nolint:errcheck // as above
	// Looked at after the deadline is set: a stop that comes later sets its own.
	if b.stopping.Err() != nil {
		b.settle()
		return 0, ErrStopping
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.settle()
		if err != io.EOF && b.stopping.Err() != nil {
			err = ErrStopping
		}
	}
	return n, err
}

// settle takes the deadline away.
func (b *boundedBody) settle() {
	b.forget()
	b.conn.SetReadDeadline(time.Time{}) //nolint:errcheck // as above
}

// cutOffOnStop bounds an answer whose reader may be slow; undo must be called when it is written.
func (api *API) cutOffOnStop(w http.ResponseWriter) (undo func() bool) {
	conn := http.NewResponseController(w)
	return context.AfterFunc(api.stopping, func() {
		conn.SetWriteDeadline(time.Now().Add(stopPatience)) //nolint:errcheck // the connection may be gone
	})
}
