//go:build !linux && !windows

package printer

import (
	"errors"
	"os"
	"syscall"
)

func setSerial(_ *os.File, port Serial) error {
	if port != (Serial{}) {
		return errors.New("serial ports can't be set on this system")
	}
	return nil
}

func queued(syscall.Conn) int   { return 0 }
func discardQueue(syscall.Conn) {}

func smallSegments(string, string, syscall.RawConn) error { return nil }
