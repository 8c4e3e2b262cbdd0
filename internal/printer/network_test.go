package printer_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/printing/printingtest"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var usual = printer.Options{Paper: receipt.Paper58, Cut: true, Feed: 3}

// a moment is waited for what never comes: however slow the machine is, the outcome is the same.
const moment = 300 * time.Millisecond

func network(t *testing.T, address string, o printer.Options) *printer.Thermal {
	t.Helper()
	p, err := printer.NewNetwork(address, o)
	if err != nil {
		t.Fatal(err)
	}
	patient(p, false)
	return p
}

// patient has the driver wait for as long as a busy machine takes; only one who is mute is not waited for to answer. What
// is waited for at work, bubble_test.go has to the millisecond.
func patient(p *printer.Thermal, mute bool) {
	if mute {
		p.SetPace(waittest.Limit, moment)
	} else {
		p.SetPace(waittest.Limit, waittest.Limit)
	}
}

// statuses are the states as a printer reports them.
var statuses = map[printing.State]escpos.Status{
	printing.OK: 0, printing.PaperOut: escpos.PaperOut, printing.CoverOpen: escpos.CoverOpen, printing.Offline: escpos.Offline,
}

// device is a fake printer in the hands of the conformance test.
// machine is a printer of the tests.
type machine interface {
	Set(escpostest.Whims)
	SetStatus(escpos.Status)
	Sheets() []*receipt.Bitmap
}

func device(p *printer.Thermal, fake machine, mute bool) printingtest.Device {
	fake.Set(escpostest.Whims{Mute: mute})
	patient(p, mute)
	d := printingtest.Device{
		Printer: p, Paper: receipt.Paper58, Sheets: fake.Sheets,
		Stall: func(stall bool) {
			whims := escpostest.Whims{Mute: mute}
			if stall {
				whims.Stall = 1000
				patient(p, true) // a job cut short may leave it deaf for a moment
			}
			fake.Set(whims)
			if !stall {
				fake.Sheets() // what was on its way has come
			}
		},
	}
	if !mute {
		d.Break = func(s printing.State) {
			fake.Set(escpostest.Whims{})
			fake.SetStatus(statuses[s])
		}
		d.RunOut = func() { fake.Set(escpostest.Whims{RunOut: 5000}) }
	}
	return d
}

func TestNetworkConforms(t *testing.T) {
	for name, mute := range map[string]bool{"reports": false, "can't report": true} {
		t.Run(name, func(t *testing.T) {
			printingtest.Conformance(t, func(t *testing.T) printingtest.Device {
				fake := escpostest.Listen(t, 384)
				d := device(network(t, fake.Address, usual), fake, mute)
				d.Away = func(away bool) {
					if away {
						fake.Unplug()
					} else {
						fake.Plug(t)
					}
				}
				return d
			})
		})
	}
}

func text(lines int) printing.Job {
	page := receipt.Page{}
	for range lines {
		page.Add(receipt.Text{Value: strings.Repeat("Pão de queijo ", 5), Size: 12})
	}
	return printing.OnePage(printing.Text, page)
}

func TestAPrinterWithWhims(t *testing.T) {
	for name, whims := range map[string]escpostest.Whims{
		"a byte at a time":          {Gulp: 1},
		"slow":                      {Gulp: 500, Rest: 5 * time.Millisecond},
		"mute and a byte at a time": {Gulp: 1, Mute: true},
		"talks unasked":             {Chatter: []byte{0x13, 0x11, 0x14, 0, 0, 0x0f}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := escpostest.Listen(t, 384)
			fake.Set(whims)
			p := network(t, fake.Address, usual)
			patient(p, whims.Mute)
			if err := p.Print(t.Context(), text(20)); err != nil {
				t.Fatal(err)
			}
			want, err := text(20).Pages[0].Raster(receipt.Paper58)
			if err != nil {
				t.Fatal(err)
			}
			if sheets := fake.Sheets(); len(sheets) != 1 || string(sheets[0].Bits) != string(want.Bits) {
				t.Errorf("%d sheets, or another picture", len(sheets))
			}
		})
	}
}

// A printer that breaks in the middle is a failure whatever way it breaks, and nothing of the job prints later. How soon, and
// the one that only no longer answers, are in bubble_test.go.
func TestAPrinterThatBreaksInTheMiddle(t *testing.T) {
	for name, whims := range map[string]escpostest.Whims{
		"hangs up":                  {HangUp: 20_000},
		"hangs up, mute":            {HangUp: 20_000, Mute: true},
		"hangs up at once":          {HangUp: 1},
		"stalls":                    {Stall: 20_000},
		"stalls, mute":              {Stall: 20_000, Mute: true},
		"stalls before anything":    {Stall: 1},
		"takes nothing, not a byte": {Stall: 1, Mute: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := escpostest.Listen(t, 384)
			fake.Set(whims)
			p := network(t, fake.Address, usual)
			patient(p, whims.Mute)
			if whims.Stall > 0 {
				p.SetPace(3*moment, moment)
			}
			if err := p.Print(t.Context(), text(700)); !errors.Is(err, printing.ErrOffline) {
				t.Errorf("got %v, want ErrOffline", err)
			}
			fake.Set(escpostest.Whims{})
			if n := len(fake.Sheets()); n != 0 {
				t.Errorf("%d sheets of a job that failed", n)
			}
			patient(p, false)
			if err := p.Print(t.Context(), text(1)); err != nil {
				t.Errorf("after it came back: %v", err)
			}
			if n := len(fake.Sheets()); n != 1 {
				t.Errorf("%d sheets after it came back, want one", n)
			}
		})
	}
}

func TestAHostThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	// A listener that nobody asks for connections takes bytes until it is full, and answers nobody.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p := network(t, listener.Addr().String(), usual)
	p.SetPace(3*moment, moment)
	if err := p.Print(t.Context(), text(700)); !errors.Is(err, printing.ErrOffline) {
		t.Errorf("got %v, want ErrOffline", err)
	}
	patient(p, false)
	ctx, cancel := context.WithTimeout(t.Context(), moment)
	defer cancel()
	if err := p.Print(ctx, text(700)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the end of the context", err)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		o             printer.Options
		kind          printing.Kind
		sheets, kicks int
	}{
		{"one copy", usual, printing.Text, 1, 0},
		{"copies", printer.Options{Paper: receipt.Paper58, Cut: true, Copies: 3}, printing.Text, 3, 0},
		{"drawer, once", printer.Options{Paper: receipt.Paper58, Cut: true, Copies: 2, Drawer: true}, printing.Text, 2, 1},
		{"no knife", printer.Options{Paper: receipt.Paper58, Feed: 5}, printing.Text, 0, 0},
		{"receipt", printer.Options{Paper: receipt.Paper58, Cut: true, Copies: 3, Drawer: true}, printing.Receipt, 1, 0},
	} {
		fake := escpostest.Listen(t, 384)
		job := text(3)
		job.Kind = c.kind
		if err := network(t, fake.Address, c.o).Print(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if n := len(fake.Sheets()); n != c.sheets {
			t.Errorf("%s: %d sheets, want %d", c.name, n, c.sheets)
		}
		fake.Look(func(m *escpostest.Machine, all []byte) {
			if m.Kicks != c.kicks {
				t.Errorf("%s: %d kicks, want %d", c.name, m.Kicks, c.kicks)
			}
			if c.kicks > 0 && strings.Index(string(all), "\x1bp") > strings.Index(string(all), "\x1dv0") {
				t.Errorf("%s: the drawer opens after the print", c.name)
			}
			if !c.o.Cut && (m.Fed != 5 || m.Paper().Height == 0) {
				t.Errorf("%s: fed %d lines after %d rows", c.name, m.Fed, m.Paper().Height)
			}
		})
	}
	if _, err := printer.NewNetwork("127.0.0.1:9100", printer.Options{}); err == nil {
		t.Error("paper without width was accepted")
	}
}

func TestPaperMovesWhileTheRestIsDrawn(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 384)
	fake.Set(escpostest.Whims{Stall: 20_000}) // it has the first rows and takes no more for now
	done := make(chan error, 1)
	go func() { done <- network(t, fake.Address, usual).Print(t.Context(), text(700)) }()
	waittest.Until(t, "there are rows on paper", func() (taken bool) {
		fake.Look(func(m *escpostest.Machine, _ []byte) { taken = m.Paper().Height > 0 })
		return taken
	})
	fake.Look(func(m *escpostest.Machine, all []byte) {
		if h := m.Paper().Height; h == 0 || len(all) > 200_000 {
			t.Errorf("%d rows on paper after %d bytes", h, len(all))
		}
	})
	fake.Set(escpostest.Whims{})
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if n := len(fake.Sheets()); n != 1 {
		t.Errorf("%d sheets", n)
	}
}

func TestStateIsUnknownUntilSomebodyPrints(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 384)
	p := network(t, fake.Address, usual)
	if state := p.State(); state != printing.Unknown {
		t.Errorf("before the first job the state is %s", state)
	}
	fake.SetStatus(escpos.NearEnd)
	if err := p.Print(t.Context(), text(1)); err != nil {
		t.Errorf("paper near its end: %v", err)
	}
	if state := p.State(); state != printing.OK {
		t.Errorf("state %q", state)
	}
	fake.SetStatus(escpos.Failing)
	if err := p.Print(t.Context(), text(1)); !errors.Is(err, printing.ErrOffline) || !strings.Contains(err.Error(), "error") {
		t.Errorf("an error of the printer: %v", err)
	}
	fake.SetStatus(0)
	fake.Set(escpostest.Whims{Mute: true})
	patient(p, true)
	if err := p.Print(t.Context(), text(1)); err != nil {
		t.Fatal(err)
	}
	if state := p.State(); state != printing.Unknown {
		t.Errorf("a mute printer is %s", state)
	}
}
