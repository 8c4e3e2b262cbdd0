package app

import (
	"context"
	"os"
	"runtime/debug"
	"time"
)

// A link holds some 40 KiB: TLS, HTTP/2 and three goroutines. Left to itself Go collects garbage at twice of what is held; with ten
// thousand links that is most of a gigabyte. Near the limit it collects more often instead, which must not happen to a smaller hub.
const (
	leastMemory   = 400 << 20
	memoryBesides = 88 << 20
	memoryOfLink  = 38 << 10
)

// memoryLimit is for so many links.
func memoryLimit(links int) int64 { return max(leastMemory, memoryBesides+int64(links)*memoryOfLink) }

// limitMemory follows the number of links until the context ends. It leaves alone what whoever started the hub has set.
func (a *App) limitMemory(ctx context.Context) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	for {
		debug.SetMemoryLimit(memoryLimit(a.board.Online()))
		select {
		case <-ctx.Done():
			return
		case <-time.After(5 * time.Second):
		}
	}
}
