package app

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/hubfeed"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// hubLink is the terminal's link to its hub. It stays while services come and go, and follows what the data folder says.
type hubLink struct {
	dir        string
	look       time.Duration // how often
	joinWithin time.Duration // on the screen
	readWithin time.Duration // for a hub that is left
	lacks      func() bool   // the hub may lack payments
	options    tunnel.Options
	handler    http.Handler
	log        func(logbook.Level, string)
	changed    func()
	nudge      chan struct{} // has the data folder looked at now

	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup

	joining sync.Mutex // one at a time: a terminal has one hub

	mu     sync.Mutex
	keeper *tunnel.Keeper // nil: there is no hub
}

func newHubLink(a *App) *hubLink {
	l := &hubLink{dir: a.config.Data, look: a.config.Timeouts.hubLook(), joinWithin: a.config.Timeouts.hubJoin(), handler: a.throughHub(), log: a.logHub, changed: a.screenChanged}
	l.readWithin, l.lacks = a.config.Timeouts.hubRead(), a.hubLacks
	l.options = tunnel.Options{
		Version: a.config.Version, News: a.newsForHub, Timing: a.config.Timeouts.Hub, Drain: a.config.Timeouts.stop(), LongestPause: longestHubPause(), ErrorLog: a.serverLog(),
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.nudge = make(chan struct{}, 1)
	return l
}

// throughHub answers what comes through the tunnel: the hub has checked who asks, or says that it has not.
func (a *App) throughHub() http.Handler {
	api := a.config.around(http.HandlerFunc(a.serve))
	return a.forHub.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hubfeed.Serves(r.URL.Path) {
			a.serveFeed(w, r)
			return
		}
		r = r.WithContext(httpapi.ThroughHub(r.Context(), len(r.Header[tunnel.StrangerHeader]) == 0))
		api.ServeHTTP(w, r)
	}))
}

// newsForHub has the hub told when there is something new to read, of one service after the other.
func (a *App) newsForHub(ctx context.Context, tell func()) {
	for ctx.Err() == nil {
		a.newsOfService(ctx, tell)
		const restarts = 50 * time.Millisecond // one service has ended, and the next does not run yet
		select {
		case <-time.After(restarts):
		case <-ctx.Done():
		}
	}
}

func (a *App) newsOfService(ctx context.Context, tell func()) {
	a.current.RLock()
	defer a.current.RUnlock()
	a.service.feed.News(ctx, tell)
}

// serveFeed lets the hub read the records of the service of the moment, which ends the news when it ends.
func (a *App) serveFeed(w http.ResponseWriter, r *http.Request) {
	a.current.RLock()
	defer a.current.RUnlock()
	a.service.feed.ServeHTTP(w, r)
}

// hubLacks tells whether the hub may lack payments that are recorded here.
func (a *App) hubLacks() bool {
	a.current.RLock()
	defer a.current.RUnlock()
	return a.service.feed.Lacks(context.Background())
}

func (a *App) logHub(level logbook.Level, text string) {
	if book := a.logs.Load(); book != nil {
		book.Add(level, logbook.App, text, "")
	}
}

// screenChanged has pages show what is not the service's own.
func (a *App) screenChanged() {
	a.current.RLock()
	defer a.current.RUnlock()
	a.service.Screen.Changed()
}

// start follows the data folder until close.
func (l *hubLink) start() { l.done.Go(l.follow) }

// close answers what the hub has asked, and hangs up.
func (l *hubLink) close() {
	l.cancel()
	l.done.Wait()
}

func (l *hubLink) follow() {
	look := time.NewTicker(l.look)
	defer look.Stop()
	hangUp := func() {}
	defer func() { hangUp() }()
	for seen := os.FileInfo(nil); ; {
		if info, err := os.Stat(filepath.Join(l.dir, tunnel.File)); err != nil && !errors.Is(err, os.ErrNotExist) {
			// A folder that can't be looked at for a moment says nothing of the hub.
		} else if !sameFile(seen, info) {
			seen = info
			l.letRead()
			hangUp()
			hangUp = l.dial()
		}
		select {
		case <-l.ctx.Done():
			return
		case <-look.C:
		case <-l.nudge:
		}
	}
}

// letRead has a hub that is left read what it lacks for a short while: nobody but this terminal can tell it later. A hub that has all of it
// says so when it asks for the position. What it may never get is said.
func (l *hubLink) letRead() {
	k, s := l.now()
	if k == nil {
		return
	}
	const each = 50 * time.Millisecond
	for end := time.Now().Add(l.readWithin); s.Up && l.lacks() && time.Now().Before(end); _, s = l.now() {
		k.Tell()
		select {
		case <-l.ctx.Done():
			return
		case <-time.After(each):
		}
	}
	if l.lacks() {
		l.log(logbook.Warning, "o terminal saiu do hub "+k.Membership().Address+", que pode não ter lido os últimos pagamentos; o que lhe falta fica só aqui, e ele o lê se o terminal entrar nele de novo")
	}
}

func sameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// dial keeps the link to the hub that the data folder names, if any.
func (l *hubLink) dial() (hangUp func()) {
	m, err := tunnel.Load(l.dir)
	if err != nil {
		if !errors.Is(err, tunnel.ErrNotJoined) {
			l.log(logbook.Error, "o hub não pode ser alcançado: "+portuguese.Error(err))
		}
		return func() {}
	}
	o := l.options
	o.Changed = l.teller(m)
	k := tunnel.NewKeeper(m, l.handler, o)
	l.set(k)
	ctx, cancel := context.WithCancel(l.ctx)
	var running sync.WaitGroup
	running.Go(func() { k.Run(ctx) })
	return func() {
		cancel()
		running.Wait()
		l.set(nil)
	}
}

func (l *hubLink) set(k *tunnel.Keeper) {
	l.mu.Lock()
	l.keeper = k
	l.mu.Unlock()
	l.changed()
}

// teller writes into the log what has changed, not every attempt.
func (l *hubLink) teller(m tunnel.Membership) func(tunnel.LinkState) {
	var before string
	return func(s tunnel.LinkState) {
		level, text := logbook.Warning, ""
		switch {
		case s.Up:
			level, text = logbook.Info, "ligado ao hub "+m.Address
		case s.Ended:
			text = "o hub " + m.Address + " revogou este terminal; para voltar: maquininha leave e maquininha join"
		case s.Trouble != nil:
			text = "sem conexão com o hub " + m.Address + ": " + portuguese.Error(s.Trouble)
		}
		if text == before || text == "" {
			return
		}
		before = text
		l.log(level, text)
		l.changed()
	}
}

// The states of the link, as the screen and the metrics have them.
const (
	hubNone    = none
	hubUp      = "up"
	hubDown    = "down"
	hubRefused = "refused" // by the hub, which is asked again
	hubRevoked = "revoked" // for ever
)

func hubState(s tunnel.LinkState) string {
	switch {
	case s.Up:
		return hubUp
	case s.Ended:
		return hubRevoked
	case errors.Is(s.Trouble, tunnel.ErrUnknown), errors.Is(s.Trouble, tunnel.ErrProof):
		return hubRefused
	}
	return hubDown
}

// now is the keeper of the moment and how its link is; nil: there is no hub.
func (l *hubLink) now() (*tunnel.Keeper, tunnel.LinkState) {
	l.mu.Lock()
	k := l.keeper
	l.mu.Unlock()
	if k == nil {
		return nil, tunnel.LinkState{}
	}
	return k, k.State()
}

// state is how the link is.
func (l *hubLink) state() string {
	k, s := l.now()
	if k == nil {
		return hubNone
	}
	return hubState(s)
}

// ErrJoined tells that the terminal has a hub already.
var ErrJoined = errors.New("este terminal já está em um hub; saia dele antes com: maquininha leave")

// JoinHub has the terminal of a data folder join a hub. A service that runs there notices it by itself.
func JoinHub(ctx context.Context, dir string, i tunnel.Invitation) (tunnel.Membership, error) {
	if _, err := tunnel.Load(dir); err == nil {
		return tunnel.Membership{}, ErrJoined
	} else if !errors.Is(err, tunnel.ErrNotJoined) {
		return tunnel.Membership{}, err
	}
	made := datafolder.Missing(dir)
	if err := datafolder.Prepare(dir); err != nil {
		return tunnel.Membership{}, err
	}
	m, err := tunnel.Join(ctx, i)
	if err != nil {
		datafolder.RemoveEmpty(made) // nothing is left behind of a code that was mistyped
		return m, err
	}
	return m, m.Save(dir)
}
