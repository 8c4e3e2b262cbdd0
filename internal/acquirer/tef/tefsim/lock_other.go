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
