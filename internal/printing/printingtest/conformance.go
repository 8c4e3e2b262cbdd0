// Package printingtest checks that a printer does what printing.Printer asks.
// Every driver runs it against itself.
package printingtest

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// A Device is a printer under test with its hardware in the test's hands. What
// is nil the hardware does not do; those tests are then skipped.
type Device struct {
	Printer printing.Printer
	Paper   receipt.Paper
	// Sheets are the papers printed by now, oldest first.
	Sheets func() []*receipt.Bitmap
	// Break brings the hardware into a state that it can report.
	Break func(printing.State)
	// RunOut makes the paper end in the middle of the next job. The state is
	// PaperOut from then on.
	RunOut func()
	// Stall makes the hardware take no more bytes, or take them again.
	Stall func(bool)
	// Away takes the hardware out of reach and brings it back.
	Away func(bool)
	// Rows, if set, is what the height of every paper is a multiple of; what is below the picture is white.
	Rows  int
	exact bool // time is the test's own, so what a wait takes can be held to its limit
}

// dead is what a printer that is not there may cost.
const dead = 5 * time.Second

// Conformance runs the checks, each on a new device and all at once: most of their time is waiting. How long they take
// depends on the machine, and is not looked at.
func Conformance(t *testing.T, open func(t *testing.T) Device) {
	run(t, func(t *testing.T, check func(*testing.T, Device)) { check(t, open(t)) })
}

// ConformanceInTime runs them each in a bubble (testing/synctest), for a device that is all in memory. The driver must have
// the patience that it has at work, for that is checked too.
func ConformanceInTime(t *testing.T, open func(t *testing.T) Device) {
	run(t, func(t *testing.T, check func(*testing.T, Device)) {
		synctest.Test(t, func(t *testing.T) {
			d := open(t)
			d.exact = true
			check(t, d)
		})
	})
}

func run(t *testing.T, with func(*testing.T, func(*testing.T, Device))) {
	var all sync.WaitGroup
	for name, check := range map[string]func(*testing.T, Device){
		"prints the page dot by dot":                  printsTheRaster,
		"prints an empty page":                        printsNothing,
		"keeps pictures of all jobs or of none":       keepsPictures,
		"prints a long page":                          printsLong,
		"prints a job of several papers":              printsSeveral,
		"opens a drawer without printing":             printsNoPaper,
		"refuses papers longer than the roll":         refusesTooLongTogether,
		"prints from several goroutines":              printsAtOnce,
		"gives up when the context has ended":         givesUp,
		"refuses a page longer than the roll":         refusesTooLong,
		"tells when paper ends in the middle":         runsOut,
		"waits for a printer that stalls":             waits,
		"gives up in the middle":                      givesUpStalled,
		"a dead printer costs little, and comes back": comesBack,
	} {
		all.Go(func() { t.Run(name, func(t *testing.T) { with(t, check) }) })
	}
	for _, state := range []printing.State{printing.PaperOut, printing.CoverOpen, printing.Offline} {
		all.Go(func() {
			t.Run("fails and recovers: "+string(state), func(t *testing.T) {
				with(t, func(t *testing.T, d Device) { failsAndRecovers(t, d, state) })
			})
		})
	}
	all.Wait()
}

func printsTheRaster(t *testing.T, d Device) {
	d.prints(t, everything())
	d.expect(t, everything())
	d.expectState(t, printing.OK)
}

// keepsPictures is for a printer that keeps them: what Jobs and Picture tell is what was printed. One of real paper has none.
func keepsPictures(t *testing.T, d Device) {
	before := time.Now().Add(-time.Millisecond)
	d.prints(t, everything())
	d.prints(t, long())
	jobs, sheets := d.Printer.Jobs(), d.Sheets()
	if len(jobs) != 0 && len(jobs) != len(sheets) {
		t.Fatalf("%d jobs kept of %d printed", len(jobs), len(sheets))
	}
	for i, job := range jobs {
		if n := len(jobs) - i; job.N != n || job.Width != sheets[n-1].Width || job.Height != sheets[n-1].Height || job.Kind != printing.Text {
			t.Errorf("job %d is %+v, its paper %d x %d dots", n, job, sheets[n-1].Width, sheets[n-1].Height)
		}
		if job.CreatedAt.Before(before) || job.CreatedAt.After(time.Now()) {
			t.Errorf("job %d was printed at %v", job.N, job.CreatedAt)
		}
		picture, err := d.Printer.Picture(job.N)
		if err != nil {
			t.Fatal(err)
		}
		if size, err := png.DecodeConfig(bytes.NewReader(picture)); err != nil || size.Width != job.Width || size.Height != job.Height {
			t.Errorf("the picture of job %d is %d x %d: %v", job.N, size.Width, size.Height, err)
		}
	}
	for _, n := range []int{-1, 0, len(jobs) + 1} {
		if _, err := d.Printer.Picture(n); !errors.Is(err, printing.ErrNoJob) {
			t.Errorf("the picture of job %d: %v, want ErrNoJob", n, err)
		}
	}
}

func printsNothing(t *testing.T, d Device) {
	d.prints(t, printing.OnePage(printing.Text, receipt.Page{}))
	if n := len(d.Sheets()); n != 1 {
		t.Errorf("%d jobs on paper, want 1", n)
	}
}

func printsLong(t *testing.T, d Device) {
	d.prints(t, long())
	d.prints(t, everything())
	d.expect(t, long(), everything())
}

// printsSeveral prints a job of three papers and one of one.
func printsSeveral(t *testing.T, d Device) {
	several := everything()
	several.Pages = append(several.Pages, everything().Pages[0], long().Pages[0])
	several.Pages[1].FullCut = true
	several.Drawers = []int{1, 2}
	d.prints(t, several)
	d.prints(t, everything())
	d.expect(t, several, everything())
}

func printsNoPaper(t *testing.T, d Device) {
	d.prints(t, printing.Job{Kind: printing.ACBr, Drawers: []int{2}})
	d.expect(t)
	d.prints(t, everything())
	d.expect(t, everything())
}

func refusesTooLongTogether(t *testing.T, d Device) {
	var page receipt.Page
	for range 500 {
		page.Add(receipt.Blank{Size: receipt.MaxSize})
	}
	job := printing.Job{Kind: printing.ACBr, Pages: []receipt.Page{page, page}}
	if err := d.Printer.Print(t.Context(), job); !errors.Is(err, receipt.ErrTooLong) {
		t.Errorf("got %v, want receipt.ErrTooLong", err)
	}
	d.expect(t)
}

func printsAtOnce(t *testing.T, d Device) {
	const jobs = 8
	want := make([]printing.Job, jobs)
	var all sync.WaitGroup
	for i := range want {
		want[i] = everything()
		all.Go(func() {
			if err := d.Printer.Print(t.Context(), everything()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	d.expect(t, want...)
}

func givesUp(t *testing.T, d Device) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Printer.Print(ctx, everything()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	d.expect(t)
}

func refusesTooLong(t *testing.T, d Device) {
	var page receipt.Page
	for range 2000 {
		page.Add(receipt.Blank{Size: receipt.MaxSize})
	}
	if err := d.Printer.Print(t.Context(), printing.OnePage(printing.Text, page)); !errors.Is(err, receipt.ErrTooLong) {
		t.Errorf("got %v, want receipt.ErrTooLong", err)
	}
	d.expect(t)
}

func failsAndRecovers(t *testing.T, d Device, state printing.State) {
	if d.Break == nil {
		t.Skip("the device can't report its state")
	}
	d.Break(state)
	d.fails(t, everything(), state.Err())
	d.expectState(t, state)
	d.expect(t)
	d.Break(printing.OK)
	d.prints(t, everything())
	d.expectState(t, printing.OK)
	d.expect(t, everything())
}

func runsOut(t *testing.T, d Device) {
	if d.RunOut == nil {
		t.Skip("the paper of the device does not end")
	}
	d.RunOut()
	d.fails(t, long(), printing.ErrPaperOut)
	d.expectState(t, printing.PaperOut)
	d.expect(t)
	d.fails(t, everything(), printing.ErrPaperOut)
	d.Break(printing.OK)
	d.prints(t, everything())
	d.expect(t, everything())
}

func waits(t *testing.T, d Device) {
	if d.Stall == nil {
		t.Skip("the device does not stall")
	}
	d.Stall(true)
	defer time.AfterFunc(800*time.Millisecond, func() { d.Stall(false) }).Stop()
	d.prints(t, long())
	d.expect(t, long())
}

func givesUpStalled(t *testing.T, d Device) {
	if d.Stall == nil {
		t.Skip("the device does not stall")
	}
	d.Stall(true)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	started := time.Now()
	if err := d.Printer.Print(ctx, long()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want context.DeadlineExceeded", err)
	}
	if took := time.Since(started); d.exact && took > 2*time.Second {
		t.Errorf("giving up took %v", took)
	}
	// What its caller was told had failed must not print later.
	d.Stall(false)
	d.prints(t, everything())
	d.expect(t, everything())
}

func comesBack(t *testing.T, d Device) {
	if d.Away == nil {
		t.Skip("the device is always there")
	}
	d.prints(t, everything())
	d.expect(t, everything()) // what it has not read yet would be lost with it
	d.Away(true)
	started := time.Now()
	d.fails(t, everything(), printing.ErrOffline)
	if took := time.Since(started); d.exact && took > dead {
		t.Errorf("a dead printer cost %v", took)
	}
	d.expectState(t, printing.Offline)
	d.Away(false)
	d.prints(t, everything())
	d.expect(t, everything(), everything())
}

func (d Device) prints(t *testing.T, job printing.Job) {
	t.Helper()
	if err := d.Printer.Print(t.Context(), job); err != nil {
		t.Errorf("printing: %v", err)
	}
}

func (d Device) fails(t *testing.T, job printing.Job, want error) {
	t.Helper()
	if err := d.Printer.Print(t.Context(), job); !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

func (d Device) expectState(t *testing.T, want printing.State) {
	t.Helper()
	if state := d.Printer.State(); state != want && (d.Break != nil || state != printing.Unknown) {
		t.Errorf("the printer is %s, want %s", state, want)
	}
}

// expect wants exactly these jobs on paper, each dot by dot.
func (d Device) expect(t *testing.T, jobs ...printing.Job) {
	t.Helper()
	sheets := d.Sheets()
	var pages []receipt.Page
	for _, job := range jobs {
		pages = append(pages, job.Pages...)
	}
	if len(sheets) != len(pages) {
		t.Fatalf("%d papers, want %d", len(sheets), len(pages))
	}
	for i, page := range pages {
		want, err := page.Raster(d.Paper)
		if err != nil {
			t.Fatal(err)
		}
		for d.Rows > 0 && want.Height%d.Rows != 0 {
			want.Height++
			want.Bits = append(want.Bits, make([]byte, want.Stride())...)
		}
		if got := sheets[i]; got.Width != want.Width || got.Height != want.Height || !bytes.Equal(got.Bits, want.Bits) {
			t.Errorf("paper %d is not the picture it should be: %d x %d dots, want %d x %d", i+1, got.Width, got.Height, want.Width, want.Height)
		}
	}
}

func everything() printing.Job {
	var page receipt.Page
	page.Add(
		receipt.Text{Value: "Padaria São João", Bold: true, Align: receipt.Center},
		receipt.Rule{},
		receipt.Pair{Left: "Pão de queijo", Right: "7,50"},
		receipt.Blank{},
		receipt.Image{Picture: image.NewGray(image.Rect(0, 0, 50, 50))},
	)
	return printing.OnePage(printing.Text, page)
}

// long is more than what lines and printers hold in their buffers: an item list,
// and a picture without a white margin to save.
func long() printing.Job {
	job := everything()
	for range 100 {
		job.Pages[0].Add(receipt.Pair{Left: "Pão francês", Right: "0,90"})
	}
	for range 4 {
		job.Pages[0].Add(receipt.Image{Picture: image.NewGray(image.Rect(0, 0, 384, 1000))})
	}
	return job
}
