// Package wholefile writes files that are whole, and on the disk, before they have their names: after a power cut there is the file of
// before or the new one, never half of it.
package wholefile

import (
	"errors"
	"os"
	"path/filepath"
)

// Put has write fill a file that then takes the place of whatever had its name. Only its owner may read it. What write does to the
// file, such as giving it to another user, it has before its name.
func Put(path string, write func(*os.File) error) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, filepath.Base(path)+".*") // made with mode 0600
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		os.Remove(f.Name()) //nolint:errcheck // what went wrong before is said
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		os.Remove(f.Name()) //nolint:errcheck // as above
		return err
	}
	SyncFolder(dir)
	return nil
}

// Create writes a file that must not be there yet. Only its owner may read it.
func Create(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path) //nolint:errcheck // as above
		return err
	}
	SyncFolder(filepath.Dir(path))
	return nil
}

// SyncFolder keeps the names in a folder on the disk, where folders can be synced; Windows keeps names by itself.
func SyncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		f.Sync()  //nolint:errcheck // as above
		f.Close() //nolint:errcheck // nothing was written through it
	}
}
