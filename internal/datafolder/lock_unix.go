//go:build unix

package datafolder

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// ignoreFileSizeSignal has a write beyond the process's file size limit fail like one on a full disk, not end the process.
func ignoreFileSizeSignal() { signal.Ignore(syscall.SIGXFSZ) }

// lockFolder locks the folder itself too: people delete lock files. File systems that can't do that have the file.
func lockFolder(dir string) (unlock func() error, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := LockFile(f); errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, err
	}
	return func() error { return unlockFile(f) }, nil
}

// LockFile fails at once when another process holds the file; the system lets go of it however that one ends.
func LockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// unlockFile lets go of a file and closes it. Closing alone would not do: a process that is being started, of the desktop's say,
// has every file of this one for a moment, and with it the lock.
func unlockFile(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}
