package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
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
	for deadline := time.Now().Add(time.Minute); sampled("/gc/gogc:percent") == 100; {
		if garbage = make([]byte, 64<<10); time.Now().After(deadline) {
			t.Fatal("gathered all the time")
		}
	}
	held := sampled("/memory/classes/heap/released:bytes")
	for deadline := time.Now().Add(time.Minute); sampled("/gc/gogc:percent") != 100; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never gathered again")
		}
	}
	for deadline := time.Now().Add(time.Minute); sampled("/memory/classes/heap/released:bytes") <= held; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the system got nothing back")
		}
	}
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
	for deadline := time.Now().Add(time.Minute); debug.SetMemoryLimit(-1) < 2*calmMemory+8<<20; {
		if garbage = make([]byte, 64<<10); time.Now().After(deadline) {
			t.Fatalf("the limit is %d MiB", debug.SetMemoryLimit(-1)>>20)
		}
	}
	before := sampled("/gc/cycles/total:gc-cycles")
	for range 160 { // 10 MiB
		garbage = make([]byte, 64<<10)
	}
	if collections := sampled("/gc/cycles/total:gc-cycles") - before; collections > 2 {
		t.Errorf("%d collections for 10 MiB", collections)
	}
	runtime.KeepAlive(pictures)
	for deadline := time.Now().Add(time.Minute); debug.SetMemoryLimit(-1) != calmMemory; {
		if runtime.GC(); time.Now().After(deadline) {
			t.Fatalf("without them it is still %d MiB", debug.SetMemoryLimit(-1)>>20)
		}
	}
	cancel()
	<-ended
}

var garbage []byte

func sampled(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
