package serve

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheCollectorIsTunedUnlessSomebodyHas(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetMemoryLimit(limit); debug.SetGCPercent(percent) })
	t.Setenv("GOMEMLIMIT", "1GiB")
	t.Setenv("GOGC", "50")
	if tuneCollector() != 0 || debug.SetMemoryLimit(-1) != limit || debug.SetGCPercent(100) != 100 {
		t.Error("what was set from outside was changed")
	}
	t.Setenv("GOMEMLIMIT", "")
	t.Setenv("GOGC", "")
	if tuneCollector() != memoryLimit || debug.SetMemoryLimit(-1) != memoryLimit || debug.SetGCPercent(100) != collectAt {
		t.Error("nothing was set")
	}
}

// Memory is given back once after the start and once after each work, not while there is any, and not for what a resting terminal asks for.
func TestMemoryGoesBackAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked, given atomic.Uint64
		asked.Store(20 << 20) // by the start
		var all sync.WaitGroup
		ctx, stop := context.WithCancel(t.Context())
		all.Go(func() { giveBackAtRest(ctx, asked.Load, func() { given.Add(1) }) })
		after := func(doing string, each uint64, looks int, want uint64) {
			t.Helper()
			for range looks {
				time.Sleep(lookEach)
				synctest.Wait()
				asked.Add(each)
			}
			if given := given.Load(); given != want {
				t.Errorf("%s: given back %d times, want %d", doing, given, want)
			}
		}
		time.Sleep(lookEach / 2) // between two looks
		after("the start", 0, 3, 1)
		after("rest", 1<<10, 100, 1)
		after("work", 5<<20, 100, 1)
		after("rest after it", 1<<10, 100, 2)
		after("a long rest", 1<<10, 1000, 3)
		stop()
		all.Wait()
	})
	if before := memoryAsked(); before == 0 || memoryAsked() < before {
		t.Error("nobody tells how much memory was asked for")
	}
}
