package main

import (
	"runtime/debug"
	"testing"
)

func TestMemoryIsKeptCalmUnlessTold(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	t.Setenv("GOMEMLIMIT", "1GiB")
	if keepCalm(); debug.SetMemoryLimit(-1) != before {
		t.Error("a limit set from outside was changed")
	}
	t.Setenv("GOMEMLIMIT", "")
	if keepCalm(); debug.SetMemoryLimit(-1) != calmMemory {
		t.Error("no limit was set")
	}
}
