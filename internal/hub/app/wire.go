package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/hub/configure"
	"github.com/maquininha/maquininha/internal/hub/deliver"
	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/httpapi"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/pull"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/retention"
	"github.com/maquininha/maquininha/internal/hub/screenui"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
	"github.com/maquininha/maquininha/internal/metrics"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// house is every part of the hub.
type house struct {
	store      *store.Store
	fleet      *fleet.Desk
	records    *records.Desk
	operations *operations.Desk
	retention  *retention.Desk
	webhooks   *webhooks.Desk
	sender     *deliver.Sender
	settings   *settings.Desk
	configurer *configure.Configurer
	puller     *pull.Puller
	board      *links.Board
	relay      *relay.Relay
	api        *httpapi.API
	neighbours *neighbours
	lone       *leases.Desk // of a hub that is alone at a database that others could share
	meter      *metrics.Meter
}

// open opens the records and fits the parts together.
func (a *App) open(ctx context.Context) (*house, error) {
	key, err := openKey(a.config.Data)
	if err != nil {
		return nil, err
	}
	files, err := openStore(ctx, a.config)
	if err != nil {
		return nil, err
	}
	a.onClose(files.Close)
	h := &house{
		store: files, fleet: fleet.NewDesk(files.Fleet(), key.Seed()), records: records.NewDesk(files.Records()), operations: operations.NewDesk(files.Operations()),
		meter: metrics.New(),
	}
	h.retention = retention.NewDesk(files.Retention(), a.config.Keep, forgottenCounter(h.meter))
	allowed, err := parseNetworks("webhook-networks", a.config.Networks)
	if err != nil {
		return nil, err
	}
	h.webhooks = webhooks.NewDesk(webhooks.Config{Book: files.Webhooks(), Secret: key.Seed(), Plain: len(allowed) > 0})
	h.records.Notice = h.webhooks.OfTransaction
	h.sender = deliver.New(deliver.Config{Desk: h.webhooks, Allowed: allowed, Version: a.config.Version, Tried: triedCounter(h.meter), Log: func(text string, err error) { a.log.Warn(text, "motivo", words(err)) }})
	h.puller = pull.New(pull.Config{Records: h.records, Fleet: h.fleet, Kept: keptCounter(h.meter), Failed: func(terminal string, err error) {
		a.log.Warn("registros não lidos", "terminal", terminal, "motivo", words(err))
	}})
	if h.neighbours, err = a.meet(ctx, files, hubID(key), h.meter); err != nil {
		return nil, err
	}
	if h.lone, err = a.alone(ctx, files, hubID(key)); err != nil {
		return nil, err
	}
	if h.neighbours != nil {
		h.operations.Share(h.neighbours.leases.Run)
	}
	h.board = links.New(func(ctx context.Context, b *links.Board, link links.Link) links.Attendant {
		return h.neighbours.releases(link, h.puller.Attend(ctx, b, link))
	})
	if n := h.neighbours; n != nil {
		n.follower = a.newFollower(h)
		h.meter.Gauges("maquininha_hub_changes_known", "Número da última mudança da auditoria que este hub conhece; menor do que em outro hub: está atrasado.").
			Value(func() float64 { return float64(n.follower.Known()) })
	}
	h.settings = settings.NewDesk(settings.Config{Book: files.Settings(), Key: key.Seed(), Names: tunnel.Settings, IsSecret: tunnel.SecretSetting})
	h.configurer = configure.New(configure.Config{Desk: h.settings, Fleet: h.fleet, Board: h.board, Log: func(text string, err error) { a.log.Warn(text, "motivo", words(err)) }})
	h.relay = relay.New(relay.Config{Links: h.neighbours.join(h.board, a.log), Records: h.records, Operations: h.operations})
	h.api = httpapi.New(httpapi.Config{
		Fleet: h.fleet, Records: h.records, Operations: h.operations, Webhooks: h.webhooks, Settings: h.settings, Board: h.board, Relay: h.relay, Leases: h.neighbours.desk(), ID: hubID(key), Key: key,
		RequireFactor: a.config.RequireFactor, JoinLine: a.JoinLine, Timing: a.config.Link, Meter: h.meter, Page: screenui.New(a.config.Version),
		Log: func(text string, err error) { a.log.Warn(text, "motivo", words(err)) },
	})
	if err := h.relay.Recover(ctx); err != nil {
		return nil, fmt.Errorf("as operações de antes não puderam ser encerradas: %s", words(err))
	}
	return h, nil
}

// openStore opens the database; what is wrong with it is said in words, and never with its address, which has a password.
func openStore(ctx context.Context, c Config) (*store.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	files, err := store.Open(ctx, c.Data, c.Database)
	path := filepath.Join(c.Data, store.File)
	switch {
	case err == nil:
		return files, nil
	case c.Database != "":
		return nil, fmt.Errorf("o banco de dados de --database não pode ser usado: %s", words(err))
	case errors.Is(err, store.ErrNewer):
		return nil, fmt.Errorf("os dados em %s são de uma versão mais nova deste programa; atualize-o", path)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("sem permissão para usar %s", path)
	}
	return nil, fmt.Errorf("os dados em %s não podem ser usados: %s", path, words(err))
}

// PingDatabase tells whether the database can be used: PostgreSQL answers, or the file can be read. It writes nothing.
func PingDatabase(ctx context.Context, c Config) error {
	if c.Database != "" {
		ctx, cancel := context.WithTimeout(ctx, 2*pingPatience)
		defer cancel()
		return store.PingAddress(ctx, c.Database)
	}
	f, err := os.Open(filepath.Join(c.Data, store.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it will be made
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// errNotBegun is about a data folder that no hub was started with, a mistyped one say.
var errNotBegun = errors.New("este hub ainda não foi iniciado: a primeira conta é criada no primeiro início")

// offline works on the fleet of a hub that does not run, in its only account. Where no hub was started it writes nothing: a key of its own
// beside the records of PostgreSQL would be one that no terminal knows.
func offline(ctx context.Context, c Config, work func(desk *fleet.Desk, account string) error) (err error) {
	if err := c.Check(); err != nil {
		return err
	}
	if !begunIn(c) {
		return errNotBegun
	}
	unlock, err := datafolder.Open(c.Data)
	if err != nil {
		return err
	}
	defer unlock() //nolint:errcheck // nothing was written through it
	key, err := openKey(c.Data)
	if err != nil {
		return err
	}
	files, err := openStore(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	desk := fleet.NewDesk(files.Fleet(), key.Seed())
	accounts, err := desk.Accounts(ctx)
	switch {
	case err != nil:
		return err
	case len(accounts) == 0:
		return errNotBegun
	}
	return work(desk, accounts[0].ID)
}

// begunIn tells whether the folder has what a hub makes at its first start. What can't be looked at is left to whoever opens it.
func begunIn(c Config) bool {
	made := []string{KeyFile}
	if c.Database == "" {
		made = append(made, store.File)
	}
	return !slices.ContainsFunc(made, func(name string) bool {
		_, err := os.Stat(filepath.Join(c.Data, name))
		return errors.Is(err, fs.ErrNotExist)
	})
}

// handler is everything that is answered.
func (a *App) handler() http.Handler {
	trusted, _ := parseNetworks("trusted-proxies", a.config.Proxies) // Check has seen them
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", a.status)
	mux.HandleFunc(tunnel.Path, a.tunnel)
	return behindProxies(trusted, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if handle, pattern := mux.Handler(r); pattern != "" {
			handle.ServeHTTP(w, r)
			return
		}
		if a.cameByPlain(r) {
			r = relay.Proxied(r)
		}
		a.api.ServeHTTP(w, r) // terminals' paths are theirs to the letter: no router may clean them
	}))
}

// cameByPlain tells of requests at the port for a reverse proxy.
func (a *App) cameByPlain(r *http.Request) bool {
	plain, _ := a.Plain().(*net.TCPAddr)
	at, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return plain != nil && at != nil && plain.Port == at.Port
}

// tunnel takes a terminal's connection on. It is known from then on: when there are too many connections, others go first.
func (a *App) tunnel(w http.ResponseWriter, r *http.Request) {
	watched := &hijackWatcher{ResponseWriter: w}
	a.api.ServeHTTP(watched, r)
	if watched.hijacked {
		connection.MarkKnown(r.Context())
	}
}

// hijackWatcher tells whether a handler took the connection over.
type hijackWatcher struct {
	http.ResponseWriter
	hijacked bool
}

func (h *hijackWatcher) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(h.ResponseWriter).Hijack()
	h.hijacked = err == nil
	return conn, buffered, err
}

// attend begins what runs beside the requests, until the context ends.
func (a *App) attend(ctx context.Context, work *sync.WaitGroup) {
	work.Go(func() { a.puller.KeepSightings(ctx, a.board) })
	work.Go(func() { a.sweep(ctx) })
	work.Go(func() { a.writeUses(ctx) })
	work.Go(func() { a.sender.Run(ctx) })
	work.Go(func() { a.configurer.Run(ctx) })
	work.Go(func() { a.watchPresence(ctx) })
	work.Go(func() { a.collect(ctx) })
	work.Go(func() { a.endOperations(ctx) })
	if n := a.neighbours; n != nil {
		work.Go(func() { n.leases.Keep(ctx) })
		work.Go(func() { a.follow(ctx) })
	}
	if a.lone != nil {
		work.Go(func() { a.lone.Keep(ctx) })
	}
}

// endOperations ends those that nobody runs any more, of hubs that died and of this one, until the context ends.
func (a *App) endOperations(ctx context.Context) {
	const each = 5 * time.Second
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(each):
		}
		err := a.relay.EndLost(ctx)
		if a.neighbours != nil {
			err = errors.Join(err, a.relay.Recover(ctx))
		}
		if err != nil && ctx.Err() == nil {
			a.log.Warn("operações que ninguém mais executa não puderam ser encerradas", "motivo", words(err))
		}
	}
}

// writeUses has it on record when keys were used, within a minute, and when the hub stops.
func (a *App) writeUses(ctx context.Context) {
	write := func(ctx context.Context) {
		if err := a.fleet.WriteUses(ctx); err != nil {
			a.log.Warn("o último uso das chaves não pôde ser gravado", "motivo", words(err))
		}
	}
	for {
		select {
		case <-time.After(time.Minute):
			write(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingPatience)
			defer cancel()
			write(last)
			return
		}
	}
}

// release lets go of pages and terminals, so that what is held open at them ends, and waits for what runs by itself.
func (h *house) release() {
	h.api.Close()
	h.board.Close()
	h.neighbours.part()
	h.relay.Close()
	endLease(h.neighbours.desk())
	endLease(h.lone)
}
