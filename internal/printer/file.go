package printer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// NewFile is the printer behind a device file: USB (/dev/usb/lp0), serial
// (/dev/ttyUSB0, COM3) or a pipe; or a plain file, to which the bytes are added.
func NewFile(path string, port Serial, o Options) (*Thermal, error) {
	t, err := newThermal(o, func(context.Context) (line, error) {
		d, err := openDevice(path, port)
		if err != nil {
			return nil, pathless(err)
		}
		return file{d}, nil
	})
	if err == nil {
		t.oneWire = true
	}
	return t, err
}

// device is an open file with the ways of its system.
type device interface {
	read(p []byte, within time.Duration) (int, error)
	write(p []byte, within time.Duration) (int, error)
	unsent() int
	discard() // what was not sent
	Close() error
}

// file is a line over a device file.
type file struct{ device }

func (f file) read(p []byte, within time.Duration) (int, error) {
	n, err := f.device.read(p, within)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, errMute // opened for writing only, or a cable with one direction
	}
	return n, err
}

func (f file) close() error { return f.Close() }

func (f file) drop() {
	f.discard()
	_ = f.Close()
}

// pathless takes the path off a file error: whoever configured it knows it.
func pathless(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
