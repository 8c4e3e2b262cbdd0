package retention_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/hub/retention"
)

var errAway = errors.New("away")

// book has so many of each kind, all of them old; each step takes a while.
type book struct {
	left   map[retention.Kind]int
	away   retention.Kind
	before map[retention.Kind]time.Time
	busy   time.Duration
}

const step = 20 * time.Millisecond

func (b *book) Forget(_ context.Context, k retention.Kind, before time.Time, after retention.Mark, limit int) (int, retention.Mark, error) {
	time.Sleep(step)
	b.busy += step
	if k == b.away {
		return 0, retention.Mark{}, errAway
	}
	b.before[k] = before
	n := min(limit, b.left[k])
	if b.left[k] -= n; b.left[k] == 0 {
		return n, retention.Mark{}, nil
	}
	return n, retention.Mark{Number: after.Number + int64(n)}, nil
}

// A sweep goes by the rules, leaves the database to others for half of its time, goes on past what fails, and ends when it is told to.
func TestSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := map[retention.Kind]int{retention.Transactions: 1000, retention.Logs: 5500, retention.Operations: 1, retention.Audit: 7}
		b := &book{left: maps.Clone(full), before: map[retention.Kind]time.Time{}}
		forgotten := map[retention.Kind]int{}
		count := func(k retention.Kind, n int) { forgotten[k] += n }
		day := 24 * time.Hour
		d := retention.NewDesk(b, retention.Rules{retention.Transactions: 400 * day, retention.Logs: 90 * day, retention.Audit: 0}, count)
		began := time.Now()
		if err := d.Sweep(t.Context()); err != nil || !d.Last().Equal(time.Now()) {
			t.Error(err, d.Last())
		}
		if want := map[retention.Kind]int{retention.Transactions: 1000, retention.Logs: 5500}; !maps.Equal(forgotten, want) {
			t.Errorf("forgotten: %v, want %v", forgotten, want)
		}
		if took := time.Since(began); took < 2*b.busy-3*step {
			t.Errorf("busy for %v of %v", b.busy, took)
		}
		if _, asked := b.before[retention.Audit]; asked || !b.before[retention.Transactions].Equal(began.Add(-400*day)) || d.Kept(retention.Logs) != 90*day {
			t.Error(b.before)
		}

		last := d.Last()
		b.left, b.away = maps.Clone(full), retention.Transactions
		if err := d.Sweep(t.Context()); !errors.Is(err, errAway) || b.left[retention.Logs] != 0 || !d.Last().Equal(last) {
			t.Error(err, b.left, d.Last())
		}
		b.left, b.away = maps.Clone(full), ""
		ctx, cancel := context.WithTimeout(t.Context(), 5*step)
		defer cancel()
		if err := d.Sweep(ctx); !errors.Is(err, context.DeadlineExceeded) || b.left[retention.Transactions] == 0 {
			t.Error(err, b.left)
		}
	})
}
