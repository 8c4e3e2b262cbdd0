package store

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"path/filepath"
	"sync"

	"github.com/maquininha/maquininha/internal/logbook"
)

// Peek is OpenReader for a short look that leaves no trace in the folder, not even the files that SQLite keeps beside a database: what
// support is sent must be how the terminal was found.
func Peek(dir string) (*Reader, error) {
	path := filepath.Join(dir, MainFile)
	return openMarked(path, func() (*sql.DB, error) { return peek(path, schema("main")) })
}

// peek opens a database for a short look.
func peek(path string, schema fs.FS) (*sql.DB, error) {
	reader, err := lookInto(path, schema, func() (dsns []string) {
		for _, how := range peeks(path) {
			dsns = append(dsns, peekDSN(path, how))
		}
		return dsns
	})
	return reader, Explain(err)
}

// peeks are the ways to look, the most careful first. Without a write-ahead log the database is all there is; where a service, or one
// that was killed, has left the log's index, it is only read.
func peeks(path string) []string {
	switch {
	case exists(path + "-shm"):
		return []string{"readonly_shm", ""} // the second: of the service that runs, and changes the index under us
	case size(path+"-wal") == 0:
		return []string{"immutable"}
	}
	return []string{""}
}

func peekDSN(path, how string) string {
	q := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)", "query_only(ON)", "cache_size(-4096)", "temp_store(MEMORY)"}}
	if how != "" {
		q.Set(how, "1")
	}
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + q.Encode()
}

// LogsPeek is a short look at logs.db, as Peek is at maquininha.db.
type LogsPeek struct {
	logs    *Logs
	restore func()
}

// PeekLogs opens logs.db in the folder for a short look.
func PeekLogs(dir string) (*LogsPeek, error) {
	path := filepath.Join(dir, LogsFile)
	reader, err := peek(path, schema("logs"))
	if err != nil {
		return nil, err
	}
	l := &Logs{db: &database{path: path, reader: reader}, restored: make(chan struct{})}
	if err := l.prepareReading(); err != nil {
		reader.Close()
		return nil, fmt.Errorf("opening %s: %w", path, Explain(err))
	}
	l.open = newVolume(volumeOf(l.last))
	return &LogsPeek{l, sync.OnceFunc(l.restore)}, nil
}

// Find searches what there was when it was opened.
func (p *LogsPeek) Find(ctx context.Context, q logbook.Query, fn func(logbook.Entry) error) error {
	p.restore()
	return p.logs.Find(ctx, q, fn)
}

// After reads what follows an id.
func (p *LogsPeek) After(ctx context.Context, id int64, limit int) (found []logbook.Entry, err error) {
	err = p.logs.read(ctx, p.logs.ascending, id+1, math.MaxInt64, limit, func(e logbook.Entry, _ int) bool {
		found = append(found, e)
		return true
	})
	return found, Explain(err)
}

// Last is the highest id stored.
func (p *LogsPeek) Last() int64 { return p.logs.last }

// Close lets go of the file.
func (p *LogsPeek) Close() error { return p.logs.db.reader.Close() }
