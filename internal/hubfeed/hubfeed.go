// Package hubfeed is what a hub reads of the terminal's records, over the tunnel that the terminal dialled: how far they have come, the
// ledger's history and the log. It is also where the hub says what it decides of the settings.
//
// Invariants: only what is on the disk is given, in the order of its numbers and without gaps; an answer is of one epoch; a
// page is bounded in bytes; no reader of the database is held while nothing changes, nor while the hub is slow; where there is
// no hub, nothing is paid for it; a hub that stops reading is hung up on.
package hubfeed

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Ledger is the history of the ledger.
type Ledger interface {
	// Lines are up to so many above a number, in order, and no more than fit the room in bytes, but one at least.
	Lines(ctx context.Context, after int64, limit, room int) ([]payment.Line, error)
	// LineAt is when a line was written; zero: there is none of this number.
	LineAt(ctx context.Context, number int64) (time.Time, error)
	LastLine(ctx context.Context) (int64, error)
	// Grown is closed when there are new lines.
	Grown() <-chan struct{}
}

// Epochs are the histories that the data have been part of.
type Epochs interface {
	// Current is the one of now; its numbers are those at which it began.
	Current() tunnel.Origin
	// Origins are those that the data are a copy of, newest first; with numbers 0 where nobody can say how far.
	Origins() []tunnel.Origin
	// Begin begins a new one: the data are not what a hub has read of the one of now.
	Begin(log int64) error
}

// Config is what a feed reads.
type Config struct {
	Ledger Ledger
	Epochs Epochs
	Log    *logbook.Book
	// Standing tells where the operations are on transactions that are read after it was called.
	Standing func() func(payment.Transaction) payment.Found
	// Answer is a transaction as the interface answers with it.
	Answer func(payment.Found) (json.RawMessage, error)
	// State is how the terminal is, Changes is closed when that may be another.
	State   func() tunnel.State
	Changes func() <-chan struct{}
	// Settings takes what the hub decides.
	Settings Settings
	// Failed is told of what could not be answered for a reason of the terminal's own.
	Failed func(path string, err error)
	// Pause is the least time between two pieces of news; 0: 250 ms.
	Pause time.Duration
}

// Feed answers a hub.
type Feed struct {
	Config
	mux  *http.ServeMux
	ends context.Context // when no more news is told
	end  context.CancelFunc

	epoch sync.RWMutex // held for reading while an answer is of one epoch
	read  atomic.Int64 // the ledger's line that the hub, asking for the position, says it has; below 0: it has not asked
}

// New returns the feed of a terminal.
func New(c Config) *Feed {
	if c.Pause == 0 {
		c.Pause = 250 * time.Millisecond
	}
	f := &Feed{Config: c, mux: http.NewServeMux()}
	f.read.Store(-1)
	f.ends, f.end = context.WithCancel(context.Background())
	f.mux.HandleFunc("GET "+tunnel.PositionPath, f.page(f.readPosition))
	f.mux.HandleFunc("GET "+tunnel.LedgerPath, f.page(f.ledgerPage))
	f.mux.HandleFunc("GET "+tunnel.LogPath, f.page(f.logPage))
	f.mux.HandleFunc("GET "+tunnel.SettingsPath, f.showSettings)
	f.mux.HandleFunc("PUT "+tunnel.SettingsPath, f.takeSettings)
	for path, methods := range paths {
		f.mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Allow", methods)
			fail(w, http.StatusMethodNotAllowed, "Método não permitido")
		})
	}
	return f
}

// paths are the feed's own, with their methods.
var paths = map[string]string{tunnel.PositionPath: "GET, HEAD", tunnel.LedgerPath: "GET, HEAD", tunnel.LogPath: "GET, HEAD", tunnel.SettingsPath: "GET, HEAD, PUT"}

// Serves tells whether a path is the feed's; all others are the interface's.
func Serves(path string) bool {
	_, is := paths[path]
	return is
}

func (f *Feed) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.mux.ServeHTTP(w, r) }

// Close ends the news.
func (f *Feed) Close() { f.end() }

// Lacks tells whether the hub may lack lines of the ledger: it has not said that it has all of them, since the service started.
func (f *Feed) Lacks(ctx context.Context) bool {
	last, err := f.Ledger.LastLine(ctx)
	return err != nil || last > 0 && f.read.Load() < last
}

// page turns what is read into an answer. The one who asks has gone when its context has ended.
func (f *Feed) page(read func(context.Context, ask) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, err := readAsk(r.URL.RawQuery)
		if err != nil {
			fail(w, http.StatusBadRequest, err.Error())
			return
		}
		page, err := read(r.Context(), a)
		f.answer(w, r, page, err)
	}
}

// answer gives what was read, or says that it could not be.
func (f *Feed) answer(w http.ResponseWriter, r *http.Request, read any, err error) {
	switch {
	case err == nil:
		respond(w, http.StatusOK, read)
	case r.Context().Err() != nil:
		panic(http.ErrAbortHandler) // nobody is there to read an answer
	default:
		if f.Failed != nil {
			f.Failed(r.URL.Path, err)
		}
		fail(w, http.StatusInternalServerError, "Erro interno")
	}
}

func fail(w http.ResponseWriter, status int, message string) {
	respond(w, status, struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{status, message})
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	send(w, body) //nolint:errcheck // the hub may be gone
}

// patience is how long a hub may take nothing of what is sent to it: a restart waits for every answer under way.
const patience = 30 * time.Second

// send writes a line, and returns when it is on its way. Texts are left as they are: an answer in them is what the interface says, byte
// for byte.
func send(w http.ResponseWriter, body any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return err
	}
	out := http.NewResponseController(w)
	out.SetWriteDeadline(time.Now().Add(patience)) //nolint:errcheck // where there are none, who reads is no stranger
	defer out.SetWriteDeadline(time.Time{})        //nolint:errcheck // as above
	if _, err := w.Write(text.Bytes()); err != nil {
		return err
	}
	return out.Flush()
}
