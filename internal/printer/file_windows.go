package printer

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// openDevice opens a port (COM3, LPT1) or a pipe.
func openDevice(path string, port Serial) (device, error) {
	name := strings.ToUpper(path)
	isPort := strings.HasPrefix(name, "COM") || strings.HasPrefix(name, "LPT")
	if isPort {
		path = `\\.\` + path // the only way to COM10 and above
	}
	isPort = isPort || strings.HasPrefix(path, `\\.\`)
	how := os.O_RDWR
	if !isPort {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe) == 0 {
			return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNoDevice}
		}
		how = os.O_WRONLY
	}
	f, err := os.OpenFile(path, how, 0)
	if err != nil {
		return nil, err
	}
	d := deviceFile{f, false}
	if isPort {
		if d.serial, err = setSerial(windows.Handle(f.Fd()), port); err != nil {
			f.Close()
			return nil, err
		}
	}
	return d, nil
}

// setSerial makes a serial port pass bytes as they are; false for a port that is
// none.
func setSerial(h windows.Handle, port Serial) (bool, error) {
	var dcb windows.DCB
	if windows.GetCommState(h, &dcb) != nil {
		return false, nil
	}
	const binary, ctsFlow, xoffOut, dtrOn, rtsOn, rtsHandshake = 1 << 0, 1 << 2, 1 << 8, 1 << 4, 1 << 12, 2 << 12
	dcb.Flags = binary | dtrOn | rtsOn | xoffOut
	if port.Hardware {
		dcb.Flags = binary | dtrOn | rtsHandshake | ctsFlow
	}
	dcb.ByteSize, dcb.Parity, dcb.StopBits, dcb.XonChar, dcb.XoffChar = 8, windows.NOPARITY, windows.ONESTOPBIT, 0x11, 0x13
	if port.Baud > 0 {
		dcb.BaudRate = uint32(port.Baud)
	}
	return true, os.NewSyscallError("setting the serial port", windows.SetCommState(h, &dcb))
}

// deviceFile reads and writes a port whose own time limits stand for deadlines.
type deviceFile struct {
	*os.File
	serial bool
}

func (d deviceFile) limit(within time.Duration) {
	const most = ^uint32(0)
	ms := max(uint32(within/time.Millisecond), 1)
	// These values of the first two mean: return what is there, or wait for the first byte.
	_ = windows.SetCommTimeouts(windows.Handle(d.Fd()), &windows.CommTimeouts{
		ReadIntervalTimeout: most, ReadTotalTimeoutMultiplier: most, ReadTotalTimeoutConstant: ms, WriteTotalTimeoutConstant: ms,
	})
}

func (d deviceFile) read(p []byte, within time.Duration) (int, error) {
	if !d.serial {
		return 0, os.ErrNoDeadline // it would wait for ever
	}
	d.limit(within)
	n, err := d.Read(p)
	if n == 0 && (err == nil || errors.Is(err, io.EOF)) {
		return 0, os.ErrDeadlineExceeded
	}
	return n, err
}

func (d deviceFile) write(p []byte, within time.Duration) (int, error) {
	if d.serial {
		d.limit(within)
	}
	n, err := d.Write(p)
	if errors.Is(err, io.ErrShortWrite) || errors.Is(err, windows.WAIT_TIMEOUT) || errors.Is(err, windows.ERROR_SEM_TIMEOUT) {
		err = os.ErrDeadlineExceeded
	}
	return n, err
}

func (d deviceFile) unsent() int { return 0 }

func (d deviceFile) discard() {
	if d.serial {
		_ = windows.PurgeComm(windows.Handle(d.Fd()), windows.PURGE_TXABORT|windows.PURGE_TXCLEAR)
	}
}

func queued(syscall.Conn) int { return 0 }

func smallSegments(string, string, syscall.RawConn) error { return nil }
