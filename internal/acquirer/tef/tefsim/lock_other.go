//go:build !windows

package tefsim

import (
	"os"
	"path/filepath"
)

// lock keeps others from opening the file, but for the administrator.
func lock(dir, name string) (release func() error, err error) {
	path := filepath.Join(dir, name)
	if err := os.Chmod(path, 0); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return func() error {
		if err := os.Chmod(path, 0o666); err != nil && !os.IsNotExist(err) {
			return err
		}
		return nil
	}, nil
}

// unlock undoes what lock did in a process that was killed.
func unlock(dir, name string) error {
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0 {
		return nil // nothing to undo
	}
	return os.Chmod(path, 0o666)
}
