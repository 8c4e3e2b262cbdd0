package journal

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock takes a byte far behind the end: what is locked can't be read by others.
func lock(f *os.File) error {
	const one, farOff = 1, 1 << 30
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, one, 0,
		&windows.Overlapped{OffsetHigh: farOff})
}

// unlock has nothing to do: closing does it, for here nobody else has the file.
func unlock(*os.File) error { return nil }
