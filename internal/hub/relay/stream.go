package relay

import (
	"errors"
	"net/http"
	"strings"
	"time"
)

// streamPatience is how long a reader of events may stall, as at the terminal: it may be a person's pause.
const streamPatience = 24 * time.Hour

var errShutOut = errors.New("who reads the stream may not see the terminal any more")

// streamWriter is for answers that may be events. Others are taken within the connection's own time.
type streamWriter struct {
	http.ResponseWriter
	sees func() bool
}

func (w streamWriter) Write(b []byte) (int, error) {
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		if w.sees != nil && !w.sees() {
			return 0, errShutOut
		}
		http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(streamPatience)) //nolint:errcheck // what knows no deadlines has none
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets a ResponseController reach the rest.
func (w streamWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
