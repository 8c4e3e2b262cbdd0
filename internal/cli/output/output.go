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

	"github.com/maquininha/maquininha/internal/wholefile"
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
	// Sales are nobody else's to read, and this keeps them its owner's.
	var failed error
	err := wholefile.Put(path, func(f *os.File) error {
		failed = Buffered(f, write)
		return failed
	})
	if failed != nil || err == nil {
		return failed
	}
	return &Error{path, err}
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
