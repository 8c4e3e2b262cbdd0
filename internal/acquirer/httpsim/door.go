package httpsim

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

const maxBody = 64 << 10

// Exchange is one request and what became of it, for whoever looks on. One without a method is something that happened by
// itself, like a payment, or a Problem with a connection that brought no request.
type Exchange[Event any] struct {
	Method, Path string
	Call         Call    // empty: none of the API
	Status       int     // 0: the connection ended without an answer
	State        string  // of what the answer tells of
	Misdeed      Misdeed // empty: the simulator behaved
	Problem      string  // why it was refused
	Events       []Event // what the ledger got
}

// Request is a call with its body read.
type Request[Event any] struct {
	*http.Request
	Body         []byte
	Note         *Exchange[Event]
	ID           string       // what the call is about
	Misbehaviour Misbehaviour // zero: none
}

// Door is where requests come in: it reads them, hands what lies below /sim to the control and all else to the API, and reports
// what became of that.
type Door[Event any] struct {
	API     func(http.ResponseWriter, *Request[Event])
	Control Control
	Problem func(status int, detail string) Reply // a refusal in the simulator's words
	Log     func(Exchange[Event])                 // may be nil

	once   sync.Once
	closed chan struct{}
	coming sync.Mutex // nobody comes in while it is being closed
	busy   sync.WaitGroup
}

// ServeHTTP answers the API, or misbehaves.
func (d *Door[Event]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !d.enter() {
		panic(http.ErrAbortHandler)
	}
	defer d.busy.Done()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		Write(w, d.Problem(http.StatusBadRequest, "o corpo não pôde ser lido"))
		return
	}
	if r.URL.Path == "/sim" || strings.HasPrefix(r.URL.Path, "/sim/") {
		Write(w, d.Control.answer(r, body, d.Problem))
		return
	}
	answer := &Answerer{ResponseWriter: w}
	note := &Exchange[Event]{Method: r.Method, Path: r.URL.Path}
	defer func() { // also when it ends by cutting the connection
		note.Status = max(note.Status, answer.Status)
		d.Report(*note)
	}()
	d.API(answer, &Request[Event]{Request: r, Body: body, Note: note})
}

// enter keeps the door from closing; false: it is closed.
func (d *Door[Event]) enter() bool {
	d.coming.Lock()
	defer d.coming.Unlock()
	select {
	case <-d.Closed():
		return false
	default:
		d.busy.Add(1)
		return true
	}
}

// Report tells who looks on.
func (d *Door[Event]) Report(e Exchange[Event]) {
	if d.Log != nil {
		d.Log(e)
	}
}

// Closed is closed with the door.
func (d *Door[Event]) Closed() <-chan struct{} {
	d.once.Do(func() { d.closed = make(chan struct{}) })
	return d.closed
}

// Close ends every silence and waits for whoever is still inside.
func (d *Door[Event]) Close() {
	d.coming.Lock()
	d.Closed()
	close(d.closed)
	d.coming.Unlock()
	d.busy.Wait()
}

// Later does something after a while, unless the door is closed first. Only for who keeps it from closing.
func (d *Door[Event]) Later(after time.Duration, do func()) {
	closed := d.Closed()
	d.busy.Add(1)
	go func() {
		defer d.busy.Done()
		select {
		case <-time.After(after):
			do()
		case <-closed:
		}
	}()
}

// NotAfter is when something happened, and until when it goes on, as if that were now if the ledger has it later: the clock was
// set back since, and what is waited for must not take longer for that.
func NotAfter(now, at, until time.Time) (time.Time, time.Time) {
	ahead := at.Sub(now)
	switch {
	case ahead <= 0:
		return at, until
	case until.IsZero():
		return now, until
	}
	return now, until.Add(-ahead)
}
