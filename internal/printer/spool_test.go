package printer

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/printing/printingtest"
	"github.com/maquininha/maquininha/internal/receipt"
)

// desk is a spooler in memory, as those of systems are: it takes everything at once, prints when the printer takes it, and forgets what
// it has printed.
type desk struct {
	mu       sync.Mutex
	fake     *escpostest.Machine
	state    printing.State
	away     bool // the printer takes nothing, and nobody says so
	taken    bool // somebody takes jobs away
	deaf     error
	port     string
	model    string
	waiting  map[int][]byte
	last     int
	cancels  int
	refuses  error
	pretends spooled // of a job that waits
}

func newDesk() *desk {
	return &desk{fake: &escpostest.Machine{Width: 384}, waiting: map[int][]byte{}, state: printing.Unknown, pretends: jobPrinting}
}

func (d *desk) queue(context.Context, string) (Queue, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Queue{Name: "caixa", Model: d.model, State: d.state, Port: d.port, Why: "why"}, d.deaf
}

func (d *desk) send(_ context.Context, _ string, job []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	d.waiting[d.last] = job
	return d.last, d.refuses
}

func (d *desk) job(_ context.Context, _ string, id int) (spooled, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	job, waits := d.waiting[id]
	switch {
	case d.taken:
		delete(d.waiting, id)
		return jobLost, nil
	case waits && d.away:
		return d.pretends, nil
	case waits:
		delete(d.waiting, id)
		if _, err := d.fake.Write(job); err != nil {
			return 0, err
		}
	}
	return jobDone, nil
}

func (d *desk) cancel(_ context.Context, _ string, id int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cancels++
	delete(d.waiting, id)
	return nil
}

func (d *desk) sheets() []*receipt.Bitmap {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fake.Sheets
}

func deskPrinter(t *testing.T, d *desk) *Thermal {
	t.Helper()
	p, err := newQueued("caixa", d, Options{Paper: receipt.Paper58, Cut: true, Feed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestQueuesConformInTime(t *testing.T) {
	printingtest.ConformanceInTime(t, func(t *testing.T) printingtest.Device {
		d := newDesk()
		p := deskPrinter(t, d)
		p.queueWait = 4 * time.Second
		return printingtest.Device{
			Printer: p, Paper: receipt.Paper58, Sheets: d.sheets,
			Stall: func(stall bool) { d.mu.Lock(); defer d.mu.Unlock(); d.away = stall },
			Away:  func(away bool) { d.mu.Lock(); defer d.mu.Unlock(); d.away = away },
		}
	})
}

// What a queue says before a job is believed, and nothing is put into it.
func TestAQueueThatSaysWhatIsWrong(t *testing.T) {
	for _, state := range []printing.State{printing.PaperOut, printing.CoverOpen, printing.Offline} {
		d := newDesk()
		d.state = state
		p := deskPrinter(t, d)
		if err := p.Print(t.Context(), coupon()); !errors.Is(err, state.Err()) || p.State() != state || d.last != 0 {
			t.Errorf("%s: %v, %s, %d jobs", state, err, p.State(), d.last)
		}
		if _, err := p.Look(t.Context()); !errors.Is(err, state.Err()) {
			t.Errorf("%s, looked at: %v", state, err)
		}
	}
	d := newDesk()
	d.deaf = errors.New("nobody there")
	if err := deskPrinter(t, d).Print(t.Context(), coupon()); !errors.Is(err, printing.ErrOffline) {
		t.Error(err)
	}
}

// A job that does not leave the queue is taken out of it when its time is over: by its bytes, and more of it on a serial port.
func TestAJobThatStaysInTheQueue(t *testing.T) {
	for _, c := range []struct {
		port        string
		pretends    spooled
		least, most time.Duration
	}{
		{"usb://POS-80", jobPrinting, queueWait, queueWait + 2*time.Second},
		{"usb://POS-80", jobWaiting, queueWait, queueWait + time.Second},
		{"serial:/dev/ttyS0?baud=9600", jobPrinting, queueWait + 5*time.Second, 2 * time.Minute},
		{"COM3:", jobPrinting, queueWait + 5*time.Second, 2 * time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk()
			d.away, d.port, d.pretends = true, c.port, c.pretends
			p := deskPrinter(t, d)
			started := time.Now()
			if err := p.Print(t.Context(), coupon()); !errors.Is(err, printing.ErrOffline) || p.State() != printing.Offline {
				t.Errorf("%s: %v, %s", c.port, err, p.State())
			}
			if took := time.Since(started); took < c.least || took > c.most || d.cancels != 1 || len(d.waiting) != 0 {
				t.Errorf("%s: after %v, %d cancelled, %d wait", c.port, took, d.cancels, len(d.waiting))
			}
		})
	}
}

// Of a job that was sent nobody knows whether all of it arrived when the sending fails: it is taken away.
func TestAJobThatWasPerhapsSent(t *testing.T) {
	d := newDesk()
	d.refuses = errors.New("no answer")
	if err := deskPrinter(t, d).Print(t.Context(), coupon()); !errors.Is(err, d.refuses) || d.cancels != 1 || len(d.waiting) != 0 {
		t.Errorf("%v, %d cancelled, %d wait", err, d.cancels, len(d.waiting))
	}
}

func TestAJobThatSomebodyTakesAway(t *testing.T) {
	d := newDesk()
	d.taken = true
	if err := deskPrinter(t, d).Print(t.Context(), coupon()); !errors.Is(err, errTakenAway) || !errors.Is(err, printing.ErrOffline) {
		t.Error(err)
	}
}

// longest is the longest page that fits a roll.
func longest(paper receipt.Paper) (page receipt.Page) {
	for {
		more := page
		more.Add(receipt.Text{Value: strings.Repeat("Pão de queijo ", 500), Size: 12})
		if more.Check(paper) != nil {
			return page
		}
		page = more
	}
}

// Where nobody said which paper there is, it is that of the printer that is reached.
func TestPaperFollowsTheModelThatIsReached(t *testing.T) {
	for name, c := range map[string]struct {
		model string
		any   bool
		want  int
	}{
		"followed": {"POS-58 11.3.0.0", true, 384}, "given": {"POS-58 11.3.0.0", false, 576}, "unknown": {"Generic / Text Only", true, 576},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk()
				d.model, d.fake.Width = c.model, c.want
				p, err := newQueued("caixa", d, Options{Paper: receipt.Paper80, AnyPaper: c.any, Cut: true})
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Print(t.Context(), coupon()); err != nil {
					t.Fatal(err)
				}
				if sheets := d.sheets(); len(sheets) != 1 || sheets[0].Width != c.want {
					t.Errorf("%d sheets, the first %d dots wide", len(sheets), sheets[0].Width)
				}
				seen, err := p.Look(t.Context())
				if err != nil || seen.Follows != (c.model != "Generic / Text Only") {
					t.Errorf("%+v, %v", seen, err)
				}
				if err := p.Print(t.Context(), printing.OnePage(printing.Text, longest(receipt.Paper80))); errors.Is(err, receipt.ErrTooLong) != (c.want == 384) {
					t.Errorf("a page that is too long for narrow paper only: %v", err)
				}
			})
		})
	}
}
