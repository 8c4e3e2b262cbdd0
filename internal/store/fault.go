package store

import (
	"errors"
	"fmt"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// explain adds to SQLite's error what others can look for without knowing SQLite: syscall.ENOSPC when the disk is
// full, syscall.EROFS when it cannot be written, ErrUnreadable when the file is damaged.
func explain(err error) error {
	var why error
	switch code, ok := codeOf(err); {
	case !ok:
		return err
	case code == lib.SQLITE_FULL:
		why = syscall.ENOSPC
	case code == lib.SQLITE_READONLY:
		why = syscall.EROFS
	case code == lib.SQLITE_CORRUPT, code == lib.SQLITE_NOTADB:
		why = ErrUnreadable
	default:
		return err
	}
	if errors.Is(err, why) {
		return err
	}
	return fmt.Errorf("%w: %w", why, err)
}

// Explain is explain for a file being opened: a table that is missing there, or one too many, means that it is none
// of ours.
func Explain(err error) error {
	if code, ok := codeOf(err); ok && code == lib.SQLITE_ERROR && !errors.Is(err, ErrUnreadable) {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return explain(err)
}

// What SQLite finds wrong with a file, where Cause knows it.
var (
	ErrDisk        = errors.New("the disk can't be read, or the file is cut")
	ErrNotDatabase = errors.New("no database")
	ErrMalformed   = errors.New("malformed")
	ErrNotOpened   = errors.New("not opened")
	ErrLocked      = errors.New("locked")
	ErrTables      = errors.New("other tables than ours")
)

// Cause is what SQLite says in an error, nil when it says nothing that is known here.
func Cause(err error) error {
	code, _ := codeOf(err)
	return map[int]error{
		lib.SQLITE_IOERR: ErrDisk, lib.SQLITE_NOTADB: ErrNotDatabase, lib.SQLITE_CORRUPT: ErrMalformed,
		lib.SQLITE_CANTOPEN: ErrNotOpened, lib.SQLITE_BUSY: ErrLocked, lib.SQLITE_ERROR: ErrTables,
	}[code]
}

// codeOf is SQLite's code without the details in its upper bits.
func codeOf(err error) (code int, ok bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Code() & 0xff, true
}
