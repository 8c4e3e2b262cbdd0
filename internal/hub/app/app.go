// Package app is the one place that names the hub's concrete types: it opens every part, fits them together, runs them and closes
// them.
package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// App is a hub.
type App struct {
	config  Config
	log     *slog.Logger
	certs   *certificate.Keeper
	ports   []net.Listener // HTTPS first; HTTP, where it is spoken
	limiter *connection.Limiter
	server  *http.Server
	started time.Time

	*house
	founded fleet.Founded // what the first start made; empty: this is a later one
	code    string        // that joins a terminal; empty: none was made
	closers []func() error
}

// maxConnections is of terminals, callers and people together; where the system allows few open files there are fewer.
const maxConnections = 50_000

// maxNewcomers are in their TLS handshake at once, as when a hub comes back and all its terminals with it.
const maxNewcomers = 256

// New takes the data folder and the ports, opens the records and, the first time, makes an account. Nothing is answered before Run.
func New(ctx context.Context, c Config) (a *App, err error) {
	if c.Log == nil {
		c.Log = slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})
	}
	a = &App{config: c, started: time.Now(), log: slog.New(c.Log)}
	if err := c.Check(); err != nil {
		return a, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	unlock, err := datafolder.Open(c.Data)
	if err != nil {
		return a, err
	}
	a.onClose(unlock)
	if a.certs, err = certificate.Open(c.Cert, c.Key, c.Data, a.warn); err != nil {
		return a, err
	}
	if err := a.listen(); err != nil {
		return a, err
	}
	if a.house, err = a.open(ctx); err != nil {
		return a, err
	}
	if err := a.begin(ctx); err != nil {
		return a, err
	}
	a.limiter = connection.NewLimiter(min(maxConnections, connection.MaxOpenFiles()*9/10), connection.Timeouts{})
	a.gauge()
	// The headers' time is TLS's too: when all terminals come back at once, those who waited long must not have waited for nothing.
	// No limit on how long an answer may take: payments and questions are held open. Bodies are bounded where they are read.
	a.server = connection.Track(&http.Server{
		Handler: connection.BoundBodies(a.handler(), connection.BodyTimeouts{}), ReadHeaderTimeout: 20 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		DisableGeneralOptionsHandler: true, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug), // what strangers do wrong is not news
	})
	return a, nil
}

func (a *App) onClose(f func() error) { a.closers = append(a.closers, f) }

// close closes what was opened, the last first.
func (a *App) close() (err error) {
	for i := len(a.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, a.closers[i]())
	}
	a.closers = nil
	return err
}

func (a *App) warn(text string) { a.log.Warn(text) }

func (a *App) listen() error {
	for _, want := range []struct{ address, flag string }{{a.config.Listen, "--listen"}, {a.config.Plain, "--http"}} {
		if want.address == "" {
			continue
		}
		l, err := connection.Listen(want.address, want.flag)
		if err != nil {
			return err
		}
		a.ports = append(a.ports, l)
		a.onClose(func() error { l.Close(); return nil })
	}
	return nil
}

// Address is where HTTPS is spoken.
func (a *App) Address() net.Addr { return a.ports[0].Addr() }

// Plain is where HTTP is spoken; nil: nowhere.
func (a *App) Plain() net.Addr {
	if len(a.ports) < 2 {
		return nil
	}
	return a.ports[1].Addr()
}

// URL is how others reach the hub.
func (a *App) URL() string {
	if a.config.URL != "" {
		return strings.TrimRight(a.config.URL, "/")
	}
	return connection.FromElsewhere("https://", a.Address())
}

// Pin is what a terminal must be told of the certificate: nothing where an authority, or whoever ends TLS, vouches for it.
func (a *App) Pin() string {
	if a.config.URL != "" || a.config.Cert != "" {
		return ""
	}
	return strings.Replace(certificate.PublicKey(a.certs.Newest().Leaf), "sha256//", "sha256/", 1)
}

// JoinLine is what is typed at a terminal.
func (a *App) JoinLine(code string) string {
	line := "maquininha join " + a.URL() + " " + code
	if pin := a.Pin(); pin != "" {
		line += " --pin " + pin
	}
	return line
}

// Run answers until the context ends, then lets go of the terminals and of the requests under way, and closes. It returns nil after a
// clean stop.
func (a *App) Run(ctx context.Context) error {
	failed := make(chan error, len(a.ports)+1)
	for i, port := range a.ports {
		l := connection.Listener{Listener: port, Limiter: a.limiter, Newcomers: maxNewcomers, Refusal: connection.CallersRefusal("GET, POST, PUT, PATCH, DELETE, OPTIONS")}
		if i == 0 {
			l.TLS = a.certs.Config()
		}
		go func() { failed <- a.server.Serve(l) }()
	}
	if n := a.neighbours; n != nil {
		go func() { failed <- n.server.ServeTLS(n.port, "", "") }()
	}
	background, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	a.attend(background, &work)
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	stop()
	return errors.Join(err, a.shutdown(&work))
}

// shutdown ends the links first: requests held at a terminal end with them, as they would if the hub were killed.
func (a *App) shutdown(work *sync.WaitGroup) error {
	ctx, cancel := context.WithTimeout(context.Background(), a.config.stop())
	defer cancel()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		if a.server.Shutdown(ctx) != nil {
			a.server.Close()
		}
	}()
	a.limiter.SetWriteDeadlines()
	a.release()
	a.limiter.Drain()
	<-stopped
	work.Wait()
	return a.close()
}

// Close is for a hub that never ran.
func (a *App) Close() error {
	if a.house != nil {
		a.release()
	}
	return a.close()
}

// words are for the person who starts the hub.
func words(err error) string { return portuguese.Error(err) }
