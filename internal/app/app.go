// Package app is the one place that names concrete types: it opens every part of the service, fits them
// together, runs them, restarts them inside the process and closes them.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// App is the process: its listening sockets and its lock stay while services come and go.
type App struct {
	config   Config
	api      *http.Server
	screen   *http.Server
	ports    [3]net.Listener        // API, screen, API over TLS; the first or the last may be nil
	certs    *certificate.Keeper    // nil without TLS
	limiters [2]*connection.Limiter // of the API's and the screen's connections
	forHub   *connection.Answers    // through the hub
	hub      *hubLink
	unlock   func() error

	current sync.RWMutex // read by every request for as long as it takes, but for POST /restart
	service *service

	logs atomic.Pointer[logbook.Book]

	restarting sync.Mutex
	restarted  *restarted // the restart under way
	stopping   bool
	broken     chan error // a restart that failed: the process must end
}

// New takes the data folder, the ports and starts the service; nothing is answered before Run.
func New(c Config) (a *App, err error) {
	a = &App{config: c, broken: make(chan error, 1)}
	if err := cmp.Or(c.Printer.Check(c.Mode), CheckModel(c.Printer.Model), CheckCardReceipt(c.CardReceipt), c.TLS.Check(c.Listen)); err != nil {
		return a, err
	}
	defer func() {
		if err != nil {
			a.freePorts()
		}
	}()
	if a.unlock, err = datafolder.Open(c.Data); err != nil {
		return a, err
	}
	if c.TLS.Listen != "" {
		// A certificate would be made in the folder before the data are opened.
		if err := checkVersions(c.Data); err != nil {
			return a, err
		}
		if a.certs, err = certificate.Open(c.TLS.Cert, c.TLS.Key, c.Data, a.warn); err != nil {
			return a, err
		}
	}
	for i, address := range []string{c.Listen, c.Screen, c.TLS.Listen} {
		if address == "" || address == none {
			continue
		}
		if a.ports[i], err = connection.Listen(address, []string{"--listen", "--screen", "--tls-listen"}[i]); err != nil {
			return a, err
		}
	}
	a.forHub = connection.NewAnswers(c.Timeouts.Answer)
	a.hub = newHubLink(a)
	if a.service, err = newService(c, a.place()); err != nil {
		return a, err
	}
	a.logs.Store(a.service.Logs)
	if a.certs != nil {
		leaf := a.certs.Newest().Leaf
		a.service.Logs.Add(logbook.Info, logbook.App, "HTTPS em "+a.SecureAddress().String()+", certificado SHA-256 "+certificate.Fingerprint(leaf)+certificate.Doubts(leaf), "")
	}
	a.limiters[0], a.limiters[1] = newLimiters(connection.Timeouts{Awaited: c.Timeouts.Answer, Stalled: c.Timeouts.Stalled})
	a.api = a.server(c.around(http.HandlerFunc(a.serve)))
	a.screen = a.server(a.screenHandler())
	return a, nil
}

func (a *App) place() place {
	api, screen := a.Addresses()
	return place{screen: screen, apiURL: connection.FromElsewhere(a.scheme(), api), screenURL: screenURL(screen), restart: a.restart, connections: a.connections, hub: a.hub}
}

// server has no limit on how long an answer may take: questions and payments are held open. Bodies are bounded
// where they are read.
func (a *App) server(h http.Handler) *http.Server {
	return connection.Track(&http.Server{
		Handler: h, ReadHeaderTimeout: a.config.Timeouts.headers(), IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		DisableGeneralOptionsHandler: true, ErrorLog: a.serverLog(),
	})
}

// Addresses are where the API and the screen listen; the API's is that of HTTP, where it is spoken.
func (a *App) Addresses() (api, screen net.Addr) {
	if a.ports[0] == nil {
		return a.SecureAddress(), a.ports[1].Addr()
	}
	return a.ports[0].Addr(), a.ports[1].Addr()
}

// SecureAddress is where the API speaks HTTPS; nil when nowhere.
func (a *App) SecureAddress() net.Addr {
	if a.ports[2] == nil {
		return nil
	}
	return a.ports[2].Addr()
}

// scheme begins the API's URL.
func (a *App) scheme() string {
	if a.ports[0] == nil {
		return "https://"
	}
	return "http://"
}

// Run answers until the context ends, then answers the requests that are held, and closes. It returns nil after a clean stop.
func (a *App) Run(ctx context.Context) error {
	defer a.freePorts()
	failed := make(chan error, len(a.ports))
	callers, screens := a.limiters[0], a.limiters[1]
	refusal := connection.CallersRefusal(httpapi.AllowedMethods(a.config.CORSMethods))
	if a.ports[0] != nil {
		go func() {
			failed <- a.api.Serve(connection.Listener{Listener: a.ports[0], Limiter: callers, Refusal: refusal})
		}()
	}
	if a.ports[2] != nil {
		go func() {
			failed <- a.api.Serve(connection.Listener{Listener: a.ports[2], Limiter: callers, TLS: a.certs.Config(), Refusal: refusal})
		}()
	}
	go func() {
		failed <- a.screen.Serve(connection.Listener{Listener: a.ports[1], Limiter: screens, TLS: a.certs.Config(), Both: true, Refusal: connection.ScreenRefusal})
	}()
	leaveNetwork := a.announce()
	a.hub.start()
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	case err = <-a.broken:
	}
	leaveNetwork()
	return errors.Join(err, a.shutdown())
}

// shutdown stops taking requests, answers the held ones, waits for the rest, then closes the data.
func (a *App) shutdown() error {
	a.restarting.Lock() // a restart under way ends first; none begins after
	defer a.restarting.Unlock()
	a.stopping = true
	ctx, cancel := context.WithTimeout(context.Background(), a.config.Timeouts.stop())
	defer cancel()
	var closing sync.WaitGroup
	for _, server := range []*http.Server{a.api, a.screen} {
		closing.Go(func() {
			if server.Shutdown(ctx) != nil {
				server.Close()
			}
		})
	}
	closing.Go(a.hub.close)
	for _, l := range a.limiters {
		l.SetWriteDeadlines()
	}
	a.service.release()
	for _, l := range a.limiters {
		l.Drain()
	}
	closing.Wait()
	a.service.Logs.Add(logbook.Info, logbook.App, "serviço encerrado", "")
	return a.service.close()
}

// freePorts gives the ports and the folder back.
func (a *App) freePorts() {
	for _, port := range a.ports {
		if port != nil {
			port.Close()
		}
	}
	if a.unlock != nil {
		a.unlock() //nolint:errcheck // the process is done with it
	}
}

// serve hands the request to the service of the moment; while a restart is under way it waits for the new one. The service is held
// for as long as the request takes, but for the request that waits for its end.
func (a *App) serve(w http.ResponseWriter, r *http.Request) {
	a.current.RLock()
	api := a.service.api
	if asksRestart(r) {
		a.current.RUnlock()
	} else {
		defer a.current.RUnlock()
	}
	api.ServeHTTP(w, r)
}

// serverLog takes what the HTTP server has to say into the log of the moment.
func (a *App) serverLog() *log.Logger {
	return log.New(writerFunc(func(line []byte) (int, error) {
		if book := a.logs.Load(); book != nil {
			book.Add(logbook.Warning, logbook.HTTP, portuguese.Text(strings.TrimSpace(string(line))), "")
		}
		return len(line), nil
	}), "", 0)
}

func (a *App) warn(text string) {
	if book := a.logs.Load(); book != nil {
		book.Add(logbook.Warning, logbook.App, text, "")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// echo shows what needs attention where the service was started.
func echo(e logbook.Entry) {
	switch e.Level {
	case logbook.Fatal, logbook.Error:
		why := strings.ReplaceAll(strings.TrimSpace(e.Details), "\n", "; ")
		fmt.Fprintf(os.Stderr, "%s %s: %s %.200s\n", e.At.Format("15:04:05"), e.Level, e.Message, why)
	}
}
