package relay

import (
	"net/http"
	"strings"
	"time"
)

// streamPatience is how long a reader of events may stall, as at the terminal: it may be a person's pause.
const streamPatience = 24 * time.Hour

// streamWriter is for answers that may be events. Others are taken within the connection's own time.
type streamWriter struct{ http.ResponseWriter }

func (w streamWriter) Write(b []byte) (int, error) {
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(streamPatience)) //nolint:errcheck // what knows no deadlines has none
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets a ResponseController reach the rest.
func (w streamWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
