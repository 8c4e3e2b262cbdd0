package store

import (
	"context"
	"errors"
	"path/filepath"
	"time"
)

// CheckMain looks at all of maquininha.db, and whether the service could start with it. It returns the file's path,
// and ErrUnreadable if it is damaged.
func CheckMain(dir string) (path string, err error) {
	path = filepath.Join(dir, MainFile)
	s, err := Open(dir)
	if err != nil {
		return path, err
	}
	defer s.Close()
	if err := s.db.check(context.Background(), "integrity_check"); err != nil {
		return path, err
	}
	if _, err := s.Settings(); err != nil {
		return path, Explain(err)
	}
	_, _, err = s.Sales().Load()
	return path, Explain(err)
}

// CheckLogs is CheckMain for logs.db.
func CheckLogs(dir string) (path string, err error) {
	path = filepath.Join(dir, LogsFile)
	l, err := OpenLogs(path)
	if err != nil {
		return path, err
	}
	defer l.Close()
	if <-l.restored; l.lost != nil {
		return path, l.lost
	}
	return path, l.db.check(context.Background(), "integrity_check")
}

// Begin makes a new maquininha.db in place of one that was put aside. Its attempts to move money are numbered on
// from above all that can have been before: acquirers know them by their numbers and must not take a new one for an
// old one. A hundred an hour, day and night, are more than any terminal makes; an acquirer has room for 10⁸.
func Begin(dir string, at time.Time) error {
	path := filepath.Join(dir, MainFile)
	db, err := openDatabase(path, schema("main"))
	if err != nil {
		return err
	}
	hours := int64(at.Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)).Hours())
	_, err = db.writer.Exec(`INSERT INTO sqlite_sequence (name, seq) VALUES ('ledger', ?)`, 100*max(hours, 1))
	return errors.Join(err, db.close())
}
