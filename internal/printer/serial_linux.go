package printer

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// setSerial makes a serial port pass bytes as they are. Other files are left alone.
func setSerial(f *os.File, port Serial) error {
	return control(f, func(fd int) error {
		t, err := unix.IoctlGetTermios(fd, unix.TCGETS2)
		if err != nil {
			return nil
		}
		t.Iflag, t.Oflag, t.Lflag = unix.IGNBRK|unix.IGNPAR, 0, 0
		t.Cflag = t.Cflag&(unix.CBAUD|unix.CBAUDEX) | unix.CS8 | unix.CREAD | unix.CLOCAL
		t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
		if port.Hardware {
			t.Cflag |= unix.CRTSCTS
		} else {
			t.Iflag |= unix.IXON // no answer of a printer looks like XON or XOFF
		}
		if port.Baud > 0 {
			t.Cflag = t.Cflag&^(unix.CBAUD|unix.CBAUDEX) | unix.BOTHER
			t.Ispeed, t.Ospeed = uint32(port.Baud), uint32(port.Baud)
		}
		return os.NewSyscallError("setting the serial port", unix.IoctlSetTermios(fd, unix.TCSETS2, t))
	})
}

// queued is what the system has taken and the other side has not; the same
// question serves for sockets and serial ports.
func queued(c syscall.Conn) (bytes int) {
	_ = control(c, func(fd int) (err error) {
		bytes, err = unix.IoctlGetInt(fd, unix.TIOCOUTQ)
		return err
	})
	return bytes
}

// discardQueue throws away what a serial port has not sent; closing it would wait
// for that.
func discardQueue(c syscall.Conn) {
	_ = control(c, func(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCOFLUSH) })
}

// smallSegments is for a net.Dialer. A system that refuses prints all the same.
func smallSegments(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { _ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_MAXSEG, segment) })
}

func control(c syscall.Conn, do func(fd int) error) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var done error
	if err := raw.Control(func(fd uintptr) { done = do(int(fd)) }); err != nil {
		return err
	}
	return done
}
