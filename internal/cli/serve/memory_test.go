package serve

import (
	"runtime/debug"
	"testing"
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
