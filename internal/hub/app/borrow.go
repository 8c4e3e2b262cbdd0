package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/datafolder"
)

// borrowFolder makes a data folder ours until leave is called. Told that the work has failed, leave takes away again what is there only
// because it was opened: its lock, and the folders that were made for it.
func borrowFolder(data string) (leave func(failed bool), err error) {
	made, lock := datafolder.Missing(data), filepath.Join(data, datafolder.LockName)
	_, before := os.Lstat(lock)
	unlock, err := datafolder.Open(data)
	if err != nil {
		datafolder.RemoveEmpty(made)
		return nil, err
	}
	return func(failed bool) {
		unlock() //nolint:errcheck // nothing was written through it
		if failed && errors.Is(before, fs.ErrNotExist) {
			os.Remove(lock) //nolint:errcheck // it says nothing while nobody holds it; Windows takes no open file away
			datafolder.RemoveEmpty(made)
		}
	}, nil
}
