//go:build !windows

package intpos

import (
	"errors"
	"io/fs"
)

// held tells that another program has its hand on the file for now.
func held(err error) bool { return errors.Is(err, fs.ErrPermission) }
