package app

import (
	"context"
	"os"
	"runtime/debug"
	"time"
)

// A link holds some 36 KiB: TLS, HTTP/2 and three goroutines. Left to itself Go lets as much garbage lie as is held; with ten thousand
// links that is most of a gigabyte. So the more links, the less of it: about what two thousand would have. A limit of memory would do
// the same, but near it hardly anything but collecting is done.
const (
	usualShare = 100 // percent of what is held
	leastShare = 20
	fewLinks   = 2000
)

// garbageShare is for so many links.
func garbageShare(links int) int {
	return max(leastShare, min(usualShare, usualShare*fewLinks/max(1, links)))
}

// collect follows the number of links until the context ends. It leaves alone what whoever started the hub has set.
func (a *App) collect(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	for share := usualShare; ; {
		if next := garbageShare(a.board.Online()); next != share {
			share = next
			debug.SetGCPercent(share)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(5 * time.Second):
		}
	}
}
