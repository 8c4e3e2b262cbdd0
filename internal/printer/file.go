package printer

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
)

// ErrNoDevice means a path that leads to no printer: a plain file would swallow
// every job, and lose what it holds.
var ErrNoDevice = errors.New("neither a device nor a pipe")

// NewFile is the printer behind a device file: USB (/dev/usb/lp0), serial
// (/dev/ttyUSB0, COM3) or a pipe.
func NewFile(path string, port Serial, o Options) (*Thermal, error) {
	t, err := newThermal(o, func(context.Context) (line, error) {
		d, err := openDevice(path, port)
		if err != nil {
			return nil, err
		}
		return file{d, path}, nil
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
type file struct {
	device
	path string
}

func (f file) identity() escpos.Identity { return usbIdentity("/", f.path) }

func (f file) read(p []byte, within time.Duration) (int, error) {
	n, err := f.device.read(p, within)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, errMute // opened for writing only, or a cable with one direction
	}
	return n, err
}

// writeChunk is how much a device is given at a time: some say only when they have all
// of it that they have any.
const writeChunk = 1 << 10

func (f file) write(p []byte, within time.Duration) (int, error) {
	return f.device.write(p[:min(len(p), writeChunk)], within)
}

func (f file) close() error { return f.Close() }

func (f file) drop() {
	f.discard()
	_ = f.Close()
}
