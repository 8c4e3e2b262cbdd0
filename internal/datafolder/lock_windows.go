package datafolder

import (
	"os"

	"golang.org/x/sys/windows"
)

// ignoreFileSizeSignal is for systems that end a process for the size of its files.
func ignoreFileSizeSignal() {}

// lockFolder does nothing: a lock file in use can't be deleted here.
func lockFolder(string) (unlock func() error, err error) { return func() error { return nil }, nil }

// LockFile fails at once when another process holds the file; the system lets go of it however that one ends.
func LockFile(f *os.File) error {
	const whole = ^uint32(0)
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, whole, whole, new(windows.Overlapped))
}

// unlockFile closes it: here nobody else has it.
func unlockFile(f *os.File) error { return f.Close() }
