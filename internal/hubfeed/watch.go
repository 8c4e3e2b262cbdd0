package hubfeed

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/maquininha/maquininha/internal/tunnel"
)

// watch sends a position at once, and one whenever it is another, until the hub hangs up or the service stops.
func (f *Feed) watch(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(f.ends, cancel)()
	pause := time.NewTimer(f.Pause)
	defer pause.Stop()
	var last tunnel.Position
	for first := true; ; first = false {
		changed := f.changes() // before it is read: what changes meanwhile is read again
		now, err := f.position(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			return
		case err != nil && first:
			f.broken(w, r, err)
			return
		case err != nil:
			panic(http.ErrAbortHandler) // the hub must not take it for a quiet terminal
		case first:
			w.Header().Set("Content-Type", "application/x-ndjson")
			w.Header().Set("Cache-Control", "no-cache")
		}
		if first || !same(now, last) {
			if send(w, now) != nil || r.Method == http.MethodHead {
				return
			}
			last = now
		}
		if !changed.wait(ctx) {
			return
		}
		// Items are scanned and entries logged many a second: a few looks a second are enough to see all of it.
		pause.Reset(f.Pause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			return
		}
	}
}

// changes is what wakes a watcher.
type changes struct{ terminal, ledger, log <-chan struct{} }

func (f *Feed) changes() changes {
	_, log := f.Log.Stored()
	return changes{f.Changes(), f.Ledger.Grown(), log}
}

// wait returns when something may be another; false: the context has ended.
func (c changes) wait(ctx context.Context) bool {
	select {
	case <-c.terminal:
	case <-c.ledger:
	case <-c.log:
	case <-ctx.Done():
		return false
	}
	return true
}

func (f *Feed) position(ctx context.Context) (p tunnel.Position, err error) {
	f.epoch.RLock()
	defer f.epoch.RUnlock()
	p.Epoch, p.Origins, p.State = f.Epochs.Current().Epoch, f.Epochs.Origins(), f.State()
	p.Log, _ = f.Log.Stored()
	p.Ledger, err = f.Ledger.LastLine(ctx)
	return p, err
}

// same tells whether two positions differ in nothing but the moment.
func same(a, b tunnel.Position) bool {
	b.State.Clock = a.State.Clock
	return reflect.DeepEqual(a, b)
}
