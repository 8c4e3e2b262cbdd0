package serve

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
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

// Much garbage in a short time is left lying; when it is quiet again it is gathered as before, and the system has its
// memory back.
func TestGarbageIsGatheredAtLeisure(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(calmMemory), debug.SetGCPercent(100)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		takeTurns(ctx, eachCollection(), 100*time.Millisecond)
	}()
	waittest.Until(t, "garbage is left lying", func() bool {
		litter(8 << 20)
		return sampled("/gc/gogc:percent") != 100
	})
	held := sampled("/memory/classes/heap/released:bytes")
	waittest.Until(t, "garbage is gathered again", func() bool { return sampled("/gc/gogc:percent") == 100 })
	waittest.Until(t, "the system gets memory back", func() bool { return sampled("/memory/classes/heap/released:bytes") > held })
	cancel()
	<-ended
}

// What is held for long, pictures on the screen, must not leave everything else without room.
func TestMemoryHasRoomAboveWhatIsHeld(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(calmMemory), debug.SetGCPercent(100)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		takeTurns(ctx, eachCollection(), time.Hour)
	}()
	pictures := make([]byte, 2*calmMemory)
	waittest.Until(t, "a limit above what is held", func() bool {
		litter(8 << 20)
		return debug.SetMemoryLimit(-1) >= 2*calmMemory+8<<20
	})
	before := sampled("/gc/cycles/total:gc-cycles")
	litter(10 << 20)
	if collections := sampled("/gc/cycles/total:gc-cycles") - before; collections > 2 {
		t.Errorf("%d collections for 10 MiB", collections)
	}
	runtime.KeepAlive(pictures)
	waittest.Until(t, "the usual limit, without them", func() bool {
		runtime.GC()
		return debug.SetMemoryLimit(-1) == calmMemory
	})
	cancel()
	<-ended
}

var garbage []byte

func litter(bytes int) {
	const piece = 64 << 10
	for range bytes / piece {
		garbage = make([]byte, piece)
	}
}

func sampled(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
