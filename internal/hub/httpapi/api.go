// Package httpapi is the hub's side to callers: the terminals' interfaces under /terminals, and the hub's own under /api/v1.
//
// routes.go is the hub's own interface on one screen, errors.go every refusal. Handlers decode, ask a desk, and return what to
// encode. What is somebody else's does not exist: 404.
package httpapi

import (
	"context"
	"crypto/ed25519"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/credentials"
	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
	"github.com/maquininha/maquininha/internal/metrics"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Config is what the interface stands on.
type Config struct {
	Fleet      *fleet.Desk
	Records    *records.Desk
	Operations *operations.Desk
	Webhooks   *webhooks.Desk
	Settings   *settings.Desk
	Board      *links.Board
	Relay      *relay.Relay
	Leases     *leases.Desk // of hubs that share a database; nil: this one is alone

	ID     string // the hub's, for terminals
	Key    ed25519.PrivateKey
	Timing tunnel.Timing // of tunnels; zero: the product's own

	RequireFactor bool // administrators may do nothing without a second factor

	JoinLine func(code string) string // what is typed at a terminal; nil: nobody knows
	Meter    *metrics.Meter
	Page     http.Handler // answers what is not the interface's; nil: nothing is
	Log      func(text string, err error)

	Pause     time.Duration // events are gathered for so long; 0: as usual
	KeepAlive time.Duration // a silent stream says something after so long; 0: as usual
}

// API answers callers, terminals that come, and what the page asks for.
type API struct {
	Config
	host     tunnel.Host
	mux      *http.ServeMux
	attempts credentials.Attempts
	serials  serials
	origins  *http.CrossOriginProtection
	owner    atomic.Pointer[string] // the first account, once it was read

	calls, strangers, bodies, questions, exports, streaming *turns // of each customer

	stopping context.Context
	stop     context.CancelFunc
}

// New returns the interface.
func New(c Config) *API {
	if c.Meter == nil {
		c.Meter = metrics.New()
	}
	if c.Log == nil {
		c.Log = func(string, error) {}
	}
	if c.Page == nil {
		c.Page = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { respondError(w, errNoRoute) })
	}
	api := &API{Config: c, mux: http.NewServeMux(), origins: http.NewCrossOriginProtection(), serials: newSerials()}
	api.calls, api.strangers, api.streaming = newTurns(mostCalls, 0), newTurns(mostStrangers, 0), newTurns(mostStreams, 0)
	api.bodies, api.questions, api.exports = newTurns(mostBodies, 0), newTurns(mostQuestions, mostWaiting), newTurns(mostExports, mostWaiting)
	api.stopping, api.stop = context.WithCancel(context.Background())
	api.host = tunnel.Host{ID: c.ID, Key: c.Key, Admit: api.admit, Timing: c.Timing, Transport: c.Timing.Transport()}
	api.mount()
	return api
}

// Close ends the streams; whoever stops the hub closes links and server itself.
func (api *API) Close() { api.stop() }

// ServeHTTP answers. Paths of terminals go by no router of ours: they are the terminals' to the letter.
func (api *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if rest, ok := strings.CutPrefix(r.URL.EscapedPath(), "/terminals/"); ok {
		api.serveTerminal(w, r, rest)
		return
	}
	if r.RequestURI == "*" { // the router's own answer is no error that callers can parse
		respondError(w, errNoRoute)
		return
	}
	api.mux.ServeHTTP(w, r)
}

// serveTerminal passes a request on to a terminal that its caller sees.
func (api *API) serveTerminal(w http.ResponseWriter, r *http.Request, rest string) {
	id, path, _ := strings.Cut(rest, "/")
	path = "/" + path
	asked, done := relay.Outlive(r)
	defer done()
	caller, terminal, err := api.whoCalls(asked, id, path)
	if err == nil && !isRead(r.Method) && !caller.May(fleet.Operates) {
		err = fleet.ErrForbidden
	}
	leave := func() {}
	if err == nil {
		leave, err = api.callsOf(r, caller).enter(asked.Context(), caller.Scope)
	}
	if err != nil {
		relay.AllowPages(w.Header())
		api.refuse(w, r, err)
		return
	}
	defer leave()
	sees := func() bool {
		_, _, err := api.whoCalls(r, id, path)
		return err == nil || isAway(err)
	}
	api.Relay.Serve(w, r, asked, relay.Target{Terminal: terminal, Caller: caller, Path: path, Sees: sees})
}

// callsOf are the turns that a call takes one of. Who knows a terminal's address and shows no credentials must not take those of its customer;
// what browsers ask before a call is that call's.
func (api *API) callsOf(r *http.Request, caller relay.Caller) *turns {
	if caller.Stranger && r.Method != http.MethodOptions {
		return api.strangers
	}
	return api.calls
}

// whoCalls finds who asks, and the terminal that is meant.
func (api *API) whoCalls(r *http.Request, id, path string) (caller relay.Caller, terminal fleet.Terminal, err error) {
	public := relay.Public(r.Method, path)
	if !public || r.Method != http.MethodOptions { // browsers ask leave without credentials, and nobody else needs any for it
		if caller, err = api.authenticate(r); err == nil {
			terminal, err = api.Fleet.Terminal(r.Context(), caller.Scope, id)
		}
	}
	if !public || r.Method != http.MethodOptions && !errors.Is(err, errUnauthorized) {
		return caller, terminal, err
	}
	// As at the terminal itself. Ids can't be guessed, so that nobody finds terminals this way.
	if terminal, err = api.Fleet.Admit(r.Context(), id); err != nil && !isAway(err) {
		err = errUnauthorized
	}
	return relay.Caller{Actor: fleet.Actor{Scope: fleet.Scope{Place: terminal.Place, Role: fleet.Reads}}, Stranger: true}, terminal, err
}

func isRead(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// admit is who may connect, in the tunnel's words.
func (api *API) admit(ctx context.Context, terminal string) (ed25519.PublicKey, error) {
	t, err := api.Fleet.Admit(ctx, terminal)
	switch {
	case errors.Is(err, fleet.ErrNotFound):
		return nil, tunnel.ErrUnknown
	case errors.Is(err, fleet.ErrRevoked):
		return nil, tunnel.ErrRevoked
	case err != nil:
		return nil, err
	}
	return t.PublicKey, nil
}

// acceptTunnel takes a terminal's connection on.
func (api *API) acceptTunnel(w http.ResponseWriter, r *http.Request) {
	ctx := context.WithoutCancel(r.Context())
	number, err := api.drawNumber(r.Context())
	if err != nil {
		api.refuse(w, r, err)
		return
	}
	conn, err := tunnel.Accept(w, r, api.host)
	if err != nil {
		if !errors.Is(err, tunnel.ErrNoUpgrade) {
			api.Log("um terminal não pôde conectar", err)
		}
		return
	}
	link, err := api.claim(ctx, conn, number)
	if err != nil {
		conn.Close()
		api.Log("um terminal não pôde conectar", err)
		return
	}
	api.Board.Add(link)
	// One that was revoked while it proved itself was not on the board yet when its link was ended.
	if _, err := api.Fleet.Admit(ctx, conn.Terminal()); errors.Is(err, fleet.ErrRevoked) || errors.Is(err, fleet.ErrNotFound) {
		api.Board.Drop(conn.Terminal())
	}
}

// drawNumber is that of a connection which a terminal begins. It is drawn before the terminal is asked who it is: once it has answered, a
// later one of its connections has a higher number, whatever is slow.
func (api *API) drawNumber(ctx context.Context) (int64, error) {
	if api.Leases == nil {
		return 0, nil
	}
	return api.Leases.Draw(ctx)
}

// claim writes down that a terminal hangs here, where other hubs look for it.
func (api *API) claim(ctx context.Context, conn links.Link, number int64) (links.Link, error) {
	if api.Leases == nil {
		return conn, nil
	}
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return links.Numbered{Link: conn, Number: number}, api.Leases.Claim(ctx, conn.Terminal(), number, func() { conn.Close() })
}

// join makes a terminal of who has a code.
func (api *API) join(r *request) (any, error) {
	var asked tunnel.JoinRequest
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	t, err := api.Fleet.Join(r.Context(), asked.Code, fleet.Joining{PublicKey: asked.PublicKey, Name: asked.Name, Version: asked.Version})
	if errors.Is(err, fleet.ErrBadCode) {
		err = guessed(err)
	}
	if err != nil {
		return nil, err
	}
	answer := tunnel.JoinAnswer{Terminal: t.ID, Hub: api.ID, HubKey: api.Key.Public().(ed25519.PublicKey), Name: t.Name}
	accounts, err := api.Fleet.Accounts(r.Context())
	if err != nil {
		return answer, nil // it has joined; the name is for people to see
	}
	for _, a := range accounts {
		if a.ID == t.Account {
			answer.Account = a.Name
		}
	}
	return answer, nil
}

// slowDown has who guesses wait before the answer.
func (api *API) slowDown(r *http.Request) {
	wait := api.attempts.Wrong(r.RemoteAddr)
	if wait == 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	case <-api.stopping.Done():
	}
}

// metrics are of the hub as a whole, and so for those who run it.
func (api *API) metrics(w http.ResponseWriter, r *http.Request) {
	caller, err := api.authenticate(r)
	if err == nil {
		err = api.runsHub(r.Context(), caller)
	}
	if err != nil {
		api.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(api.Meter.Text()) //nolint:errcheck // the scraper may be gone
}

func respondError(w http.ResponseWriter, err error) {
	status, message := failureOf(err)
	reply.Error(w, status, message)
}
