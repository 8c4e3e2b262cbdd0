package printer_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/printing/printingtest"
	"github.com/maquininha/maquininha/internal/receipt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var usual = printer.Options{Paper: receipt.Paper58, Cut: true, Feed: 3}

func network(t *testing.T, address string, o printer.Options) *printer.Thermal {
	t.Helper()
	p, err := printer.NewNetwork(address, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// statuses are the states as a printer reports them.
var statuses = map[printing.State]escpos.Status{
	printing.OK: 0, printing.PaperOut: escpos.PaperOut, printing.CoverOpen: escpos.CoverOpen, printing.Offline: escpos.Offline,
}

// device is a fake printer in the hands of the conformance test.
func device(p *printer.Thermal, fake *escpostest.Printer, mute bool) printingtest.Device {
	fake.Set(escpostest.Whims{Mute: mute})
	d := printingtest.Device{
		Printer: p, Paper: receipt.Paper58, Sheets: fake.Sheets, State: p.State,
		Stall: func(stall bool) {
			whims := escpostest.Whims{Mute: mute}
			if stall {
				whims.Stall = 1000
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
				d := device(network(t, fake.Address, usual), fake.Printer, mute)
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
	return printing.Job{Kind: printing.Text, Page: page}
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
			if err := network(t, fake.Address, usual).Print(t.Context(), text(20)); err != nil {
				t.Fatal(err)
			}
			want, err := text(20).Page.Raster(receipt.Paper58)
			if err != nil {
				t.Fatal(err)
			}
			if sheets := fake.Sheets(); len(sheets) != 1 || string(sheets[0].Bits) != string(want.Bits) {
				t.Errorf("%d sheets, or another picture", len(sheets))
			}
		})
	}
}

// A printer that breaks in the middle is a failure whatever way it breaks, within
// the time a dead one may cost, and nothing of the job prints later.
func TestAPrinterThatBreaksInTheMiddle(t *testing.T) {
	var all sync.WaitGroup // they wait, mostly
	for name, whims := range map[string]escpostest.Whims{
		"hangs up":                  {HangUp: 20_000},
		"hangs up, mute":            {HangUp: 20_000, Mute: true},
		"hangs up at once":          {HangUp: 1},
		"stalls":                    {Stall: 20_000},
		"stalls, mute":              {Stall: 20_000, Mute: true},
		"stalls before anything":    {Stall: 1},
		"no longer answers":         {Silent: 20_000},
		"takes nothing, not a byte": {Stall: 1, Mute: true},
	} {
		all.Go(func() {
			t.Run(name, func(t *testing.T) {
				fake := escpostest.Listen(t, 384)
				fake.Set(whims)
				p := network(t, fake.Address, usual)
				started := time.Now()
				if err := p.Print(t.Context(), text(700)); !errors.Is(err, printing.ErrOffline) {
					t.Errorf("got %v, want ErrOffline", err)
				}
				if took := time.Since(started); took > 5*time.Second {
					t.Errorf("it cost %v", took)
				}
				fake.Set(escpostest.Whims{})
				if n := len(fake.Sheets()); n != 0 && whims.Silent == 0 {
					t.Errorf("%d sheets of a job that failed", n)
				}
				before := len(fake.Sheets())
				if err := p.Print(t.Context(), text(1)); err != nil {
					t.Errorf("after it came back: %v", err)
				}
				if n := len(fake.Sheets()); n != before+1 {
					t.Errorf("%d sheets after it came back, want one more than %d", n, before)
				}
			})
		})
	}
	all.Wait()
}

func TestAHostThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	// A listener whose queue is full answers nobody, like a machine that is off.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p := network(t, listener.Addr().String(), usual)
	started := time.Now()
	if err := p.Print(t.Context(), text(700)); !errors.Is(err, printing.ErrOffline) {
		t.Errorf("got %v, want ErrOffline", err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it cost %v", took)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	started = time.Now()
	if err := p.Print(ctx, text(700)); !errors.Is(err, context.DeadlineExceeded) || time.Since(started) > 2*time.Second {
		t.Errorf("got %v after %v, want the end of the context", err, time.Since(started))
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
	fake.Set(escpostest.Whims{Stall: 200}) // it has the first rows and takes no more for now
	done := make(chan error, 1)
	go func() { done <- network(t, fake.Address, usual).Print(t.Context(), text(700)) }()
	deadline := time.Now().Add(10 * time.Second)
	for taken := 0; taken == 0 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		fake.Look(func(m *escpostest.Machine, _ []byte) { taken = m.Paper().Height })
	}
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
	if _, known := p.State(); known {
		t.Error("the state is known before the first job")
	}
	fake.SetStatus(escpos.NearEnd)
	if err := p.Print(t.Context(), text(1)); err != nil {
		t.Errorf("paper near its end: %v", err)
	}
	if state, known := p.State(); !known || state != printing.OK {
		t.Errorf("state %q, %v", state, known)
	}
	fake.SetStatus(escpos.Failing)
	if err := p.Print(t.Context(), text(1)); !errors.Is(err, printing.ErrOffline) || !strings.Contains(err.Error(), "error") {
		t.Errorf("an error of the printer: %v", err)
	}
	fake.SetStatus(0)
	fake.Set(escpostest.Whims{Mute: true})
	if err := p.Print(t.Context(), text(1)); err != nil {
		t.Fatal(err)
	}
	if state, known := p.State(); known {
		t.Errorf("a mute printer is %s", state)
	}
}
