package serve

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// calmMemory is what the collector aims to stay below. A terminal at work holds a third of it; a thousand connections
// with fifty log streams on top hold two thirds, and would otherwise spread over twice as much before it is gathered
// again. It is an aim, no bound: what is held beyond it, large pictures, gets room of its own.
const calmMemory = 48 << 20

const (
	// often is how close together collections come when there is much to do.
	often = 500 * time.Millisecond
	// rest is how long it must then be quiet, at fewer bytes allocated than quiet.
	rest  = 5 * time.Second
	quiet = 10 << 20
)

// keepCalm leaves a limit alone that whoever started the service has set.
func keepCalm() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(calmMemory)
	}
}

// gatherAtLeisure lets garbage lie, while there is much to do, until all of calmMemory is in use: gathered at twice of
// what is held, a few megabytes, it takes much of the processor from callers who come one after the other. When there is
// not, what was used goes back to the system. It is for a service that has started, and leaves alone what was set outside.
func gatherAtLeisure(ctx context.Context) {
	if os.Getenv("GOMEMLIMIT") == "" && os.Getenv("GOGC") == "" {
		go takeTurns(ctx, eachCollection(), rest)
	}
}

// takeTurns puts gathering off while there is much to do.
func takeTurns(ctx context.Context, collected <-chan struct{}, rest time.Duration) {
	const gatherAtTwice, gatherAtLimit = 100, -1
	var (
		last   time.Time
		before uint64
		wake   <-chan time.Time // nil: gathering as usual
	)
	for {
		select {
		case <-collected:
			debug.SetMemoryLimit(limitFor(held()))
			now := time.Now()
			if wake == nil && now.Sub(last) < often {
				debug.SetGCPercent(gatherAtLimit)
				before, wake = allocated(), time.After(rest)
			}
			last = now
		case <-wake:
			if now := allocated(); now-before > quiet {
				before, wake = now, time.After(rest)
				continue
			}
			wake = nil
			debug.SetGCPercent(gatherAtTwice)
			debug.FreeOSMemory()
			last = time.Time{} // that one does not count
		case <-ctx.Done():
			return
		}
	}
}

// limitFor leaves room above what is held: large pictures on the screen can be more than calmMemory by themselves, and with
// none each request would pay for a collection.
func limitFor(live, besides uint64) int64 {
	return max(calmMemory, int64(besides+live+live/4+8<<20))
}

// held is what the last collection found in use, and what the runtime takes besides the heap.
func held() (live, besides uint64) {
	sample := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(sample)
	besides = sample[1].Value.Uint64()
	for _, heap := range sample[2:] {
		besides -= min(besides, heap.Value.Uint64())
	}
	return sample[0].Value.Uint64(), besides
}

// allocated is how many bytes have been asked for since the start.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// eachCollection tells of collections: something that nobody holds is found by each of them.
func eachCollection() <-chan struct{} {
	collected := make(chan struct{}, 1)
	type unheld struct{ _ *int }
	var found func(*unheld)
	found = func(u *unheld) {
		select {
		case collected <- struct{}{}:
		default:
		}
		runtime.SetFinalizer(u, found)
	}
	runtime.SetFinalizer(&unheld{}, found)
	return collected
}
