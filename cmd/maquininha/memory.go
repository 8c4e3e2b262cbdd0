package main

import (
	"os"
	"runtime/debug"
)

// calmMemory is what the collector aims to stay below. A terminal at work holds a third of it; a thousand connections
// with fifty log streams on top hold two thirds, and would otherwise spread over twice as much before it is gathered
// again. It is an aim, no bound: a large picture takes what it needs, a little more slowly.
const calmMemory = 48 << 20

// keepCalm leaves a limit alone that whoever started the service has set.
func keepCalm() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(calmMemory)
	}
}
