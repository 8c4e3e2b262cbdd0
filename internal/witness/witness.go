// Package witness stands before the whole interface and remembers what passed, for the referee to judge: requests, what they
// asked for as far as a rule needs it, answers, and hang-ups. It changes nothing and keeps no body.
package witness

import (
	"cmp"
	"context"
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/referee"
)

// usualMost is how many exchanges are remembered; what comes after is only counted.
const usualMost = 50_000

// Witness remembers exchanges.
type Witness struct {
	mu     sync.Mutex
	all    []*record
	open   int           // under way
	quiet  chan struct{} // closed when none is, made by who waits for that
	missed int
	most   int       // exchanges to remember; 0: as usual
	full   time.Time // when the first was missed
}

// record is an exchange that may be under way; all of it belongs to the witness's lock.
type record struct {
	referee.Exchange
	w    *Witness
	gone func() error // what the request's context says: not nil once the caller has hung up
	over bool
}

// Wrap watches what goes to the interface. The sale is asked of the terminal itself, behind whatever else stands before it.
func (w *Witness) Wrap(next, terminal http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodOptions {
			next.ServeHTTP(out, r) // the browser's, not the caller's
			return
		}
		x := w.begin(r)
		if x == nil {
			next.ServeHTTP(out, r)
			return
		}
		if x.Route == finalize {
			x.sees(askSale(terminal, r))
		}
		seen := r.WithContext(context.WithValue(r.Context(), key{}, x))
		var body *tappedBody
		if r.Body != http.NoBody && tapped(x.Route) {
			body = &tappedBody{ReadCloser: r.Body, sum: sha256.New()}
			seen.Body = body // the server goes on with its own
		}
		// It only keeps the moment: a handler may see the hang-up and be done before this runs.
		stop := context.AfterFunc(r.Context(), x.left)
		defer stop()
		answer := &tappedWriter{ResponseWriter: out, x: x}
		defer func() { x.close(body, answer.body.text) }()
		next.ServeHTTP(answer, seen)
	})
}

func (w *Witness) begin(r *http.Request) *record {
	path := r.URL.EscapedPath()
	route, reference := routeOf(r.Method, path)
	shown := logbook.Redact(r.URL.Path)
	if shown == r.URL.Path {
		shown = path
	}
	if len(shown) > 200 {
		shown = strings.ToValidUTF8(shown[:200], "") + "…"
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.all) == cmp.Or(w.most, usualMost) {
		if w.missed++; w.missed == 1 {
			w.full = time.Now()
		}
		return nil
	}
	x := &record{w: w, gone: r.Context().Err, Exchange: referee.Exchange{
		N: len(w.all) + 1, Method: r.Method[:min(len(r.Method), 16)], Path: shown, Route: route, Reference: reference,
		Arrived: time.Now(), Credentials: r.Header.Get("Authorization") != "", Caller: r.RemoteAddr,
	}}
	w.all = append(w.all, x)
	w.open++
	return x
}

// left is the caller hanging up.
func (x *record) left() {
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	x.noteHangUp()
}

// noteHangUp asks the context, whose word comes before any goroutine's: a hang-up counts unless the answer was ready. The lock
// is held.
func (x *record) noteHangUp() {
	if x.gone() != nil && x.Answered.IsZero() && x.Left.IsZero() {
		x.Left = time.Now()
	}
}

func (x *record) answered(status int) {
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	if x.Answered.IsZero() && status >= http.StatusOK {
		x.noteHangUp()
		x.Answered, x.Status = time.Now(), status
	}
}

func (x *record) sees(s *referee.Sale) {
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	x.Sale = s
}

// close reads what the rules need from both bodies.
func (x *record) close(request *tappedBody, answer []byte) {
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	x.noteHangUp()
	if x.Answered.IsZero() && x.Left.IsZero() {
		x.Answered, x.Status = time.Now(), http.StatusOK // a handler that writes nothing says so
	}
	x.readRequest(request)
	x.readAnswer(answer)
	x.over = true
	if x.w.open--; x.w.open == 0 && x.w.quiet != nil {
		close(x.w.quiet)
		x.w.quiet = nil
	}
}

// AwaitQuiet returns when no exchange is under way, or the context ends: hang-ups take their time to be noticed. It tells
// which.
func (w *Witness) AwaitQuiet(ctx context.Context) (quiet bool) {
	w.mu.Lock()
	if w.open == 0 {
		w.mu.Unlock()
		return true
	}
	if w.quiet == nil {
		w.quiet = make(chan struct{})
	}
	end := w.quiet
	w.mu.Unlock()
	select {
	case <-end:
		return true
	case <-ctx.Done():
		return false
	}
}

type key struct{}

// Cut tells that the connection of a request is broken instead of giving it the answer of that status.
func Cut(r *http.Request, status int) {
	if x, ok := r.Context().Value(key{}).(*record); ok {
		x.w.mu.Lock()
		defer x.w.mu.Unlock()
		x.Cut = true
		if x.Answered.IsZero() {
			x.Answered, x.Status = time.Now(), status
		}
	}
}

// Seen is what passed so far, and how many exchanges more than can be remembered.
func (w *Witness) Seen() (watch referee.Watch, missed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	watch = referee.Watch{Exchanges: make([]referee.Exchange, len(w.all)), End: time.Now()}
	for i, x := range w.all {
		watch.Exchanges[i] = x.Exchange
		if !x.over { // what it asks for is not read yet
			e := &watch.Exchanges[i]
			e.Answered, e.Left, e.Status = time.Time{}, time.Time{}, 0
		}
	}
	if w.missed > 0 {
		watch.End = w.full
	}
	return watch, w.missed
}
