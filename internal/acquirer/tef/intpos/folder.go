package intpos

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/wholefile"
)

// Names are what the files of an exchange are called, as they are written; each side finds them in any case.
type Names struct {
	Temporary         string // a file until it is whole
	Request, Response string
	Status            string // that the request was taken
}

// Usual are the names that nearly all managers use.
var Usual = Names{Temporary: "IntPos.tmp", Request: "IntPos.001", Response: "IntPos.001", Status: "IntPos.Sts"}

// Antivirus programs hold a file for some moments after it was written.
const (
	tries    = 10
	tryPause = 50 * time.Millisecond
)

// largest is far beyond any message: what is longer is none.
const largest = 1 << 20

// Folder is one of the two folders of an exchange.
type Folder struct {
	Path      string
	Temporary string // the name of a file that is being written; empty: the usual
	// Gate is asked before every step on the disk; an error is what the step fails with. For tests; nil lets all by.
	Gate func() error
}

// Sub finds a folder inside another in any case; one that is not there yet has the name given.
func Sub(dir, name string) string {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != name && strings.EqualFold(e.Name(), name) {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				name = e.Name()
			}
		}
	}
	return filepath.Join(dir, name)
}

// ErrHeld means that another program has its hand on the file for now.
var ErrHeld = errors.New("the file is held by another program")

// Read returns the message of a file. A file that is missing or not whole yet is no message; there tells whether one
// lies there at all.
func (f Folder) Read(name string) (m Message, whole, there bool, err error) {
	paths, err := f.find(name)
	if err != nil {
		return nil, false, false, err
	}
	for _, path := range paths {
		data, err := f.load(path)
		switch {
		case held(err):
			return nil, false, true, fmt.Errorf("%w: %w", ErrHeld, err)
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, false, true, err
		}
		there = true
		if m, whole = Parse(data); whole {
			return m, true, true, nil
		}
	}
	return nil, false, there, nil
}

func (f Folder) load(path string) ([]byte, error) {
	if err := f.pass(); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, largest))
}

// find lists the files of that name in any case.
func (f Folder) find(name string) ([]string, error) {
	var entries []os.DirEntry
	err := f.retry(func() (err error) {
		entries, err = os.ReadDir(f.Path)
		return err
	})
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if strings.EqualFold(e.Name(), name) {
			paths = append(paths, filepath.Join(f.Path, e.Name()))
		}
	}
	return paths, nil
}

// Remove deletes the files of that name and tells whether there was one.
func (f Folder) Remove(name string) (removed bool, err error) {
	paths, err := f.find(name)
	if err != nil {
		return false, err
	}
	for _, path := range paths {
		err := f.retry(func() error { return os.Remove(path) })
		switch {
		case err == nil:
			removed = true
		case !errors.Is(err, fs.ErrNotExist): // else the other side was faster
			return removed, err
		}
	}
	if removed {
		wholefile.SyncFolder(f.Path)
	}
	return removed, nil
}

// Put writes a message so that the other side sees it whole or not at all.
func (f Folder) Put(name string, data []byte) error {
	temporary := filepath.Join(f.Path, cmp.Or(f.Temporary, Usual.Temporary))
	if err := f.retry(func() error { return writeSynced(temporary, data) }); err != nil {
		return err
	}
	if err := f.retry(func() error { return os.Rename(temporary, filepath.Join(f.Path, name)) }); err != nil {
		return err
	}
	wholefile.SyncFolder(f.Path)
	return nil
}

func writeSynced(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o666) // the other side is another user's program
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func (f Folder) pass() error {
	if f.Gate == nil {
		return nil
	}
	return f.Gate()
}

// retry waits for a file that another program holds.
func (f Folder) retry(step func() error) error {
	for try := 1; ; try++ {
		err := f.pass()
		if err == nil {
			err = step()
		}
		if err == nil || !held(err) || try == tries {
			return err
		}
		time.Sleep(tryPause)
	}
}
