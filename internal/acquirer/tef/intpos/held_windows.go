package intpos

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/windows"
)

// held tells that another program has its hand on the file for now.
func held(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
