//go:build !windows

package printer

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// openDevice opens what is there. It makes no file: one in the place of a printer
// that is not plugged in would take every job and print none.
func openDevice(path string, port Serial) (device, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	// Without O_NONBLOCK the opening of a pipe waits for a reader, that of a
	// serial port for a carrier.
	how := os.O_RDWR | syscall.O_NONBLOCK | syscall.O_NOCTTY
	switch {
	case info.Mode()&fs.ModeNamedPipe != 0:
		how = os.O_WRONLY | syscall.O_NONBLOCK // what is read from a pipe are its own bytes
	case info.Mode()&fs.ModeCharDevice == 0:
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNoDevice}
	}
	f, err := os.OpenFile(path, how, 0)
	if errors.Is(err, fs.ErrPermission) && how&os.O_RDWR != 0 {
		f, err = os.OpenFile(path, how&^os.O_RDWR|os.O_WRONLY, 0)
	}
	if err != nil {
		return nil, err
	}
	if err := setSerial(f, port); err != nil {
		f.Close()
		return nil, err
	}
	return deviceFile{f}, nil
}

type deviceFile struct{ *os.File }

func (d deviceFile) read(p []byte, within time.Duration) (int, error) {
	if err := d.SetReadDeadline(time.Now().Add(within)); err != nil {
		return 0, err // it would wait for ever
	}
	n, err := d.Read(p)
	return n, err
}

func (d deviceFile) write(p []byte, within time.Duration) (int, error) {
	// What has no deadlines, like /dev/full, needs none.
	if err := d.SetWriteDeadline(time.Now().Add(within)); err != nil && !errors.Is(err, os.ErrNoDeadline) {
		return 0, err
	}
	return d.Write(p)
}

func (d deviceFile) unsent() int { return queued(d.File) }

func (d deviceFile) discard() { discardQueue(d.File) }
