package operation

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestGateLetsOneThrough(t *testing.T) {
	var g Gate
	leave, err := g.Enter()
	if err != nil || !g.Busy() {
		t.Fatalf("first Enter: %v, busy %v", err, g.Busy())
	}
	if _, err := g.Enter(); !errors.Is(err, ErrBusy) {
		t.Fatalf("second Enter: %v", err)
	}
	leave()
	second, err := g.Enter()
	if err != nil {
		t.Fatalf("Enter after leaving: %v", err)
	}
	leave() // the first one's, again: must not free what the second holds
	if !g.Busy() {
		t.Fatal("leaving twice freed another's gate")
	}
	if n := g.Turn(); n != 3 {
		t.Errorf("turn %d, want 3: taken, left, taken", n)
	}
	second()
	second()
	if n := g.Turn(); n != 4 || g.Busy() {
		t.Errorf("turn %d, want 4; busy %v", n, g.Busy())
	}
}

func TestGateUnderContention(t *testing.T) {
	var g Gate
	var inside, entered atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 1000 {
				leave, err := g.Enter()
				if err != nil {
					continue
				}
				if inside.Add(1) != 1 {
					t.Error("two inside at once")
				}
				entered.Add(1)
				inside.Add(-1)
				leave()
			}
		})
	}
	wg.Wait()
	if entered.Load() == 0 || g.Busy() {
		t.Fatalf("entered %d, busy %v", entered.Load(), g.Busy())
	}
}
