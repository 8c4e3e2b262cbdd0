package cli

import (
	"os"
	"runtime/debug"
)

// memoryLimit is what ten thousand links fit into: each holds some 40 KiB, most of it TLS and HTTP/2. Below it garbage is collected as
// Go does by itself; near it more often, instead of taking twice of what is held.
const memoryLimit = 448 << 20

// tuneCollector leaves alone what whoever started the hub has set.
func tuneCollector() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
