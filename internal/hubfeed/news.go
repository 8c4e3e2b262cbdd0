package hubfeed

import (
	"context"
	"reflect"
	"time"

	"github.com/maquininha/maquininha/internal/tunnel"
)

// News tells when the position is another, at first at once, until the context ends or the feed is closed.
func (f *Feed) News(ctx context.Context, tell func()) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(f.ends, cancel)()
	pause := time.NewTimer(f.Pause)
	defer pause.Stop()
	var last tunnel.Position
	for {
		changed := f.changes() // before it is read: what changes meanwhile is read again
		now, err := f.position(ctx)
		if ctx.Err() != nil || f.ends.Err() != nil {
			return
		}
		if err != nil || !same(now, last) { // what can't be read is no quiet terminal: the hub hears of it when it asks
			tell()
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

// readPosition answers how far the records have come, and notes how far the hub has.
func (f *Feed) readPosition(ctx context.Context, a ask) (any, error) {
	now, err := f.position(ctx)
	if err == nil && a.epoch == now.Epoch {
		f.read.Store(a.after)
	}
	return now, err
}

// changes are what may be news.
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
