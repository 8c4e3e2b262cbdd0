package tefsim

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// lock keeps others from opening the file.
func lock(dir, name string) (release func() error, err error) {
	path, err := windows.UTF16PtrFromString(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	const nobodyElse = 0
	h, err := windows.CreateFile(path, windows.GENERIC_READ, nobodyElse, nil, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return func() error { return nil }, nil // it was read faster than it could be locked
	}
	return func() error { return windows.CloseHandle(h) }, nil
}

// unlock has nothing to do: the system closes the files of a process that was killed.
func unlock(string, string) error { return nil }
