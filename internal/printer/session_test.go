package printer

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// port is a serial port as systems have them: it holds 4 KiB and takes more only
// once nearly all of that has gone.
type port struct {
	rate   int // bytes a second
	dies   int // takes no more after so many; 0 never
	taken  int
	held   int
	looked time.Time
}

func (p *port) drain() {
	gone := int(time.Since(p.looked).Seconds() * float64(p.rate))
	if gone == 0 {
		return
	}
	if gone = min(gone, p.held); p.dies > 0 {
		gone = min(gone, p.dies-(p.taken-p.held))
	}
	p.held -= gone
	p.looked = time.Now()
}

func (p *port) write(b []byte, within time.Duration) (int, error) {
	if p.drain(); p.held > 256 && p.held+len(b) > 4096 {
		time.Sleep(within)
		return 0, os.ErrDeadlineExceeded
	}
	n := min(len(b), 4096-p.held)
	p.held += n
	p.taken += n
	return n, nil
}

func (p *port) unsent() int                           { p.drain(); return p.held }
func (*port) read([]byte, time.Duration) (int, error) { return 0, errMute }
func (*port) close() error                            { return nil }
func (*port) drop()                                   {}

func coupon() printing.Job {
	bitmap := receipt.Page{}
	for range 20 {
		bitmap.Add(receipt.Text{Value: "Pão de queijo", Size: 12, Bold: true})
	}
	return printing.OnePage(printing.Text, bitmap)
}

func TestASlowPrinterIsNotADeadOne(t *testing.T) {
	for _, rate := range []int{300, 500, 960} {
		synctest.Test(t, func(t *testing.T) {
			p := &port{rate: rate, looked: time.Now()}
			thermal, err := newThermal(Options{Paper: receipt.Paper58, Cut: true}, func(context.Context) (line, error) { return p, nil })
			if err != nil {
				t.Fatal(err)
			}
			started := time.Now()
			if err := thermal.Print(t.Context(), coupon()); err != nil {
				t.Errorf("at %d bytes a second: %v after %v", rate, err, time.Since(started))
			}
			if took := time.Since(started); took < 10*time.Second {
				t.Errorf("%d bytes went in %v: no slow printer", p.taken, took)
			}
		})
	}
}

func TestASlowPrinterThatDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &port{rate: 500, dies: 5000, looked: time.Now()}
		thermal, err := newThermal(Options{Paper: receipt.Paper58, Cut: true}, func(context.Context) (line, error) { return p, nil })
		if err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		if err := thermal.Print(t.Context(), coupon()); !errors.Is(err, printing.ErrOffline) {
			t.Errorf("got %v, want ErrOffline", err)
		}
		if took := time.Since(started); took < 13*time.Second || took > 45*time.Second {
			t.Errorf("it was waited for until %v; it died after 10 s", took)
		}
	})
}
