// Package syserror says what the system refused in the words of whoever runs the terminal.
package syserror

import (
	"errors"
	"io/fs"
	"syscall"
)

// Reason says in a few words what is wrong with a file or its disk; the message names it already.
func Reason(err error) error {
	for _, row := range []struct {
		err  error
		text string
	}{
		{syscall.ENOSPC, "não há espaço no disco"},
		{syscall.EROFS, "o disco está somente para leitura"},
		{fs.ErrPermission, "sem permissão"},
	} {
		if errors.Is(err, row.err) {
			return errors.New(row.text)
		}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
