package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/thorough"
)

// holds fails on whatever a campaign found that no busy machine explains.
func holds(t *testing.T, r *report) {
	t.Helper()
	var text strings.Builder
	r.print(&text)
	t.Logf("\n%s", &text)
	for _, f := range r.findings {
		if !f.ok && !f.noisy {
			t.Errorf("%s: %s, want %s", f.measure, f.value, f.goal)
		}
	}
}

// campaign is the real binary and a folder for its data.
func campaign(t *testing.T) (binary, dir string) {
	t.Helper()
	if _, err := rig.Measure(os.Getpid()); err != nil {
		t.Skip("a process cannot be looked at from outside here:", err)
	}
	return apptest.Program(t), t.TempDir()
}

func TestMain(m *testing.M) { os.Exit(apptest.WithProgram(m)) }

func TestNothingGrows(t *testing.T) {
	t.Parallel()
	binary, dir := campaign(t)
	r, err := runSoak(t.Context(), binary, dir, plan{
		// The pace is that of the callers: a service that is slower than they are is sent less.
		duration: 12 * time.Second, rate: 100,
		// Who is faster is not judged here.
		turn: time.Duration(thorough.Rounds(250, 1000)) * time.Millisecond,
		// Under traffic the service lets garbage lie up to a limit that seconds do not reach: what is held would not show.
		environment: []string{"GOGC=100"},
	})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, r)
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	binary, dir := campaign(t)
	l := wholeLoad
	l.items, l.sales = thorough.Rounds(1000, 3000), 1
	r, err := runLoad(t.Context(), binary, dir, l)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, r)
}

// What the runtime writes of its collections is read, among other lines.
func TestHeldMemoryIsRead(t *testing.T) {
	got := held("begun\ngc 7 @3.102s 1%: 0.01+1.2+0.003 ms clock, 0.02+0.1/1.1/0+0.006 ms cpu, 8->9->6 MB, 9 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)\ngc is fine\n")
	if len(got) != 1 || got[0] != (sample{3102 * time.Millisecond, 6}) {
		t.Error(got)
	}
}

// The judges must be able to find a service guilty.
func TestGrowthIsFound(t *testing.T) {
	p := plan{duration: 40 * time.Second}
	fresh := remains{Footprint: rig.Footprint{MiB: 30, PeakMiB: 31, Threads: 9, Handles: 20}, goroutines: 20}
	for i := range 40 {
		fresh.held = append(fresh.held, sample{time.Duration(i) * time.Second, float64(6 + i%3)})
	}
	verdict := func(spoil func(i int, f *rig.Footprint), end remains, took float64) (guilty []string) {
		samples := make([]glance, sampled)
		for i := range samples {
			samples[i] = glance{time.Duration(i+1) * p.duration / sampled, fresh.Footprint}
			spoil(i, &samples[i].Footprint)
		}
		answers := func(took float64) *tally {
			t := newTally()
			for range enough {
				t.answered("GET /status", time.Duration(took*float64(time.Millisecond)))
			}
			return t
		}
		for _, f := range judge(p, answers(1), [2]*tally{answers(took), answers(1)}, samples, end, fresh).findings {
			if !f.ok {
				guilty = append(guilty, f.measure)
			}
		}
		return guilty
	}
	still := func(int, *rig.Footprint) {}
	if guilty := verdict(still, fresh, 1.5); len(guilty) > 0 {
		t.Errorf("found where nothing grew: %v", guilty)
	}
	if guilty := verdict(func(i int, f *rig.Footprint) { f.MiB += float64(i%50) / 2 }, fresh, 1); len(guilty) > 0 {
		t.Errorf("ups and downs taken for growth: %v", guilty)
	}
	busier, fuller, larger := fresh, fresh, fresh
	busier.goroutines += 100
	larger.held = nil
	for i, h := range fresh.held {
		larger.held = append(larger.held, sample{h.at, h.value + float64(i)/3})
	}
	fuller.Handles += 100
	for want, guilty := range map[string][]string{
		"resident memory, MiB": verdict(func(i int, f *rig.Footprint) { f.MiB += float64(i) / 20 }, fresh, 1),
		"open files, first":    verdict(func(i int, f *rig.Footprint) { f.Handles += i / 20 }, fresh, 1),
		"threads":              verdict(func(i int, f *rig.Footprint) { f.Threads += i / 20 }, fresh, 1),
		"open files at rest":   verdict(still, fuller, 1),
		"goroutines at rest":   verdict(still, busier, 1),
		"memory held":          verdict(still, larger, 1),
		"routes slower":        verdict(still, fresh, 10),
	} {
		if len(guilty) != 1 || !strings.HasPrefix(guilty[0], want) {
			t.Errorf("%s grew, found %v", want, guilty)
		}
	}
}
