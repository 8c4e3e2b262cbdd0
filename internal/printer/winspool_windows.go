package printer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/maquininha/maquininha/internal/printing"
)

// ErrOtherSystem means a kind of printer that this system does not have.
var ErrOtherSystem = errors.New("only another system has such a printer")

// NewWindows is the printer behind a queue of Windows.
func NewWindows(name string, o Options) (*Thermal, error) { return newQueued(name, winspool{}, o) }

// winspool is the spooler of Windows. All functions are those for UTF-16: the others break names with accents.
type winspool struct{}

var (
	winspoolDLL      = windows.NewLazySystemDLL("winspool.drv")
	enumPrinters     = winspoolDLL.NewProc("EnumPrintersW")
	openPrinter      = winspoolDLL.NewProc("OpenPrinterW")
	closePrinter     = winspoolDLL.NewProc("ClosePrinter")
	getPrinter       = winspoolDLL.NewProc("GetPrinterW")
	getPrinterDriver = winspoolDLL.NewProc("GetPrinterDriverW")
	startDocPrinter  = winspoolDLL.NewProc("StartDocPrinterW")
	startPagePrinter = winspoolDLL.NewProc("StartPagePrinter")
	writePrinter     = winspoolDLL.NewProc("WritePrinter")
	endPagePrinter   = winspoolDLL.NewProc("EndPagePrinter")
	endDocPrinter    = winspoolDLL.NewProc("EndDocPrinter")
	abortPrinter     = winspoolDLL.NewProc("AbortPrinter")
	getJob           = winspoolDLL.NewProc("GetJobW")
	setJob           = winspoolDLL.NewProc("SetJobW")
)

// What queues and jobs say of themselves.
const (
	queuePaused, queueError, queueJam, queuePaperOut, queuePaperProblem = 0x1, 0x2, 0x8, 0x10, 0x40
	queueOffline, queueNotAvailable, queueUser, queueDoorOpen           = 0x80, 0x1000, 0x100000, 0x400000
	queueWorksOffline                                                   = 0x400 // an attribute, and the one that changes when the printer is away
	queueIsLocal                                                        = 0x40

	jobError, jobPrintingNow, jobOffline, jobPaperOut = 0x2, 0x10, 0x20, 0x40
	jobPrinted, jobBlocked, jobUser, jobComplete      = 0x80, 0x200, 0x400, 0x1000
	jobControlDelete                                  = 5
)

type printerInfo2 struct {
	server, printer, share, port, driver, comment, location  *uint16
	devMode                                                  uintptr
	separator, processor, datatype, parameters               *uint16
	security                                                 uintptr
	attributes, priority, usual, start, until, status, jobs2 uint32
	pages                                                    uint32
}

type printerInfo4 struct {
	printer, server *uint16
	attributes      uint32
}

type jobInfo1 struct {
	id                                                     uint32
	printer, machine, user, document, datatype, statusText *uint16
	status                                                 uint32
}

// driverInfo8 is the beginning of it.
type driverInfo8 struct {
	version    uint32
	texts      [10]*uint16
	date       windows.Filetime
	number     uint64
	more       [8]*uint16
	attributes uint32
}

type docInfo1 struct{ name, file, datatype *uint16 }

// printerHandle is an open queue.
type printerHandle uintptr

func openQueue(name string) (printerHandle, error) {
	text, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return 0, err
	}
	var h printerHandle
	r, _, err := openPrinter.Call(uintptr(unsafe.Pointer(text)), uintptr(unsafe.Pointer(&h)), 0)
	if r == 0 {
		if errors.Is(err, windows.ERROR_INVALID_PRINTER_NAME) {
			return 0, ErrNoQueue
		}
		return 0, fmt.Errorf("opening the print queue: %w", err)
	}
	return h, nil
}

func (h printerHandle) close() { _, _, _ = closePrinter.Call(uintptr(h)) }

// filled calls a function twice: for the size of what it has to say, and for that itself.
func filled(call func(buffer *byte, size uint32, needed *uint32) error) ([]byte, error) {
	var needed uint32
	err := call(nil, 0, &needed)
	for tries := 0; errors.Is(err, windows.ERROR_INSUFFICIENT_BUFFER) && tries < 5; tries++ { // it may grow meanwhile
		buffer := make([]byte, max(needed, 1))
		if err = call(&buffer[0], uint32(len(buffer)), &needed); err == nil {
			return buffer, nil
		}
	}
	return nil, err
}

func (h printerHandle) get(level uintptr) ([]byte, error) {
	return filled(func(buffer *byte, size uint32, needed *uint32) error {
		r, _, err := getPrinter.Call(uintptr(h), level, uintptr(unsafe.Pointer(buffer)), uintptr(size), uintptr(unsafe.Pointer(needed)))
		return failedCall(r, err)
	})
}

func failedCall(r uintptr, err error) error {
	if r == 0 {
		return err
	}
	return nil
}

func (winspool) queue(_ context.Context, name string) (Queue, error) {
	h, err := openQueue(name)
	if err != nil {
		return Queue{}, err
	}
	defer h.close()
	buffer, err := h.get(2)
	if err != nil {
		return Queue{}, fmt.Errorf("asking for the state of the print queue: %w", err)
	}
	info := (*printerInfo2)(unsafe.Pointer(&buffer[0]))
	q := Queue{Name: name, Model: windows.UTF16PtrToString(info.driver), Port: windows.UTF16PtrToString(info.port), State: printing.Unknown}
	status := info.status
	if said, err := h.get(6); err == nil && len(said) >= 4 { // the status alone, which some spoolers say nowhere else
		status |= binary.LittleEndian.Uint32(said)
	}
	q.State, q.Why = windowsState(status, info.attributes)
	runtime.KeepAlive(buffer) // its texts lie in it
	return q, nil
}

// windowsState is what a queue says. Nothing said is nothing known: most drivers never say more.
func windowsState(status, attributes uint32) (printing.State, string) {
	switch {
	case status&queueDoorOpen != 0:
		return printing.CoverOpen, "door open"
	case status&queuePaperOut != 0:
		return printing.PaperOut, "paper out"
	case attributes&queueWorksOffline != 0:
		return printing.Offline, "the queue is set to work off-line"
	case status&queuePaused != 0:
		return printing.Offline, "the queue is paused"
	case status&(queueError|queueJam|queuePaperProblem|queueOffline|queueNotAvailable|queueUser) != 0:
		return printing.Offline, fmt.Sprintf("the queue's status is %#x", status)
	}
	return printing.Unknown, ""
}

// queues are all of this machine, and those that this user has connected; of the latter only the names: asking a server that is gone takes
// long.
func (w winspool) queues(ctx context.Context) ([]Queue, error) {
	const local, connections = 2, 4
	var count uint32
	buffer, err := filled(func(buffer *byte, size uint32, needed *uint32) error {
		r, _, err := enumPrinters.Call(local|connections, 0, 4, uintptr(unsafe.Pointer(buffer)), uintptr(size), uintptr(unsafe.Pointer(needed)), uintptr(unsafe.Pointer(&count)))
		return failedCall(r, err)
	})
	if err != nil || len(buffer) == 0 {
		return nil, err
	}
	var all []Queue
	for _, info := range unsafe.Slice((*printerInfo4)(unsafe.Pointer(&buffer[0])), count) {
		q := Queue{Name: windows.UTF16PtrToString(info.printer), State: printing.Unknown}
		if info.attributes&queueIsLocal != 0 {
			if known, err := w.queue(ctx, q.Name); err == nil {
				q = known
			}
		}
		all = append(all, q)
	}
	runtime.KeepAlive(buffer)
	return all, nil
}

// datatype has the bytes go as they are. A driver of the newer kind takes nothing raw, but passes on what it takes for its own.
func (h printerHandle) datatype() string {
	const xps = 2
	buffer, err := filled(func(buffer *byte, size uint32, needed *uint32) error {
		r, _, err := getPrinterDriver.Call(uintptr(h), 0, 8, uintptr(unsafe.Pointer(buffer)), uintptr(size), uintptr(unsafe.Pointer(needed)))
		return failedCall(r, err)
	})
	if err == nil && len(buffer) >= int(unsafe.Sizeof(driverInfo8{})) && (*driverInfo8)(unsafe.Pointer(&buffer[0])).attributes&xps != 0 {
		return "XPS_PASS"
	}
	return "RAW"
}

func (winspool) send(ctx context.Context, name string, job []byte) (int, error) {
	h, err := openQueue(name)
	if err != nil {
		return 0, err
	}
	type sent struct {
		id  int
		err error
	}
	done := make(chan sent, 1)
	go func() {
		defer h.close()
		id, err := h.document(ctx, job)
		done <- sent{id, err}
	}()
	select {
	case s := <-done:
		return s.id, s.err
	case <-ctx.Done():
		_, _, _ = abortPrinter.Call(uintptr(h))
		select {
		case s := <-done:
			return s.id, ctx.Err() // it may have been whole already
		case <-time.After(cancelWait):
			return 0, ctx.Err()
		}
	}
}

// document writes a job whole, or throws it away.
func (h printerHandle) document(ctx context.Context, job []byte) (int, error) {
	title, _ := windows.UTF16PtrFromString("maquininha")
	datatype, _ := windows.UTF16PtrFromString(h.datatype())
	info := docInfo1{name: title, datatype: datatype}
	id, _, err := startDocPrinter.Call(uintptr(h), 1, uintptr(unsafe.Pointer(&info)))
	runtime.KeepAlive(&info)
	if id == 0 {
		return 0, fmt.Errorf("beginning a print job: %w", err)
	}
	if r, _, err := startPagePrinter.Call(uintptr(h)); r == 0 {
		return 0, h.abort("beginning a print job", err)
	}
	for len(job) > 0 {
		if ctx.Err() != nil {
			return 0, h.abort("writing a print job", ctx.Err())
		}
		var written uint32
		r, _, err := writePrinter.Call(uintptr(h), uintptr(unsafe.Pointer(&job[0])), uintptr(len(job)), uintptr(unsafe.Pointer(&written)))
		if r == 0 || written == 0 {
			return 0, h.abort("writing a print job", err)
		}
		job = job[written:]
	}
	_, _, _ = endPagePrinter.Call(uintptr(h))
	if r, _, _ := endDocPrinter.Call(uintptr(h)); r == 0 {
		return 0, errNotTaken // the code it leaves is of something else
	}
	return int(id), nil
}

var errNotTaken = errors.New("the spooler could not hand the print job on")

func (h printerHandle) abort(doing string, err error) error {
	_, _, _ = abortPrinter.Call(uintptr(h))
	return fmt.Errorf("%s: %w", doing, err)
}

// job asks for a job. One that ended well is no longer known: that it is gone is the best sign there is.
func (winspool) job(_ context.Context, name string, id int) (spooled, error) {
	h, err := openQueue(name)
	if err != nil {
		return 0, err
	}
	defer h.close()
	buffer, err := filled(func(buffer *byte, size uint32, needed *uint32) error {
		r, _, err := getJob.Call(uintptr(h), uintptr(id), 1, uintptr(unsafe.Pointer(buffer)), uintptr(size), uintptr(unsafe.Pointer(needed)))
		return failedCall(r, err)
	})
	if err != nil {
		return jobDone, nil
	}
	info := (*jobInfo1)(unsafe.Pointer(&buffer[0]))
	defer runtime.KeepAlive(buffer)
	return windowsJob(info.status, strings.TrimSpace(windows.UTF16PtrToString(info.statusText)))
}

func windowsJob(status uint32, text string) (spooled, error) {
	switch {
	case status&jobPaperOut != 0:
		return 0, printing.ErrPaperOut
	case status&(jobError|jobOffline|jobBlocked|jobUser) != 0:
		return 0, fmt.Errorf("%w: the job's status is %#x %s", printing.ErrOffline, status, text)
	case status&(jobPrinted|jobComplete) != 0:
		return jobDone, nil // kept in the queue, as some are set to
	case status&jobPrintingNow != 0:
		return jobPrinting, nil
	}
	return jobWaiting, nil
}

func (winspool) cancel(_ context.Context, name string, id int) error {
	h, err := openQueue(name)
	if err != nil {
		return err
	}
	defer h.close()
	r, _, err := setJob.Call(uintptr(h), uintptr(id), 0, 0, jobControlDelete)
	if r == 0 && !errors.Is(err, windows.ERROR_INVALID_PARAMETER) { // it is gone already
		return fmt.Errorf("taking a job out of the print queue: %w", err)
	}
	return nil
}
