package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// What keeps a Reader from reading what is well otherwise.
var (
	// ErrNoData means that the folder has no data yet.
	ErrNoData = errors.New("no data yet")
	// ErrOlder means that an older version of the program has written it; opening it to write brings it up to date.
	ErrOlder = errors.New("written by an older version")
)

// Reader is maquininha.db for another process than the one that writes it, whether that one runs or not. It makes
// nothing, brings nothing up to date and changes nothing.
type Reader struct{ store *Store }

// OpenReader opens maquininha.db in the folder for reading.
func OpenReader(dir string) (*Reader, error) {
	path := filepath.Join(dir, MainFile)
	return openMarked(path, func() (*sql.DB, error) {
		return lookInto(path, schema("main"), func() []string { return []string{peekDSN(path, "")} })
	})
}

// openMarked opens the database if nothing is missing of it.
func openMarked(path string, open func() (*sql.DB, error)) (*Reader, error) {
	// The mark first: what it tells of is there by now, whatever a service adds meanwhile.
	marked, err := checkLog(path)
	if err != nil && size(path) > 0 {
		return nil, err
	}
	reader, err := open()
	if err != nil {
		return nil, err
	}
	if err := checkLedger(path, reader, marked); err != nil {
		reader.Close()
		return nil, err
	}
	return newReader(path, reader), nil
}

// newReader is as the service's own store, but that its writes are refused before they reach the file.
func newReader(path string, reader *sql.DB) *Reader {
	return &Reader{&Store{db: &database{path: path, reader: reader}, commit: &committer{closed: true}}}
}

// lookInto opens a database that is there, in the first of the ways that work.
func lookInto(path string, schema fs.FS, ways func() []string) (*sql.DB, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %w", ErrNoData, err)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %s", ErrNotFile, path)
	case info.Size() == 0:
		return nil, fmt.Errorf("%w: %s is empty", ErrNoData, path)
	}
	for _, dsn := range ways() {
		var reader *sql.DB
		if reader, err = sql.Open("sqlite", dsn); err != nil {
			return nil, fmt.Errorf("opening %s: %w", path, err)
		}
		if err = current(reader, schema); err == nil {
			err = cutOff(path, reader)
		}
		if err == nil {
			reader.SetMaxOpenConns(readers)
			return reader, nil
		}
		reader.Close()
	}
	// Asked only now: in a process that has the file open, opening it beside SQLite costs that one its locks.
	f, denied := os.Open(path)
	if denied != nil {
		return nil, denied
	}
	f.Close()
	return nil, fmt.Errorf("opening %s: %w", path, err)
}

// cutOff is wholePages for who only reads: while there is a log, what is missing may be there.
func cutOff(path string, db *sql.DB) error {
	var page int64
	if err := db.QueryRow("PRAGMA page_size").Scan(&page); err != nil {
		return err
	}
	if size(path)%page != 0 && size(path+"-wal") == 0 {
		return ErrCut
	}
	return nil
}

// current tells whether the database has the schema this program knows.
func current(db *sql.DB, schema fs.FS) error {
	steps, err := fs.Glob(schema, "*.sql")
	if err != nil {
		return err
	}
	var have int
	switch err := db.QueryRowContext(context.Background(), "PRAGMA user_version").Scan(&have); {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	case have > len(steps):
		return fmt.Errorf("%w: schema %d, known up to %d", ErrNewer, have, len(steps))
	case have < len(steps):
		return fmt.Errorf("%w: schema %d, known up to %d", ErrOlder, have, len(steps))
	}
	return nil
}

// Ledger returns the book of transactions, to be read.
func (r *Reader) Ledger() (*Ledger, error) { return r.store.Ledger() }

// Epochs are all that the data have been part of, the one of now first.
func (r *Reader) Epochs() ([]Epoch, error) { return r.store.Epochs() }

// Setting returns a kept setting, "" when there is none.
func (r *Reader) Setting(name string) (string, error) { return r.store.Setting(name) }

// Check has SQLite look through the whole file; an error names what is wrong with it.
func (r *Reader) Check() error {
	var verdict string
	err := r.store.db.reader.QueryRowContext(context.Background(), "PRAGMA integrity_check").Scan(&verdict)
	if err == nil && verdict != "ok" {
		err = fmt.Errorf("%w: %s", ErrUnreadable, verdict)
	}
	return err
}

// Close lets go of the file.
func (r *Reader) Close() error { return r.store.db.reader.Close() }
