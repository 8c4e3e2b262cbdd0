//go:build linux && (!race || everything)

package printer_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/printing/printingtest"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/waittest"
)

// terminal is a serial port: a printer at one end, the path of the other.
func terminal(t *testing.T, fake *escpostest.Printer) (path string) {
	t.Helper()
	_, path = bothEnds(t, fake)
	return path
}

// bothEnds is a serial port: the end that a printer reads, and the path of the other.
func bothEnds(t *testing.T, fake *escpostest.Printer) (master *os.File, path string) {
	t.Helper()
	master, path, err := rig.PseudoTerminal()
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	// Only once somebody was there does the other end know that nobody is.
	first, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	serve(t, fake, master)
	return master, path
}

func serve(t *testing.T, fake *escpostest.Printer, file *os.File) {
	stop := fake.ServeFile(file)
	t.Cleanup(func() {
		fake.Close()
		stop()
		if err := fake.Wrong(); err != nil {
			t.Errorf("the printer was sent what it does not know: %v", err)
		}
	})
}

func onFile(t *testing.T, path string, port printer.Serial) *printer.Thermal {
	t.Helper()
	p, err := printer.NewFile(path, port, usual)
	if err != nil {
		t.Fatal(err)
	}
	patient(p, false)
	return p
}

func TestSerialConforms(t *testing.T) {
	for name, mute := range map[string]bool{"reports": false, "can't report": true} {
		t.Run(name, func(t *testing.T) {
			printingtest.Conformance(t, func(t *testing.T) printingtest.Device {
				fake := escpostest.New(384)
				return device(onFile(t, terminal(t, fake), printer.Serial{Baud: 115200}), fake, mute)
			})
		})
	}
}

// A pipe can't report, and is away while nobody reads it.
func TestPipeConforms(t *testing.T) {
	printingtest.Conformance(t, func(t *testing.T) printingtest.Device {
		path := filepath.Join(t.TempDir(), "lp0")
		if err := unix.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		fake := escpostest.New(384)
		plug := func() (unplug func()) {
			reader, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			return fake.ServeFile(reader)
		}
		unplug := plug()
		t.Cleanup(func() {
			fake.Close()
			unplug()
			if err := fake.Wrong(); err != nil {
				t.Errorf("the printer was sent what it does not know: %v", err)
			}
		})
		d := device(onFile(t, path, printer.Serial{}), fake, true)
		d.Away = func(away bool) {
			if !away {
				unplug = plug()
				return
			}
			fake.Sheets() // a pipe takes what nobody has read yet
			unplug()
			unplug = func() {}
		}
		return d
	})
}

func TestSerialPortIsSet(t *testing.T) {
	for baud, hardware := range map[int]bool{9600: false, 38400: true, 250_000: false} {
		fake := escpostest.New(384)
		path := terminal(t, fake)
		other, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0) // keeps the settings to look at
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		if err := onFile(t, path, printer.Serial{Baud: baud, Hardware: hardware}).Print(t.Context(), text(2)); err != nil {
			t.Fatal(err)
		}
		settings, err := unix.IoctlGetTermios(int(other.Fd()), unix.TCGETS2)
		if err != nil {
			t.Fatal(err)
		}
		if settings.Ospeed != uint32(baud) || settings.Ispeed != uint32(baud) {
			t.Errorf("baud %d, %d, want %d", settings.Ospeed, settings.Ispeed, baud)
		}
		if settings.Oflag&unix.OPOST != 0 || settings.Lflag&(unix.ICANON|unix.ECHO) != 0 {
			t.Error("the port changes the bytes")
		}
		if (settings.Cflag&unix.CRTSCTS != 0) != hardware || (settings.Iflag&unix.IXON != 0) == hardware {
			t.Errorf("hardware flow control %v: flags %x %x", hardware, settings.Cflag, settings.Iflag)
		}
	}
}

func TestWhatIsNoDeviceIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cupons.bin")
	p := onFile(t, path, printer.Serial{})
	if err := p.Print(t.Context(), text(1)); !errors.Is(err, printing.ErrOffline) || !strings.Contains(err.Error(), path) {
		t.Errorf("without a file: %v, want ErrOffline with the path", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file was made in the place of a device")
	}
	const mine = "meu texto"
	if err := os.WriteFile(path, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "lp0")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, no := range []string{path, link, t.TempDir()} {
		err := onFile(t, no, printer.Serial{}).Print(t.Context(), text(1))
		if !errors.Is(err, printing.ErrOffline) || !errors.Is(err, printer.ErrNoDevice) || !strings.Contains(err.Error(), no) {
			t.Errorf("%s: %v, want ErrOffline, ErrNoDevice and the path", no, err)
		}
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != mine {
		t.Errorf("the file now holds %d bytes, %v", len(data), err)
	}
	full := onFile(t, "/dev/full", printer.Serial{})
	patient(full, true)
	if err := full.Print(t.Context(), text(1)); !errors.Is(err, printing.ErrOffline) {
		t.Errorf("a full device: %v, want ErrOffline", err)
	}
}

// All jobs go down one wire: the next must not be taken for the rest of a raster. Nobody remembers over a restart that a job
// broke off, and the printer still waits for the rest.
func TestAJobAfterABrokenOneOnTheSameWire(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ mute, restart bool }{
		"reports": {false, false}, "can't report": {true, false}, "reports, after a restart": {false, true}, "can't report, after a restart": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			fake := escpostest.New(384)
			printersEnd, path := bothEnds(t, fake)
			const at = 7001 // in the middle of a raster, whatever goes before the job
			fake.Set(escpostest.Whims{Stall: at, Mute: c.mute})
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan error, 1)
			p := onFile(t, path, printer.Serial{})
			patient(p, true) // it is deaf in the middle of a raster
			go func() { done <- p.Print(ctx, text(300)) }()
			waittest.Until(t, "the printer has a part of the job", func() (taken bool) {
				fake.Look(func(_ *escpostest.Machine, all []byte) { taken = len(all) >= at })
				return taken
			})
			stop()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the end of the context", err)
			}
			loseUnread(t, printersEnd, path) // or the printer would read on to where the cut happened to be, perhaps the end of a raster
			fake.Set(escpostest.Whims{Mute: c.mute})
			fake.Sheets() // it has noticed
			fake.Look(func(m *escpostest.Machine, _ []byte) {
				if m.Idle() {
					t.Error("the printer was not left in the middle of a raster")
				}
			})
			if c.restart {
				p = onFile(t, path, printer.Serial{})
				patient(p, true)
			}
			if err := p.Print(t.Context(), text(2)); err != nil {
				t.Fatal(err)
			}
			want, err := text(2).Pages[0].Raster(receipt.Paper58)
			if err != nil {
				t.Fatal(err)
			}
			sheets := fake.Sheets()
			if len(sheets) != 1 || !strings.HasSuffix(string(sheets[0].Bits), string(want.Bits)) {
				t.Fatalf("%d sheets, or another picture", len(sheets))
			}
			if c.restart {
				return
			}
			fake.Look(func(m *escpostest.Machine, _ []byte) {
				if len(sheets[0].Bits) != len(want.Bits) || len(m.Scraps) != 1 || m.Scraps[0].Height == 0 {
					t.Errorf("%d scraps: the broken job hangs on the next", len(m.Scraps))
				}
			})
		})
	}
}

// loseUnread has the wire lose what the printer has not taken: what is on its way, and what has arrived.
func loseUnread(t *testing.T, printersEnd *os.File, path string) {
	t.Helper()
	wire, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer wire.Close()
	flush(t, wire, unix.TCOFLUSH)
	flush(t, printersEnd, unix.TCIFLUSH)
}

func flush(t *testing.T, end *os.File, queue int) {
	t.Helper()
	raw, err := end.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) { err = unix.IoctlSetInt(int(fd), unix.TCFLSH, queue) }); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string]printer.Address{
		"tcp://10.0.0.5":                         {Host: "10.0.0.5:9100"},
		"tcp://10.0.0.5:9101":                    {Host: "10.0.0.5:9101"},
		"tcp://impressora.local/":                {Host: "impressora.local:9100"},
		"tcp://[fe80::1]:9100":                   {Host: "[fe80::1]:9100"},
		"tcp://[::1]":                            {Host: "[::1]:9100"},
		"file:/dev/usb/lp0":                      {Path: "/dev/usb/lp0"},
		"file:///dev/usb/lp0":                    {Path: "/dev/usb/lp0"},
		"file:/dev/ttyUSB0?baud=9600":            {Path: "/dev/ttyUSB0", Port: printer.Serial{Baud: 9600}},
		"file:COM3?baud=115200&flow=hardware":    {Path: "COM3", Port: printer.Serial{Baud: 115200, Hardware: true}},
		`file:\\.\COM10?flow=software&baud=1200`: {Path: `\\.\COM10`, Port: printer.Serial{Baud: 1200}},
	} {
		if got, err := printer.ParseAddress(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "virtual", "tcp://", "tcp://:9100", "tcp://a:b", "tcp://a:0", "tcp://a:99999", "tcp://a b", "tcp://a:1:2", "tcp://u@a", "tcp://a/b", "udp://a",
		"file:", "file:?baud=9600", "file:/dev/x?baud=x", "file:/dev/x?baud=1", "file:/dev/x?parity=even", "file:/dev/x?flow=no", "/dev/usb/lp0", "http://a",
	} {
		if got, err := printer.ParseAddress(text); !errors.Is(err, printer.ErrAddress) {
			t.Errorf("%q: %+v, %v; want ErrAddress", text, got, err)
		}
	}
	if _, err := printer.Open(printer.Address{Path: "x" + strings.Repeat("y", 3)}, printer.Options{}); err == nil {
		t.Error("paper without width was accepted")
	}
}
