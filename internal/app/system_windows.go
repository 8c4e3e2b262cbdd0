package app

import (
	"os"

	"golang.org/x/sys/windows"
)

// ignoreFileSizeSignal is for systems that end a process for the size of its files.
func ignoreFileSizeSignal() {}

// lockFolder does nothing: a lock file in use can't be deleted here.
func lockFolder(string) (unlock func() error, err error) { return func() error { return nil }, nil }

// lockFile fails at once when another process holds the file; the system lets go of it however that one ends.
func lockFile(f *os.File) error {
	const whole = ^uint32(0)
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, whole, whole, new(windows.Overlapped))
}

// unlockFile closes it: here nobody else has it.
func unlockFile(f *os.File) error { return f.Close() }

// How listening fails on an address that somebody else listens on, and on one that is another machine's.
const (
	errPortTaken     = windows.WSAEADDRINUSE
	errNotOurAddress = windows.WSAEADDRNOTAVAIL
)

// maxOpenFiles: Windows counts no handles that matter here.
func maxOpenFiles() int { return 1 << 20 }
