package app

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/hubfeed"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// newFeed is what a hub reads of this terminal's records.
func (s *service) newFeed(h hardware, files *store.Store) (*hubfeed.Feed, error) {
	history := &epochs{files: files, log: s.Logs}
	if err := errors.Join(files.KeepEpoch(), history.load()); err != nil {
		return nil, err
	}
	if files.NewEpoch() && len(history.Origins()) > 0 {
		s.Logs.Add(logbook.Warning, logbook.App, "Os dados desta pasta são uma cópia que foi reposta: o histórico recebe outra época", "época="+history.Current().Epoch)
	}
	var told sync.Map // what a hub asks for again and again fails again and again
	return hubfeed.New(hubfeed.Config{
		Ledger: h.ledger, Epochs: history, Log: s.Logs, Standing: s.Payments.Standing, Answer: s.api.Answer,
		State: func() tunnel.State { return s.state(h) }, Changes: s.Screen.Changes, Settings: ofHub{s.settings},
		Failed: func(path string, err error) {
			why := portuguese.Error(err)
			if _, known := told.LoadOrStore(path+why, true); !known {
				s.Logs.Add(logbook.Error, logbook.HTTP, "GET "+path+" 500", why)
			}
		},
	}), nil
}

// state is how the terminal is, as support wants to see it from afar.
func (s *service) state(h hardware) tunnel.State {
	return tunnel.State{
		Version: s.Device.Identity.Version, Clock: time.Now(), Busy: s.Device.Gate.Busy(), Running: s.api.Running(),
		Foreground: s.Screen.Foreground.Active(), Printer: string(h.printer.State()), Trouble: s.Story.Troubled(),
		Unresolved: s.Payments.Unresolved(), SaleOpen: s.Sales.IsOpen(),
	}
}

// firstEntry is the id of the first entry of a log that begins in a folder that has been in use: above all that can have been before.
// Whoever has read the log elsewhere knows entries by their ids.
func firstEntry(now time.Time) int64 {
	return now.Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)).Milliseconds()
}

// epochs fills hubfeed.Epochs.
type epochs struct {
	files *store.Store
	log   *logbook.Book

	mu  sync.Mutex
	all []store.Epoch // the one of now first
}

func (e *epochs) load() error {
	all, err := e.files.Epochs()
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = all
	return nil
}

func (e *epochs) Current() tunnel.Origin {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.all[0]
	return tunnel.Origin{Epoch: now.ID, Ledger: now.Ledger, Log: now.Log}
}

// Origins go back beyond an epoch that was begun on a hub's word: what came before is named, with nothing in common for certain, so that
// the hub knows whose payments it reads again.
func (e *epochs) Origins() (origins []tunnel.Origin) {
	const most = 50 // positions are short lines
	e.mu.Lock()
	defer e.mu.Unlock()
	same := true
	for i := 1; i < len(e.all) && len(origins) < most; i++ {
		o := tunnel.Origin{Epoch: e.all[i].ID}
		if same = same && e.all[i-1].Same; same {
			o.Ledger, o.Log = e.all[i-1].Ledger, e.all[i-1].Log
		}
		origins = append(origins, o)
	}
	return origins
}

func (e *epochs) Begin(log int64) error {
	if err := e.files.BeginEpoch(log); err != nil {
		return err
	}
	err := e.load()
	e.log.Add(logbook.Warning, logbook.App, "O hub já leu outros registros deste terminal com os mesmos números: o histórico recebe outra época", "época="+e.Current().Epoch)
	return err
}

// ForHub answers what comes through the tunnel: the feed of records, which exists there only, and the interface.
func (a *App) ForHub(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hubfeed.Serves(r.URL.Path) {
			api.ServeHTTP(w, r)
			return
		}
		a.serveFeed(w, r)
	})
}
