package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

// Logs keeps log entries in a database of their own, so that they never wait for
// a sale's commit nor a sale for theirs. It fills logbook.Storage.
type Logs struct {
	db *database

	// Prepared once: a statement is run thousands of times in a search.
	insert, insertMany    *sql.Stmt
	ascending, descending *sql.Stmt
	word                  *sql.Stmt

	candidatesAscending, candidatesDescending struct {
		bare   *sql.Stmt // by kind and time
		signed *sql.Stmt // by signature too
	}

	restored chan struct{} // closed when open holds the entries of earlier runs
	lost     error         // why it could not; read after restored

	appending sync.Mutex // held over a whole Append

	mu   sync.Mutex // guards last, open and what is in it
	last int64      // the highest id committed
	open *volume    // being filled: kept in memory only, rebuilt from its entries at start
}

var _ logbook.Storage = (*Logs)(nil)

// insertRows is how many entries one statement inserts: more would save steps into
// SQLite, but the driver looks for each argument among all of the statement's.
const insertRows = 8

// OpenLogs opens the log database, making it when missing.
func OpenLogs(path string) (*Logs, error) {
	db, err := openDatabase(path, schema("logs"))
	if err != nil {
		return nil, err
	}
	l := &Logs{db: db, restored: make(chan struct{})}
	if err := l.prepare(); err != nil {
		db.close()
		return nil, fmt.Errorf("opening %s: %w", path, Explain(err))
	}
	l.open = newVolume(volumeOf(l.last))
	go l.restore()
	return l, nil
}

func (l *Logs) prepare() (err error) {
	const insert = "INSERT INTO log_entry (id, at, kind, message, details) VALUES (?,?,?,?,?)"
	if l.insert, err = l.db.writer.Prepare(insert); err != nil {
		return err
	}
	if l.insertMany, err = l.db.writer.Prepare(insert + strings.Repeat(",(?,?,?,?,?)", insertRows-1)); err != nil {
		return err
	}
	return l.prepareReading()
}

func (l *Logs) prepareReading() error {
	const entry = "SELECT id, at, kind, message, details FROM log_entry WHERE id BETWEEN ? AND ? ORDER BY id"
	for _, s := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&l.ascending, entry + " LIMIT ?"},
		{&l.descending, entry + " DESC LIMIT ?"},
		{&l.candidatesAscending.bare, candidatesQuery("ASC", 0)},
		{&l.candidatesAscending.signed, candidatesQuery("ASC", firstGrams)},
		{&l.candidatesDescending.bare, candidatesQuery("DESC", 0)},
		{&l.candidatesDescending.signed, candidatesQuery("DESC", firstGrams)},
		{&l.word, "SELECT substr(words, ?, 8) FROM log_signature WHERE id = ?"},
	} {
		var err error
		if *s.stmt, err = l.db.reader.Prepare(s.text); err != nil {
			return err
		}
	}
	return l.db.reader.QueryRow("SELECT ifnull(max(id), 0) FROM log_entry").Scan(&l.last)
}

// restore notes the entries of the volume that was being filled when the file was
// last closed. It runs beside the start of the service: eight thousand entries
// take longer than the rest of it.
func (l *Logs) restore() {
	defer close(l.restored)
	err := l.read(context.Background(), l.ascending, l.open.number<<volumeBits, l.last, volumeSize,
		func(e logbook.Entry, kind int) bool {
			l.open.add(&e, kind)
			return true
		})
	if err != nil {
		l.lost = fmt.Errorf("reading the last log entries: %w", explain(err))
	}
}

// Close closes the file. No call may be under way.
func (l *Logs) Close() error {
	<-l.restored
	return l.db.close()
}

// Last is the highest id stored.
func (l *Logs) Last() (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last, nil
}

// Append stores entries in one transaction.
func (l *Logs) Append(entries []logbook.Entry) error {
	if <-l.restored; l.lost != nil {
		return l.lost
	}
	l.appending.Lock()
	defer l.appending.Unlock()
	kinds := make([]int, len(entries))
	for i, e := range entries {
		kind, ok := logKind(e.Level, e.Source)
		if !ok {
			return fmt.Errorf("log entry %d: unknown level %q or source %q", e.ID, e.Level, e.Source)
		}
		kinds[i] = kind
	}

	// A volume is written out with the first entry that follows it. Should the
	// transaction fail, the volume is still the open one; what was noted in it
	// meanwhile does no harm.
	open := l.open
	err := inTx(l.db.writer, func(tx *sql.Tx) error {
		for rest := 0; rest < len(entries); {
			n := rest
			for n < len(entries) && volumeOf(entries[n].ID) == open.number {
				n++
			}
			if n == rest {
				if err := open.save(tx); err != nil {
					return err
				}
				open = newVolume(volumeOf(entries[n].ID))
				continue
			}
			l.note(open, entries[rest:n], kinds[rest:n])
			rest = n
		}
		return l.insertAll(tx, entries, kinds)
	})
	if err != nil {
		return fmt.Errorf("storing log entries: %w", explain(err))
	}
	if len(entries) > 0 {
		l.mu.Lock()
		l.open, l.last = open, entries[len(entries)-1].ID
		l.mu.Unlock()
	}
	return nil
}

func (l *Logs) note(v *volume, entries []logbook.Entry, kinds []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range entries {
		v.add(&entries[i], kinds[i])
	}
}

func (l *Logs) insertAll(tx *sql.Tx, entries []logbook.Entry, kinds []int) error {
	many, one := tx.Stmt(l.insertMany), tx.Stmt(l.insert)
	args := make([]any, 0, 5*insertRows)
	for i, e := range entries {
		args = append(args, e.ID, e.At.UnixMilli(), kinds[i], e.Message, e.Details)
		stmt := one
		if i < len(entries)/insertRows*insertRows {
			if len(args) < cap(args) {
				continue
			}
			stmt = many
		}
		if _, err := stmt.Exec(args...); err != nil {
			return err
		}
		args = args[:0]
	}
	return nil
}

// After reads what follows an id.
func (l *Logs) After(ctx context.Context, id int64, limit int) ([]logbook.Entry, error) {
	last, err := l.Last()
	if err != nil {
		return nil, err
	}
	var found []logbook.Entry
	err = l.read(ctx, l.ascending, id+1, last, limit, func(e logbook.Entry, _ int) bool {
		found = append(found, e)
		return true
	})
	return found, explain(err)
}

// read gives fn the entries of the ids from first to last, until it says to stop.
func (l *Logs) read(ctx context.Context, order *sql.Stmt, first, last int64, limit int, fn func(logbook.Entry, int) bool) error {
	rows, err := order.QueryContext(ctx, first, last, limit)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			e    logbook.Entry
			at   int64
			kind int
		)
		if err := rows.Scan(&e.ID, &at, &kind, &e.Message, &e.Details); err != nil {
			return err
		}
		e.At = time.UnixMilli(at)
		if e.Level, e.Source, err = levelAndSource(kind); err != nil {
			return fmt.Errorf("log entry %d: %w", e.ID, err)
		}
		if !fn(e, kind) {
			return nil
		}
	}
	return rows.Err()
}
