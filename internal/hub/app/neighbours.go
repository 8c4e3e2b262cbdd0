package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/peers"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/metrics"
)

// neighbours are the other hubs at the same database, as this one meets them; nil: it is alone.
type neighbours struct {
	identity peers.Identity
	leases   *leases.Desk
	port     net.Listener
	peers    *peers.Peers
	server   *http.Server
	follower *peers.Follower
}

// meet takes a lease, where the hub is one of several. id is by which terminals know all of them.
func (a *App) meet(ctx context.Context, files *store.Store, id string, meter *metrics.Meter) (*neighbours, error) {
	if a.config.PeerAddress == "" {
		return nil, nil //nolint:nilnil // it is alone
	}
	port, address, err := listenForPeers(a.config.PeerAddress)
	if err != nil {
		return nil, err
	}
	a.onClose(func() error { port.Close(); return nil })
	n := &neighbours{port: port}
	if n.identity, err = peers.NewIdentity(); err != nil {
		return nil, err
	}
	failures := meter.Totals("maquininha_hub_lease_failures_total", "Vezes em que a vez deste hub entre os outros não pôde ser renovada.").Counter()
	n.leases = leases.NewDesk(files.Leases(), leases.Hub{Identity: id, Address: address, KeyHash: n.identity.KeyHash}, a.config.Lease, func(err error) {
		failures.Inc()
		a.notRenewed(err)
	})
	err = n.leases.Take(ctx)
	if errors.Is(err, leases.ErrAlone) {
		return nil, errors.New("há um hub no ar neste banco sem --peer-address: pare-o e inicie-o com o dele; um que caiu conta por mais 15 s")
	}
	if errors.Is(err, leases.ErrOtherIdentity) {
		return nil, fmt.Errorf("os outros hubs deste banco têm outra chave: pare este e copie %s de um deles para %s", KeyFile, filepath.Join(a.config.Data, KeyFile))
	}
	if err != nil {
		return nil, fmt.Errorf("este hub não pôde se juntar aos outros: %s", words(err))
	}
	return n, nil
}

// listenForPeers listens at an address that is a number, or at all of the machine's where it is a name. It gives what others dial.
func listenForPeers(at string) (net.Listener, string, error) {
	host, _, err := net.SplitHostPort(at)
	if err != nil {
		return nil, "", err
	}
	l, err := connection.Listen(PeerPort(at), "--peer-address")
	if err != nil {
		return nil, "", err
	}
	_, port, _ := net.SplitHostPort(l.Addr().String()) // it may have been 0
	return l, net.JoinHostPort(host, port), nil
}

// join fits the neighbours to the links of this hub, and is how requests find terminals.
func (n *neighbours) join(b *links.Board, log *slog.Logger) relay.Links {
	if n == nil {
		return b
	}
	n.peers = peers.New(n.leases, b, n.identity)
	n.server = n.peers.Server(relay.Pass, slog.NewLogLogger(log.Handler(), slog.LevelDebug))
	return n.peers
}

// desk is where terminals are claimed; nil: nowhere.
func (n *neighbours) desk() *leases.Desk {
	if n == nil {
		return nil
	}
	return n.leases
}

// gauge registers what can be told of the lease, where there is one.
func (n *neighbours) gauge(m *metrics.Meter, files *store.Store) {
	if n == nil {
		return
	}
	m.Gauges("maquininha_hub_lease_seconds", "Por quanto tempo ainda vale a vez deste hub entre os que dividem o banco; 0: está perdida, e os terminais vão para os outros.").
		Value(func() float64 { return n.leases.Left().Seconds() })
	m.Gauges("maquininha_hub_hubs", "Hubs no ar no mesmo banco, com este; 0: o banco não responde.").Value(func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), pingPatience)
		defer cancel()
		run, err := files.HubsRun(ctx)
		if err != nil {
			return 0
		}
		return float64(run)
	})
}

// releases is who lets go of a terminal whose link is over, where there are other hubs, beside whoever looks after it.
func (n *neighbours) releases(link links.Link, by links.Attendant) links.Attendant {
	if numbered, is := link.(links.Numbered); is && n != nil {
		return releasing{by, func() { n.leases.Release(link.Terminal(), numbered.Number) }}
	}
	return by
}

type releasing struct {
	links.Attendant
	release func()
}

func (r releasing) Leave() {
	r.Attendant.Leave()
	r.release()
}

// part ends what other hubs ask of this one, and this one of them.
func (n *neighbours) part() {
	if n == nil {
		return
	}
	n.peers.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if n.server.Shutdown(ctx) != nil {
		n.server.Close()
	}
}

// endLease ends one, where there is one. One that can't be ended is over by itself soon.
func endLease(d *leases.Desk) {
	if d == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), pingPatience)
	defer cancel()
	d.Close(ctx) //nolint:errcheck // as above
}

// follow has this hub know what the others have done.
func (a *App) follow(ctx context.Context) {
	a.neighbours.follower.Follow(ctx)
}

// newFollower is how this hub learns of the others.
func (a *App) newFollower(h *house) *peers.Follower {
	return &peers.Follower{Fleet: h.fleet, Places: h.neighbours.leases, Board: h.board, Failed: func(err error) {
		a.log.Warn("o que os outros hubs mudaram não pôde ser lido", "motivo", words(err))
	}}
}
