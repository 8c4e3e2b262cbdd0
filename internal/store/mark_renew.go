package store

import (
	"errors"
	"io/fs"
	"os"
)

// nextSuffix is the end of the name of a mark that is about to take the place of the other.
const nextSuffix = ".next"

// prepare makes the mark of this start beside the one of the last, and tells by what the system knows it; empty: nothing is made,
// because it knows no files.
func (m *mark) prepare(seen string) (id string, err error) {
	if seen == "" {
		return "", nil
	}
	for id = seen; id == seen; { // a file may bear the time of a clock that ticks slowly
		if err := os.Remove(m.path + nextSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err := os.WriteFile(m.path+nextSuffix, nil, 0o600); err != nil {
			return "", err
		}
		id = fileID(m.path + nextSuffix)
	}
	return id, nil
}

// replace puts the prepared mark in the place of the other. It is synced before: a mark that a power cut left empty would
// notice nothing. Its name need not be: the other one lags behind, as a mark may. It stays where Windows renames nothing over
// it, because somebody reads it.
func (m *mark) replace() (err error) {
	if err := writeSynced(m.path+nextSuffix, m.last.text()); err != nil {
		return err
	}
	m.file.Close() // Windows renames over no open file; nothing in it is waited for
	_ = os.Rename(m.path+nextSuffix, m.path)
	m.file, err = os.OpenFile(m.path, os.O_CREATE|os.O_RDWR, 0o600)
	return err
}

func writeSynced(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}
