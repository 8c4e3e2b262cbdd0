//go:build !race || everything

package printer_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/printing/printingtest"
)

// Printers of other languages do all that one of ESC/POS does: paper, states, stalls, jobs that break off.
func TestDialectsConformInTime(t *testing.T) {
	for name, c := range map[string]struct {
		dialect  escpos.Dialect
		language escpostest.Language
		mute     bool
	}{
		"bematech": {escpos.Bematech, escpostest.Bematech, false}, "bematech, mute": {escpos.Bematech, escpostest.Bematech, true},
		"bema": {escpos.Bema, escpostest.Bematech, false}, "daruma": {escpos.Daruma, escpostest.Daruma, false},
		"daruma, mute": {escpos.Daruma, escpostest.Daruma, true}, "column": {escpos.Column, escpostest.Custom, false},
		"weak": {escpos.Weak, escpostest.Epson, true}, "elgin": {escpos.Elgin, escpostest.Epson, false}, "esc m": {escpos.Direct, escpostest.Epson, false},
	} {
		for _, oneWire := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				printingtest.ConformanceInTime(t, func(t *testing.T) printingtest.Device {
					o := usual
					o.Dialect = c.dialect
					w := wireOf(t, o, c.language, oneWire)
					d := device(w.Thermal, w.fake, c.mute)
					if c.dialect.Image != escpos.Raster {
						d.Rows = c.dialect.Rows
					}
					w.AtWork()
					stall := d.Stall
					d.Stall = func(s bool) { stall(s); w.AtWork() }
					d.Away = func(away bool) { w.away = away }
					return d
				})
			})
		}
	}
}

// A printer that is known by what it says is spoken to in its language; what it is told otherwise counts more.
func TestAPrinterThatSaysWhatItIs(t *testing.T) {
	for _, c := range []struct {
		says     string
		told     escpos.Dialect
		language escpostest.Language
		want     error
	}{
		{says: "Daruma DR800", language: escpostest.Daruma},
		{says: "MP-4200 TH", language: escpostest.Bematech},
		{says: "MP-4200 TH", told: escpos.Bema, language: escpostest.Bematech},
		{says: "nobody knows", language: escpostest.Epson},
		{says: "ELGIN L42", language: escpostest.Epson, want: printer.ErrLabels},
		{says: "ELGIN L42", told: escpos.ESCPOS, language: escpostest.Epson},
	} {
		synctest.Test(t, func(t *testing.T) {
			o := usual
			o.Dialect = c.told
			w := wireOf(t, o, c.language, false)
			w.says = escpos.Identity{Text: c.says}
			if err := w.Print(t.Context(), text(2)); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", c.says, err, c.want)
			}
			if n := len(w.fake.Sheets()); n != 1 && c.want == nil || n != 0 && c.want != nil {
				t.Errorf("%s: %d sheets", c.says, n)
			}
		})
	}
}

// Some do not answer the first question, and are well or not all the same.
func TestAPrinterThatWakesUpLate(t *testing.T) {
	for state, status := range statuses {
		synctest.Test(t, func(t *testing.T) {
			w := wire(t, false)
			w.fake.Set(escpostest.Whims{Drowsy: true})
			w.fake.SetStatus(status)
			started := time.Now()
			if c, err := w.Look(t.Context()); !c.Reports && state != printing.Offline || !errors.Is(err, state.Err()) && state != printing.Offline {
				t.Errorf("%s: %+v, %v", state, c, err)
			}
			if took := time.Since(started); took > 2*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func wireOf(t *testing.T, o printer.Options, language escpostest.Language, oneWire bool) *wired {
	t.Helper()
	w := &wired{fake: escpostest.NewOf(language, 384)}
	var err error
	w.Thermal, err = printer.NewWired(o, oneWire, func(ctx context.Context) (net.Conn, escpos.Identity, error) {
		conn, err := w.dial(oneWire)
		return conn, w.says, err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.fake.Close()
		w.serving.Wait()
		if err := w.fake.Wrong(); err != nil {
			t.Errorf("the printer was sent what it does not know: %v", err)
		}
	})
	return w
}
