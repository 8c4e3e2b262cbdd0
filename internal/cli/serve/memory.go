package serve

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A terminal at work holds some ten megabytes. Collected at twice of that, as Go does by itself, garbage takes much of the processor
// from callers; at five times it does not. The limit is for those with a thousand connections; the display's pictures come on top of it.
const (
	collectAt   = 400 // percent more than is held
	memoryLimit = 48 << 20
)

// tuneCollector leaves alone what whoever started the service has set. It returns the limit, 0 when there is none of ours.
func tuneCollector() (limit int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
		return memoryLimit
	}
	return 0
}

// What is asked for in a while by a terminal that rests, and what is worth giving back.
const (
	lookEach  = 2 * time.Second
	restAsks  = 128 << 10
	worthIt   = 1 << 20
	allocated = "/gc/heap/allocs:bytes"
)

// giveBackAtRest gives the system what the last work needed, the start's first, once nothing is done: left alone, a terminal that rests
// keeps its garbage for days. asked is how much memory was ever asked for.
func giveBackAtRest(ctx context.Context, asked func() uint64, giveBack func()) {
	ticks := time.NewTicker(lookEach)
	defer ticks.Stop()
	for last, given := asked(), uint64(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		now := asked()
		if now-last < restAsks && now-given >= worthIt {
			giveBack()
			given = now
		}
		last = now
	}
}

func memoryAsked() uint64 {
	sample := []metrics.Sample{{Name: allocated}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
