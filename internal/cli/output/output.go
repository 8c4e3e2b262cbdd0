// Package output puts what a command makes where the person wants it: a file takes its place only when it is whole, and none takes the
// place of what it was made from.
package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Put writes to the standard output (-) or into a file, which takes its place only when it is whole: half an export looks
// like one of a slow day.
func Put(path string, write func(io.Writer) error) error {
	if path == "-" {
		return Buffered(os.Stdout, write)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0) // a pipe, a terminal
		if err != nil {
			return &Error{path, err}
		}
		return errors.Join(Buffered(f, write), f.Close())
	}
	// Sales are nobody else's to read, so the mode is that of a temporary file.
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return &Error{path, err}
	}
	defer os.Remove(f.Name())
	// On the disk before it has its name: after a power cut there is the old one or the whole new one.
	if err := errors.Join(Buffered(f, write), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return &Error{path, err}
	}
	return nil
}

// Buffered writes in large pieces.
func Buffered(out io.Writer, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(out, 64<<10)
	return errors.Join(write(w), w.Flush())
}

// Same tells whether two paths lead to one file, over links too.
func Same(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// Error is a result that could not be written.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("writing %s: %v", e.Path, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Words say it to whoever wanted the result.
func (e *Error) Words() string {
	text := "o resultado não pode ser escrito em " + e.Path + ": "
	var path *fs.PathError
	switch {
	case errors.Is(e.Err, fs.ErrNotExist):
		return text + "a pasta " + filepath.Dir(e.Path) + " não existe"
	case errors.Is(e.Err, fs.ErrPermission):
		return text + "sem permissão"
	case errors.As(e.Err, &path):
		return text + path.Err.Error()
	}
	return text + e.Err.Error()
}
