package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/hub/reply"
)

// How long a body may take that the hub reads itself: the next piece, and all of it.
const (
	pieceWait = 30 * time.Second
	bodyWait  = 10 * time.Minute
)

var errTooLarge = errors.New("the body is larger than is read")

// readBody reads a whole body of at most so many bytes. Beyond them it is errTooLarge, with what was read.
func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	conn := http.NewResponseController(w)
	var body bytes.Buffer
	for began := time.Now(); ; {
		conn.SetReadDeadline(earlier(time.Now().Add(pieceWait), began.Add(bodyWait))) //nolint:errcheck // what knows no deadlines has none
		_, err := io.CopyN(&body, r.Body, min(64<<10, most+1-int64(body.Len())))
		switch {
		case int64(body.Len()) > most:
			conn.SetReadDeadline(time.Time{}) //nolint:errcheck // as above
			return body.Bytes(), errTooLarge
		case err == io.EOF:
			conn.SetReadDeadline(time.Time{}) //nolint:errcheck // the request may be held for hours from here on
			return body.Bytes(), nil
		case err != nil:
			w.Header().Set("Connection", "close") // nobody can tell where the next request would begin
			return nil, reply.Refuse(http.StatusBadRequest, "Requisição inválida: o corpo não chegou inteiro")
		}
	}
}

// answering is a link on which an answer that has come is the end of its request: a body that the terminal did not wait for is not
// waited for here either.
type answering struct {
	http.RoundTripper
	body io.Closer
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := a.RoundTripper.RoundTrip(r.WithContext(untold{r.Context()}))
	if err == nil && r.Body != nil {
		resp.Body = comingAnswer{resp.Body, a.body}
	}
	return resp, err
}

// untold keeps from the link who would be told of answers before the answer (100 to 199): terminals send none, and a stolen one's would
// reach the caller with whatever headers it likes.
type untold struct{ context.Context }

func (untold) Value(any) any { return nil }

type comingAnswer struct {
	io.ReadCloser
	request io.Closer
}

// Close ends the reading of the request first, which the link would wait for.
func (b comingAnswer) Close() error {
	b.request.Close() //nolint:errcheck // what comes of it does not count any more
	return b.ReadCloser.Close()
}

// afterHangUp is how long an answer may come after its caller seems to have gone: a busy terminal needs some, and who has really gone keeps
// others waiting no longer.
const afterHangUp = 10 * time.Second

// Outlive is a request that goes on for a while when its caller sends no more: one that has only closed its own half of the connection
// still reads, and gets its answer from the terminal itself too.
func Outlive(r *http.Request) (*http.Request, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	stop := context.AfterFunc(r.Context(), func() { time.AfterFunc(afterHangUp, cancel) })
	return r.WithContext(ctx), func() { stop(); cancel() }
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
