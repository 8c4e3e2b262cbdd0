package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // the driver named "sqlite"
)

// What can be wrong with a file that is there.
var (
	// ErrUnreadable means it is damaged, or no database.
	ErrUnreadable = errors.New("data unreadable")
	// ErrNewer means a newer version of the program has written it. It is unreadable too.
	ErrNewer = fmt.Errorf("%w: written by a newer version", ErrUnreadable)
	// ErrNotFile means it is a folder, a pipe or a device. It is unreadable too.
	ErrNotFile = fmt.Errorf("%w: no plain file", ErrUnreadable)
	// ErrForeignWAL means that what lies in the place of its write-ahead log is none. It is unreadable too.
	ErrForeignWAL = fmt.Errorf("%w: no write-ahead log", ErrUnreadable)
)

// database is one SQLite file: one connection that writes, a few that only read.
// In WAL mode readers never wait for the writer, nor it for them.
type database struct {
	path   string
	writer *sql.DB
	reader *sql.DB
}

// readers is how many connections read at once; each costs memory for its page cache.
const readers = 4

// openDatabase opens the file, making it when missing, and brings its schema up to date.
func openDatabase(path string, schema fs.FS) (*database, error) {
	db := &database{path: path}
	// Made before SQLite sees it: the files it puts beside it take over its mode, and customers' documents are
	// nobody else's to read.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	if db.writer, err = sql.Open("sqlite", dsn(path, "immediate", false)); err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	db.writer.SetMaxOpenConns(1)
	err = wholePages(path, db.writer)
	if err == nil {
		err = migrate(db.writer, schema)
	}
	if err != nil {
		db.writer.Close()
		return nil, fmt.Errorf("opening %s: %w", path, Explain(err))
	}
	if db.reader, err = sql.Open("sqlite", dsn(path, "deferred", true)); err != nil {
		db.writer.Close()
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	db.reader.SetMaxOpenConns(readers)
	db.reader.SetMaxIdleConns(readers)
	return db, nil
}

func (db *database) close() error {
	// The writer last: closing the final connection checkpoints the WAL away.
	return errors.Join(db.reader.Close(), db.writer.Close())
}

// ErrCut means that a file ends within a page. SQLite would take what is missing for zeros.
var ErrCut = fmt.Errorf("%w: the file is cut off", ErrUnreadable)

// wholePages tells whether the file consists of whole pages. One that does not may have been cut off by a full disk while
// pages were brought there from the write-ahead log; they are still in the log then, and are brought again.
func wholePages(path string, db *sql.DB) error {
	var page, busy, pages, moved int64
	if err := db.QueryRow("PRAGMA page_size").Scan(&page); err != nil || size(path)%page == 0 {
		return err
	}
	if err := db.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &moved); err != nil {
		return err
	}
	if size(path)%page != 0 {
		return ErrCut
	}
	return nil
}

// dsn asks for a commit that is on the disk before it is answered: WAL with an fsync at each one.
func dsn(path, txlock string, readOnly bool) string {
	q := url.Values{}
	q.Set("_txlock", txlock)
	for _, p := range []string{
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
		"cache_size(-4096)", "temp_store(MEMORY)",
	} {
		q.Add("_pragma", p)
	}
	if readOnly {
		q.Add("_pragma", "query_only(ON)")
	}
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + q.Encode()
}

// migrate runs the numbered .sql files the database has not seen yet, each in a transaction of its own.
func migrate(db *sql.DB, schema fs.FS) error {
	var have int
	if err := db.QueryRow("PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if err := notNewer(have, schema); err != nil {
		return err
	}
	steps, err := fs.Glob(schema, "*.sql") // sorted by name, so by number
	if err != nil {
		return err
	}
	for i, name := range steps {
		number, err := strconv.Atoi(strings.SplitN(name, "_", 2)[0])
		if err != nil || number != i+1 {
			return fmt.Errorf("migration %s is out of sequence", name)
		}
		if number <= have {
			continue
		}
		text, err := fs.ReadFile(schema, name)
		if err != nil {
			return err
		}
		if err := inTx(db, func(tx *sql.Tx) error {
			if _, err := tx.Exec(string(text)); err != nil {
				return err
			}
			_, err := tx.Exec("PRAGMA user_version = " + strconv.Itoa(number))
			return err
		}); err != nil {
			return fmt.Errorf("migration %s: %w", name, err)
		}
	}
	return nil
}

// inTx commits what fn did, or nothing of it.
func inTx(db *sql.DB, fn func(*sql.Tx) error) error {
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
