// Package syserror says what the system refused in the words of whoever runs the terminal.
package syserror

import (
	"errors"
	"io/fs"
	"os/exec"
	"slices"
	"syscall"
)

// Reason says in a few words what is wrong with a file, its disk or a program; the message names it already.
func Reason(err error) error {
	for _, row := range []struct {
		err  error
		text string
	}{
		{syscall.ENOSPC, "não há espaço no disco"},
		{syscall.EROFS, "o disco está somente para leitura"},
		{syscall.EIO, "o disco não lê ou não grava: pode estar com defeito"},
		{fs.ErrPermission, "sem permissão"},
		{syscall.ENOTDIR, "uma parte do caminho não é uma pasta"},
		{syscall.EISDIR, "é uma pasta"},
		{fs.ErrNotExist, "o caminho não existe"},
		{exec.ErrNotFound, "programa não encontrado"},
	} {
		if Is(err, row.err) {
			return errors.New(row.text)
		}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Is is errors.Is for errors of the system too, which on Windows have other numbers for the same.
func Is(err, target error) bool {
	return errors.Is(err, target) || slices.ContainsFunc(others[target], func(e error) bool { return errors.Is(err, e) })
}

// OfFile is Reason for a file that somebody has named: it, and not its path, does not exist.
func OfFile(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("não existe")
	}
	return Reason(err)
}
