package app

import (
	"context"
	"os"
	"runtime/debug"
	"time"
)

// A link holds some 25 KiB: TLS, HTTP/2 and a goroutine. Left to itself Go lets as much garbage lie as is held; with ten thousand links
// that is more than half a gigabyte. So the more links, the less of it: about what five thousand would have. A limit of memory would do
// the same, but near it hardly anything but collecting is done.
const (
	usualShare = 100 // percent of what is held
	leastShare = 20
	fewLinks   = 5000
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
