package serve

import (
	"os"
	"runtime/debug"
	"time"
)

// A terminal at work holds some ten megabytes. Collected at twice of that, as Go does by itself, garbage takes much of the processor
// from callers; at five times it does not. The limit is for those with a thousand connections; the display's pictures come on top of it.
const (
	collectAt   = 400 // percent more than is held
	memoryLimit = 48 << 20
	startTakes  = 3 * time.Second
)

// tuneCollector leaves alone what whoever started the service has set. It returns the limit, 0 when there is none of ours. What only the
// start needed goes back to the system: a terminal that rests may not collect again for days.
func tuneCollector() (limit int64) {
	time.AfterFunc(startTakes, debug.FreeOSMemory)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
		return memoryLimit
	}
	return 0
}
