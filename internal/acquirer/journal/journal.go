// Package journal is the file in which a simulator, or the emulator's bank, keeps its side of the story: a line of JSON an
// entry, appended and synced before anybody is told. Others may read it meanwhile; one process at a time writes it.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/wholefile"
)

// ErrTaken means that another process has the file.
var ErrTaken = errors.New("another process has it")

// DamagedError means a line that was not written so. The file is left as it is: money may be in there.
type DamagedError struct {
	Path string
	Line int
	err  error
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s, line %d: %v", e.Path, e.Line, e.err) }
func (e *DamagedError) Unwrap() error { return e.err }

// Book is an open journal of entries.
type Book[E any] struct {
	file *os.File
	size int64 // of the whole lines
}

// Open takes the journal for this process and tells each of its entries; a journal that is missing is made.
func Open[E any](path string, each func(E)) (*Book[E], error) {
	f, err := Lock(path)
	if err != nil {
		return nil, err
	}
	b := &Book[E]{file: f}
	if err := b.begin(path, each); err != nil {
		return nil, errors.Join(err, Unlock(f))
	}
	return b, nil
}

func (b *Book[E]) begin(path string, each func(E)) error {
	entries, whole, err := read[E](path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		each(e)
	}
	b.size = whole
	// A line cut off by a power loss was never answered: write over it.
	if err := b.file.Truncate(whole); err != nil {
		return err
	}
	wholefile.SyncFolder(filepath.Dir(path))
	return nil
}

// Append returns when the entry is on disk; what it fails with is not in the journal.
func (b *Book[E]) Append(e E) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if _, err = b.file.WriteAt(line, b.size); err == nil {
		err = b.file.Sync()
	}
	if err != nil {
		return errors.Join(err, b.file.Truncate(b.size))
	}
	b.size += int64(len(line))
	return nil
}

// Close lets others have it.
func (b *Book[E]) Close() error { return Unlock(b.file) }

// Read returns the entries of a journal that others may be writing; one that does not exist is empty.
func Read[E any](path string) ([]E, error) {
	entries, _, err := read[E](path)
	return entries, err
}

func read[E any](path string) (entries []E, whole int64, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // still being written, or cut off
		}
		var e E
		if err := json.Unmarshal(line, &e); err != nil {
			last := whole+int64(len(line)) == int64(len(data))
			if last && bytes.IndexByte(line, 0) >= 0 {
				break // a power loss: its end came to the disk, of its beginning only zeros
			}
			return nil, 0, &DamagedError{path, len(entries) + 1, err}
		}
		entries = append(entries, e)
		whole += int64(len(line))
	}
	return entries, whole, nil
}

// Lock opens a file that no other process may lock until Unlock; the system lets go of it however this one ends.
func Lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, ErrTaken), f.Close())
	}
	return f, nil
}

// Unlock lets others lock the file, and closes it.
func Unlock(f *os.File) error { return errors.Join(unlock(f), f.Close()) }
