package rig

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// PseudoTerminal is one end of a pseudo-terminal, and the path of the other.
func PseudoTerminal() (master *os.File, path string, err error) {
	if master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, "", err
	}
	raw, err := master.SyscallConn() // its Fd would make it block
	if err != nil {
		return nil, "", errors.Join(err, master.Close())
	}
	var number int
	var failed error
	err = raw.Control(func(fd uintptr) {
		if failed = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); failed == nil {
			number, failed = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return nil, "", errors.Join(err, master.Close())
	}
	return master, fmt.Sprintf("/dev/pts/%d", number), nil
}
