//go:build unix

package app

import (
	"os"
	"syscall"
)

// lockFile fails at once when another process holds the file; the system lets go of it however that one ends.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// errPortTaken is how listening fails on an address somebody else listens on.
const errPortTaken = syscall.EADDRINUSE
