//go:build !race || everything

package printer_test

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/printing/printingtest"
	"github.com/maquininha/maquininha/internal/receipt"
)

// wired is a printer in memory with the driver as it is at work: in a bubble its patience can be held to the millisecond.
type wired struct {
	*printer.Thermal
	fake *escpostest.Printer
	slow time.Duration // to be reached
	away bool
	says escpos.Identity // of what it is

	serving sync.WaitGroup
}

func wire(t *testing.T, oneWire bool) *wired {
	t.Helper()
	return wireOf(t, usual, escpostest.Epson, oneWire)
}

func (w *wired) dial(oneWire bool) (net.Conn, error) {
	time.Sleep(w.slow)
	if w.away {
		return nil, errors.New("refused")
	}
	here, there := net.Pipe()
	said := make(chan []byte, 1000) // a printer does not wait for who reads its answers
	w.serving.Go(func() {
		defer there.Close()
		defer close(said)
		w.fake.Serve(talking{there, said}, oneWire)
	})
	w.serving.Go(func() {
		for answer := range said {
			_, _ = there.Write(answer)
		}
	})
	return here, nil
}

type talking struct {
	net.Conn
	said chan<- []byte
}

func (t talking) Write(p []byte) (int, error) {
	t.said <- slices.Clone(p)
	return len(p), nil
}

func TestConformsInTime(t *testing.T) {
	for name, c := range map[string]struct{ mute, oneWire bool }{
		"reports": {false, false}, "can't report": {true, false}, "one wire": {false, true}, "one wire, can't report": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			printingtest.ConformanceInTime(t, func(t *testing.T) printingtest.Device {
				w := wire(t, c.oneWire)
				d := device(w.Thermal, w.fake, c.mute)
				w.AtWork()
				stall := d.Stall
				d.Stall = func(s bool) { stall(s); w.AtWork() }
				d.Away = func(away bool) { w.away = away }
				return d
			})
		})
	}
}

// A dead printer may cost five seconds in all, whatever way it is dead, and nothing of the job prints later.
func TestADeadPrinterCostsLittle(t *testing.T) {
	for name, c := range map[string]struct {
		whims escpostest.Whims
		slow  time.Duration
	}{
		"hangs up":                  {whims: escpostest.Whims{HangUp: 20_000}},
		"hangs up, mute":            {whims: escpostest.Whims{HangUp: 20_000, Mute: true}},
		"hangs up at once":          {whims: escpostest.Whims{HangUp: 1}},
		"stalls":                    {whims: escpostest.Whims{Stall: 20_000}},
		"stalls, mute":              {whims: escpostest.Whims{Stall: 20_000, Mute: true}},
		"stalls before anything":    {whims: escpostest.Whims{Stall: 1}},
		"takes nothing, not a byte": {whims: escpostest.Whims{Stall: 1, Mute: true}},
		"no longer answers":         {whims: escpostest.Whims{Silent: 20_000}},
		"is hard to reach":          {whims: escpostest.Whims{Stall: 1}, slow: printer.DialTime},
		"can't be reached":          {slow: printer.DialTime},
	} {
		for _, oneWire := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := wire(t, oneWire)
					w.fake.Set(c.whims)
					w.slow, w.away = c.slow, c.whims.Stall == 0 && c.slow > 0
					started := time.Now()
					if err := w.Print(t.Context(), text(100)); !errors.Is(err, printing.ErrOffline) {
						t.Errorf("got %v, want ErrOffline", err)
					}
					most := 5 * time.Second
					if !w.away {
						most += c.slow // once reached it has the patience of every other
					}
					if took := time.Since(started); took > most {
						t.Errorf("it cost %v", took)
					}
					w.fake.Set(escpostest.Whims{})
					w.slow, w.away = 0, false
					before := len(w.fake.Sheets())
					if before != 0 && c.whims.Silent == 0 {
						t.Errorf("%d sheets of a job that failed", before)
					}
					if err := w.Print(t.Context(), text(2)); err != nil {
						t.Errorf("after it came back: %v", err)
					}
					want, err := text(2).Pages[0].Raster(receipt.Paper58)
					if err != nil {
						t.Fatal(err)
					}
					if sheets := w.fake.Sheets(); len(sheets) != before+1 || string(sheets[before].Bits) != string(want.Bits) {
						t.Errorf("%d sheets after it came back, want one more than %d, or another picture", len(sheets), before)
					}
				})
			})
		}
	}
}

// All jobs go down one wire: wherever one broke off, in a command's first bytes too, the next prints.
func TestAJobBrokenOffAnywhere(t *testing.T) {
	const begins, ends = 64, 24 // its first raster's header and dots, its last dots, the feed and the cut
	for name, c := range map[string]struct{ mute, restart bool }{
		"reports": {false, false}, "can't report": {true, false}, "reports, after a restart": {false, true}, "can't report, after a restart": {true, true},
	} {
		whole := bytesOf(t, text(2), c.mute)
		for at := 1; at < whole; at++ {
			if at == begins {
				at = whole - ends
			}
			t.Run(fmt.Sprintf("%s, byte %d", name, at), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { printAfterACut(t, at, c.mute, c.restart) })
			})
		}
	}
}

// bytesOf is how many bytes a job is that follows a whole one.
func bytesOf(t *testing.T, job printing.Job, mute bool) (length int) {
	synctest.Test(t, func(t *testing.T) {
		w := wire(t, true)
		w.fake.Set(escpostest.Whims{Mute: mute})
		for range 2 {
			before := length
			if err := w.Print(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			w.fake.Sheets()
			w.fake.Look(func(_ *escpostest.Machine, all []byte) { length = len(all) - before })
		}
	})
	return length
}

func printAfterACut(t *testing.T, at int, mute, restart bool) {
	w := wire(t, true)
	w.fake.Set(escpostest.Whims{Mute: mute})
	if err := w.Print(t.Context(), text(1)); err != nil {
		t.Fatal(err)
	}
	w.fake.Sheets()
	w.fake.Set(escpostest.Whims{Mute: mute, Stall: at})
	if err := w.Print(t.Context(), text(2)); !errors.Is(err, printing.ErrOffline) {
		t.Fatalf("the printer took %d bytes: %v, want ErrOffline", at, err)
	}
	w.fake.Set(escpostest.Whims{Mute: mute})
	before := len(w.fake.Sheets())
	if restart {
		w.Restart()
	}
	if err := w.Print(t.Context(), text(3)); err != nil {
		t.Fatal(err)
	}
	want, err := text(3).Pages[0].Raster(receipt.Paper58)
	if err != nil {
		t.Fatal(err)
	}
	if sheets := w.fake.Sheets(); len(sheets) != before+1 || !strings.HasSuffix(string(sheets[before].Bits), string(want.Bits)) {
		t.Errorf("%d sheets after %d, or another picture", len(sheets), before)
	}
}
