package printer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"

	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/printing/printingtest"
	"github.com/maquininha/maquininha/internal/receipt"
)

// Wine has queues that are keys of its registry and ports that are files. What it has not: jobs that wait, are asked for or taken away, and
// printers that run out of paper. Those are spool_test.go's.
func onWine(t *testing.T) {
	t.Helper()
	if windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() != nil {
		t.Skip("not Wine: there is no queue of the tests")
	}
}

// queueAt makes a queue until the test ends; the port is one of Wine's.
func queueAt(t *testing.T, port, driver string, status, attributes uint32) (name string) {
	t.Helper()
	onWine(t)
	const printers = `System\CurrentControlSet\Control\Print\Printers`
	name = fmt.Sprintf("Balcão nº %d – %s", os.Getpid(), strings.NewReplacer("/", "_", "#", "_", "|", "_").Replace(t.Name()))
	key, _, err := registry.CreateKey(registry.LOCAL_MACHINE, printers+`\`+name, registry.ALL_ACCESS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		key.Close()
		if err := registry.DeleteKey(registry.LOCAL_MACHINE, printers+`\`+name); err != nil {
			t.Error(err)
		}
	})
	for value, text := range map[string]string{"Name": name, "Port": port, "Datatype": "RAW", "Print Processor": "winprint", "Printer Driver": driver} {
		err = errors.Join(err, key.SetStringValue(value, text))
	}
	if err := errors.Join(err, key.SetDWordValue("Status", status), key.SetDWordValue("Attributes", attributes|queueIsLocal)); err != nil {
		t.Fatal(err)
	}
	return name
}

// paperFile is a file that a port can write, as Wine and as this program name it.
func paperFile(t *testing.T) (unix, here string) {
	t.Helper()
	file, err := os.CreateTemp(`Z:\tmp`, "papel")
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	t.Cleanup(func() { os.Remove(file.Name()) })
	return "/tmp/" + filepath.Base(file.Name()), file.Name()
}

func spoolOptions() Options { return Options{Paper: receipt.Paper58, Cut: true, Feed: 3} }

// Wine starts a port's command with the open ends of those that it is just starting, so that two may wait for each other for ever: one
// queue prints at a time.
var onePort sync.Mutex

func TestWindowsConforms(t *testing.T) {
	onWine(t)
	printingtest.Conformance(t, func(t *testing.T) printingtest.Device {
		onePort.Lock()
		t.Cleanup(onePort.Unlock)
		unix, here := paperFile(t)
		p, err := NewWindows(queueAt(t, "|cat >> "+unix, "Generic / Text Only", 0, 0), spoolOptions())
		if err != nil {
			t.Fatal(err)
		}
		return printingtest.Device{Printer: p, Paper: receipt.Paper58, Sheets: func() []*receipt.Bitmap {
			m := &escpostest.Machine{Width: 384}
			all, err := os.ReadFile(here)
			if err == nil {
				_, err = m.Write(all)
			}
			if err != nil {
				t.Error(err)
			}
			return m.Sheets
		}}
	})
}

func TestWindowsQueuesThatSayWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		status, attributes uint32
		want               printing.State
	}{
		"paper": {queuePaperOut, 0, printing.PaperOut}, "door": {queueDoorOpen | queuePaperOut, 0, printing.CoverOpen},
		"paused": {queuePaused, 0, printing.Offline}, "away": {0, queueWorksOffline, printing.Offline}, "not there": {queueNotAvailable, 0, printing.Offline},
	} {
		t.Run(name, func(t *testing.T) {
			unix, here := paperFile(t)
			p, err := NewWindows(queueAt(t, unix, "Generic / Text Only", c.status, c.attributes), spoolOptions())
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Print(t.Context(), coupon()); !errors.Is(err, c.want.Err()) || p.State() != c.want {
				t.Errorf("%v, %s, want %s", err, p.State(), c.want)
			}
			if all, err := os.ReadFile(here); err != nil || len(all) > 0 {
				t.Errorf("%d bytes were printed, %v", len(all), err)
			}
		})
	}
}

func TestWindowsQueuesAreListed(t *testing.T) {
	name := queueAt(t, "LPT1:", "Bematech MP-4200 TH", queuePaperOut, 0)
	found, err := Installed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Address == "windows:"+name {
			if f.Model.Name != "mp-4200" || f.State != printing.PaperOut || f.Way != ByQueue {
				t.Errorf("%+v", f)
			}
			return
		}
	}
	t.Errorf("it is not among %+v", found)
}

func TestWindowsPrintsThatFail(t *testing.T) {
	onWine(t)
	none, err := NewWindows("Não há", spoolOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := none.Print(t.Context(), coupon()); !errors.Is(err, ErrNoQueue) || !errors.Is(err, printing.ErrOffline) {
		t.Errorf("no such queue: %v", err)
	}
	for _, port := range []string{"|exit 3", "USB001"} { // a command that fails, and a port that Wine does not know
		t.Run(port, func(t *testing.T) {
			p, err := NewWindows(queueAt(t, port, "Generic / Text Only", 0, 0), spoolOptions())
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Print(t.Context(), coupon()); !errors.Is(err, printing.ErrOffline) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestWhatWindowsSaysOfJobs(t *testing.T) {
	for status, want := range map[uint32]spooled{
		0: jobWaiting, 8: jobWaiting /* being spooled */, jobPrintingNow: jobPrinting, jobPrinted: jobDone, jobComplete | jobPrinted: jobDone,
	} {
		if got, err := windowsJob(status, ""); err != nil || got != want {
			t.Errorf("%#x: %v, %v", status, got, err)
		}
	}
	for status, want := range map[uint32]error{
		jobPaperOut: printing.ErrPaperOut, jobError: printing.ErrOffline, jobOffline | jobPrintingNow: printing.ErrOffline, jobUser: printing.ErrOffline, jobBlocked: printing.ErrOffline,
	} {
		if _, err := windowsJob(status, ""); !errors.Is(err, want) {
			t.Errorf("%#x: %v, want %v", status, err, want)
		}
	}
}
