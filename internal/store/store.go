// Package store keeps everything durable in SQLite files under the data folder: maquininha.db for sales, the
// ledger and settings, logs.db for the log.
//
// A write is answered only when it is on the disk (WAL, an fsync at each commit). Writes that arrive while one
// commit is under way share the next: many callers cost one fsync. Rules of the shop are not here; rows are.
package store

import (
	"context"
	"embed"
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
}

// The files in the data folder.
const (
	MainFile = "maquininha.db"
	LogsFile = "logs.db"
)

// Open opens maquininha.db in the folder, making it when missing from a new one. A small file is looked at as a
// whole; see Checked.
func Open(dir string) (*Store, error) {
	if err := checkFiles(dir); err != nil {
		return nil, err
	}
	db, err := openDatabase(filepath.Join(dir, MainFile), schema("main"))
	if err != nil {
		return nil, err
	}
	s := &Store{db: db}
	if s.commit, err = newCommitter(db.writer); err == nil && s.Checked() {
		err = s.Check(context.Background())
	}
	if err != nil {
		db.close()
		return nil, err
	}
	return s, nil
}

// Close waits for the writes under way and closes the file.
func (s *Store) Close() error {
	s.commit.close()
	return s.db.close()
}

// timeFormat sorts as text in the order of time because it is always UTC and of one width.
const timeFormat = "2006-01-02T15:04:05.000000000Z"

func timeText(t time.Time) string { return t.UTC().Format(timeFormat) }

func parseTime(s string) (time.Time, error) { return time.Parse(timeFormat, s) }
