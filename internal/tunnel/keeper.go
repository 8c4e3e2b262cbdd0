package tunnel

import (
	"cmp"
	"context"
	"errors"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options are the rest a Keeper is made of. Zero is the product's own.
type Options struct {
	Version string // the terminal's
	Timing  Timing
	// The first pause before dialling again is at most FirstPause, later ones twice as long each, up to LongestPause. Chance shortens
	// each: a hub that comes back must not have all its terminals at once.
	FirstPause, LongestPause time.Duration
	// News runs while a link is up, and has the hub told that there is something new to read: first at once, then at each change. nil: it
	// is told of nothing, and reads no records.
	News     func(ctx context.Context, tell func())
	Drain    time.Duration   // how long requests under way may take when the keeper stops
	Changed  func(LinkState) // told each change, one at a time
	ErrorLog *log.Logger     // of the HTTP server on the link
}

// LinkState is how the link to the hub is.
type LinkState struct {
	Up      bool
	Since   time.Time // when it came up, or was lost
	Trouble error     // why it is not up; nil: it is, or was not tried yet
	Ended   bool      // the hub wants this terminal no more: nobody dials
}

// ErrBroken is the trouble of a link that was up.
var ErrBroken = errors.New("the link to the hub broke")

// Keeper keeps a terminal's link to its hub: it dials, serves the hub's requests, and dials again.
type Keeper struct {
	membership Membership
	handler    http.Handler
	options    Options
	dial       func(ctx context.Context) (net.Conn, error)

	serving sync.RWMutex  // read by every request
	news    chan struct{} // holds a sign while the hub is still to be told of some

	mu    sync.Mutex
	state LinkState
}

// NewKeeper keeps a link on which h answers the hub.
func NewKeeper(m Membership, h http.Handler, o Options) *Keeper {
	k := &Keeper{membership: m, handler: h, options: o, news: make(chan struct{}, 1), state: LinkState{Since: time.Now()}}
	k.dial = func(ctx context.Context) (net.Conn, error) { return m.dial(ctx, proof{Version: o.Version}, o.Timing) }
	return k
}

// Membership is what the link is kept by.
func (k *Keeper) Membership() Membership { return k.membership }

// State is how the link is now.
func (k *Keeper) State() LinkState {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.state
}

// Tell has the hub ask for the position, at once where it is connected and otherwise when it is. Whoever tells does not wait for the hub.
func (k *Keeper) Tell() {
	select {
	case k.news <- struct{}{}:
	default:
	}
}

// steady is how long a link holds that is not broken in itself: after it, the first pause counts again.
const steady = 10 * time.Second

// Run keeps the link until the context ends or the hub has revoked the terminal. Then it waits for requests under way, within their time.
func (k *Keeper) Run(ctx context.Context) {
	for failed := 0; ; failed++ {
		conn, err := k.dial(ctx)
		if err == nil {
			began := time.Now()
			k.change(LinkState{Up: true, Since: began})
			k.serve(ctx, conn)
			if err = ErrBroken; time.Since(began) >= steady {
				failed = 0
			}
		}
		if ctx.Err() != nil {
			k.down(nil)
			return
		}
		k.down(err)
		if errors.Is(err, ErrRevoked) {
			return
		}
		select {
		case <-time.After(k.pause(failed)):
		case <-ctx.Done():
			return
		}
	}
}

// down notes that there is no link. Since stays while it does not come up.
func (k *Keeper) down(trouble error) {
	before := k.State()
	next := LinkState{Since: before.Since, Trouble: trouble, Ended: errors.Is(trouble, ErrRevoked)}
	if before.Up {
		next.Since = time.Now()
	}
	k.change(next)
}

func (k *Keeper) change(to LinkState) {
	k.mu.Lock()
	k.state = to
	k.mu.Unlock()
	if k.options.Changed != nil {
		k.options.Changed(to)
	}
}

// pause is how long to wait after so many failures.
func (k *Keeper) pause(failed int) time.Duration {
	first, longest := cmp.Or(k.options.FirstPause, 4*time.Second), cmp.Or(k.options.LongestPause, 30*time.Second)
	return rand.N(min(first<<min(failed, 16), longest)) + 1
}

// serve answers the hub on a connection until that ends or the context does.
func (k *Keeper) serve(ctx context.Context, conn net.Conn) {
	link := newClosingConn(conn)
	out := &newsTeller{Conn: link}
	config := k.options.Timing.http2()
	config.MaxReceiveBufferPerConnection = terminalWindow
	server := &http.Server{
		Handler: http.HandlerFunc(k.answer), Protocols: unencrypted(), HTTP2: config, MaxHeaderBytes: mostHeaderBytes,
		ReadHeaderTimeout: k.options.Timing.handshake(), // a hub that says nothing after all
		ErrorLog:          k.options.ErrorLog, DisableGeneralOptionsHandler: true,
	}
	go func() {
		server.Serve(&oneConn{Conn: out, closed: link.ctx.Done()}) //nolint:errcheck // it ends with the link
		link.Close()                                               // a server that was stopped before it began has never had it
	}()
	told := k.tellNews(link.ctx, out)
	select {
	case <-link.ctx.Done():
	case <-ctx.Done():
		k.drain(server, link)
	}
	server.Close()
	told()
}

// tellNews tells the hub of news while a link lasts; told waits until nobody tells any more.
func (k *Keeper) tellNews(ctx context.Context, link *newsTeller) (told func()) {
	var telling sync.WaitGroup
	telling.Go(func() {
		for ctx.Err() == nil {
			select {
			case <-k.news:
				link.tell()
			case <-ctx.Done():
			}
		}
	})
	if k.options.News != nil {
		telling.Go(func() { k.options.News(ctx, k.Tell) })
	}
	return telling.Wait
}

func (k *Keeper) answer(w http.ResponseWriter, r *http.Request) {
	k.serving.RLock()
	defer k.serving.RUnlock()
	// A handler that wants its caller's connection closed must not have the link closed for all of them.
	defer w.Header().Del("Connection")
	if r.ContentLength == 0 {
		r.Body = http.NoBody // as HTTP/1 has it: what has no body is not waited for
	}
	k.handler.ServeHTTP(stayingWriter{w}, r)
}

// stayingWriter leaves out what is said of a connection, which the HTTP server would take for the link.
type stayingWriter struct{ http.ResponseWriter }

func (w stayingWriter) WriteHeader(status int) {
	w.Header().Del("Connection")
	w.ResponseWriter.WriteHeader(status)
}

func (w stayingWriter) Write(b []byte) (int, error) {
	w.Header().Del("Connection")
	return w.ResponseWriter.Write(b)
}

// FlushError is what a ResponseController calls.
func (w stayingWriter) FlushError() error {
	w.Header().Del("Connection")
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets a ResponseController reach the rest.
func (w stayingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// drain has the hub send no more, and waits for what is under way. Told of news, the hub asks, finds that it may not, and hangs up where
// nothing is under way: the library would wait a second for that.
func (k *Keeper) drain(server *http.Server, link *closingConn) {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(k.options.Drain, 5*time.Second))
	defer cancel()
	go server.Shutdown(ctx) //nolint:errcheck // the link tells when it is done, sooner than it does
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for link.ctx.Err() == nil {
		select {
		case <-again.C:
			k.Tell()
		case <-link.ctx.Done():
		case <-ctx.Done():
			link.Close() // not the server: it would wait for its listener first, which waits for the link
		}
	}
	idle := make(chan struct{})
	go func() {
		k.serving.Lock() // whoever still answers on a closed link
		defer k.serving.Unlock()
		close(idle)
	}()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// oneConn is a listener that the one connection comes to.
type oneConn struct {
	net.Conn
	closed   <-chan struct{}
	accepted bool
}

// Accept is called by one goroutine.
func (l *oneConn) Accept() (net.Conn, error) {
	if !l.accepted {
		l.accepted = true
		return l.Conn, nil
	}
	<-l.closed
	return nil, net.ErrClosed
}

// Close leaves the connection to the server, which may still answer on it.
func (l *oneConn) Close() error { return nil }

func (l *oneConn) Addr() net.Addr { return l.LocalAddr() }
