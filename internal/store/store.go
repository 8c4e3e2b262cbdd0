// Package store keeps everything durable in SQLite files under the data folder: maquininha.db for sales, the
// ledger and settings, logs.db for the log.
//
// A write is answered only when it is on the disk (WAL, an fsync at each commit). Writes that arrive while one
// commit is under way share the next: many callers cost one fsync. Rules of the shop are not here; rows are.
package store

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

//go:embed schema
var schemas embed.FS

func schema(name string) fs.FS {
	sub, err := fs.Sub(schemas, "schema/"+name)
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// Store is maquininha.db.
type Store struct {
	db     *database
	commit *committer
	mark   *mark // nil for readers

	begins *Epoch // with this start; nil: none does
}

// The files in the data folder.
const (
	MainFile = "maquininha.db"
	LogsFile = "logs.db"
)

// Open opens maquininha.db in the folder, making it when missing from a new one. A small file is looked at as a
// whole; see Checked. Beside a file of a newer version it touches nothing.
func Open(dir string) (*Store, error) {
	path := filepath.Join(dir, MainFile)
	if err := CheckVersions(dir); err != nil {
		return nil, err
	}
	if err := checkFiles(dir); err != nil {
		return nil, err
	}
	marked, err := checkLog(path)
	if err != nil {
		return nil, err
	}
	mark, err := openMark(path, marked)
	if err != nil {
		return nil, err
	}
	s, err := open(path, mark)
	if err == nil {
		if err = s.compare(marked); err == nil {
			err = Explain(s.lookAtEpoch())
		}
		if err == nil {
			return s, nil
		}
		s.Close()
		return nil, err
	}
	return nil, errors.Join(err, mark.close())
}

// open opens the database, and looks at the whole of a small one.
func open(path string, m *mark) (*Store, error) {
	db, err := openDatabase(path, schema("main"))
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, mark: m}
	if s.commit, err = newCommitter(db.writer, m); err != nil {
		db.close()
		return nil, err
	}
	if s.Checked() {
		err = s.Check(context.Background())
	}
	if err != nil {
		s.commit.close() // it has a connection of its own: Windows renames no file that is open
		db.close()
		return nil, err
	}
	return s, nil
}

// compare finds out whether all that the mark tells of is there, and brings the mark up to date.
func (s *Store) compare(marked position) error {
	if err := checkLedger(s.db.path, s.db.reader, marked); err != nil {
		return err
	}
	has, err := reached(s.db.reader)
	if err != nil {
		return Explain(err)
	}
	return s.mark.advance(has.step, has.attempt)
}

// Close waits for the writes under way and closes the file.
func (s *Store) Close() error {
	s.commit.close()
	var err error
	if s.mark != nil {
		err = s.mark.close() // before SQLite deletes its log
		s.mark = nil
	}
	return errors.Join(err, s.db.close())
}

// timeFormat sorts as text in the order of time because it is always UTC and of one width.
const timeFormat = "2006-01-02T15:04:05.000000000Z"

func timeText(t time.Time) string { return t.UTC().Format(timeFormat) }

func parseTime(s string) (time.Time, error) { return time.Parse(timeFormat, s) }
