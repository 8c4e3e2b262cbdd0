package testserver

import (
	"context"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/witness"
)

// director stands between the witness and the terminal, and has happen what a scenario ties to requests.
type director struct {
	cast *cast

	mu       sync.Mutex
	terminal *app.App // set before the first request comes
	scenes   []*scene
	away     int  // scenes that keep the app in the background
	closed   bool // nothing begins any more
	ctx      context.Context
	stop     context.CancelFunc
	running  sync.WaitGroup // added to under the lock, while not closed
}

// scene is one thing that happens at some request.
type scene struct {
	When
	name    string
	begin   func() bool // false: not now, at the next request
	refusal string      // what the answers begin with that count as refusals
	left    int         // refusals until it ends; 0: they do not count
	seen    int         // requests that fit
	begun   bool
	end     func() // nil: not begun, or over
}

// What a time of absence lasts where a scenario does not say.
const (
	busyFor       = 5 * time.Second
	backgroundFor = 30 * time.Second
)

func newDirector(s Scenario, c *cast) *director {
	d := &director{cast: c}
	d.ctx, d.stop = context.WithCancel(context.Background())
	for i, b := range s.Busy {
		d.add(stepName("busy", i), b, "Aplicativo ocupado", busyFor, d.occupy)
	}
	for i, b := range s.Background {
		d.add(stepName("background", i), b, "Aplicativo em segundo plano", backgroundFor, d.minimise)
	}
	for i, r := range s.Restarts {
		sc := &scene{When: r.When, name: stepName("restart", i)}
		sc.begin = func() bool {
			asked := c.nextAsked()
			d.running.Go(func() {
				if r.awaitsPerson() {
					select {
					case <-asked:
					case <-d.ctx.Done():
					}
				}
				d.pause(r.After, d.restart)
			})
			return true
		}
		d.scenes = append(d.scenes, sc)
	}
	return d
}

// add makes a scene of an absence: begin returns how to end it.
func (d *director) add(name string, a Absence, refusal string, usual time.Duration, begin func() (end func(), ok bool)) {
	sc := &scene{When: a.When, name: name, refusal: refusal, left: a.Refusals}
	if a.Refusals == 0 && a.For == 0 {
		sc.left = 1
	}
	limit := a.For
	if limit == 0 {
		limit = usual
	}
	sc.begin = func() bool {
		end, ok := begin()
		if !ok {
			return false
		}
		sc.end = sync.OnceFunc(end)
		d.later(limit, sc.end)
		return true
	}
	d.scenes = append(d.scenes, sc)
}

func (d *director) occupy() (end func(), ok bool) {
	leave, err := d.terminal.Occupy()
	return leave, err == nil
}

func (d *director) minimise() (end func(), ok bool) {
	d.away++
	d.terminal.Minimise(true)
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.away--; d.away == 0 {
			d.terminal.Minimise(false)
		}
	}, true
}

func (d *director) restart() {
	if d.terminal.Restart() != nil {
		return // the process ends, and says why
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.away > 0 {
		d.terminal.Minimise(true)
	}
}

// later does something after a while, beside everything else.
func (d *director) later(after time.Duration, do func()) {
	d.running.Go(func() { d.pause(after, do) })
}

// pause does something after a while, unless all ends before.
func (d *director) pause(after time.Duration, do func()) {
	select {
	case <-time.After(after):
		do()
	case <-d.ctx.Done():
	}
}

func (d *director) close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.stop()
	d.running.Wait()
}

// refusable are the operations that a terminal may be too busy for.
var refusable = []string{"POST /transaction", "POST /transaction/*/reversal", "POST /print/*", "POST /ask", "POST /ask/form"}

func (w When) fits(request string) bool {
	patterns := refusable
	if w.Request != "" {
		patterns = []string{w.Request}
	}
	for _, pattern := range patterns {
		if ok, _ := path.Match(pattern, request); ok {
			return true
		}
	}
	return false
}

// awaitsPerson tells of requests that a person must answer.
func (w When) awaitsPerson() bool {
	return w.Request == "" || strings.HasPrefix(w.Request, "POST /transaction") || w.Request == "POST /ask" || w.Request == "POST /ask/form"
}

// wrap has the scenes begin before their request comes to the terminal.
func (d *director) wrap(terminal http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := r.Method + " " + r.URL.EscapedPath()
		if r.Header.Get("Authorization") != "" { // else it only asks for the challenge
			d.cue(request)
		}
		money := r.Method == http.MethodPost && strings.HasPrefix(request, "POST /transaction")
		out := &stageWriter{ResponseWriter: w, loses: func() bool { return money && d.cast.loses() }}
		terminal.ServeHTTP(out, r)
		d.count(request, out)
		if money && r.Context().Err() != nil {
			d.cast.loses() // the caller has lost it by itself
		}
		if out.lost {
			witness.Cut(r, out.status)
			panic(http.ErrAbortHandler)
		}
	})
}

func (d *director) cue(request string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	for _, s := range d.scenes {
		if s.begun || !s.fits(request) {
			continue
		}
		if s.seen++; s.seen >= max(s.Number, 1) && s.begin() {
			s.begun = true
			d.cast.mark(s.name)
		}
	}
}

// count ends the scenes that have lasted for as many refusals as they should.
func (d *director) count(request string, answer *stageWriter) {
	var ends []func()
	d.mu.Lock()
	for _, s := range d.scenes {
		if s.end == nil || s.left == 0 || !s.fits(request) || answer.status != http.StatusServiceUnavailable || !strings.Contains(string(answer.text), s.refusal) {
			continue
		}
		if s.left--; s.left == 0 {
			ends = append(ends, s.end)
		}
	}
	d.mu.Unlock()
	for _, end := range ends {
		end()
	}
}

// stageWriter keeps the beginning of a refusal, and swallows an answer that is to be lost.
type stageWriter struct {
	http.ResponseWriter
	loses  func() bool
	lost   bool
	status int
	text   []byte
}

// Unwrap lets http.ResponseController flush, hijack and set deadlines.
func (w *stageWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *stageWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
		// What was refused before anything happened is not the operation's answer.
		w.lost = (status == http.StatusOK || status == http.StatusForbidden) && w.loses()
	}
	if !w.lost {
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *stageWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.lost {
		return len(b), nil
	}
	if w.status == http.StatusServiceUnavailable && len(w.text) < 256 {
		w.text = append(w.text, b...)
	}
	return w.ResponseWriter.Write(b)
}
