package printer

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/maquininha/maquininha/internal/waittest"
)

// A printer that takes 2,500 bytes a second is alive for the driver only if the system tells of bytes that have left within
// its patience. That it is then waited for is in session_test.go; this is the real thing, without its pace: of so few bytes
// that the printer takes, the line must tell.
func TestTheSystemTellsOfASlowPrinter(t *testing.T) {
	listen := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) { _ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 4<<10) })
	}}
	listener, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	l, err := dial(t.Context(), listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer l.drop()
	printer, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer printer.Close()
	sent := 0
	for full := false; !full; {
		n, err := l.write(make([]byte, 1<<10), 2*pollInterval)
		if sent += n; err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
		full = err != nil
	}
	const slow = 2500 // bytes a second
	few, taken := int64(silenceTimeout/time.Second)*slow, int64(0)
	for l.unsent() > 0 {
		before := l.unsent()
		n, err := io.CopyN(io.Discard, printer, min(few, int64(sent)-taken))
		if taken += n; err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "the line tells that bytes have left", func() bool { return l.unsent() < before })
	}
	if taken == 0 {
		t.Error("the line holds nothing")
	}
}
