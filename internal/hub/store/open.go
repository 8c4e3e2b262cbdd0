package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver named "sqlite"
)

// openDatabase opens the SQLite file in a folder or, where an address is given, PostgreSQL there.
func openDatabase(folder, address string) (*database, error) {
	if address != "" {
		return openPostgres(address)
	}
	return openSQLite(folder)
}

// openPostgres opens nothing yet: the first query does.
func openPostgres(address string) (*database, error) {
	c, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("reading the database's address: %w", err) // without its password
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 5 * time.Second
	}
	db := &database{postgres: true, config: c}
	db.writer = db.pool(2 * connections)
	db.reader = db.writer
	return db, nil
}

// pool is connections to PostgreSQL, made when they are needed.
func (db *database) pool(most int) *sql.DB {
	made := stdlib.OpenDB(*db.config)
	made.SetMaxOpenConns(most)
	made.SetMaxIdleConns(most)
	return made
}

// forLeases is the same database by a connection that nobody else waits for.
func (db *database) forLeases() *database {
	if !db.postgres {
		return db
	}
	if db.apart == nil {
		db.apart = db.pool(1)
	}
	return &database{reader: db.apart, writer: db.apart, postgres: true}
}

// checkedSize is up to what size a file is looked at as a whole.
const checkedSize = 8 << 20

func openSQLite(folder string) (*database, error) {
	path := filepath.Join(folder, File)
	// Made before SQLite sees it: the files it puts beside it take over its mode, and what customers paid is nobody else's
	// to read.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	db := &database{}
	if db.writer, err = sql.Open("sqlite", dsn(path, "immediate", "query_only(OFF)", "cache_size(-8192)")); err != nil {
		return nil, err
	}
	db.writer.SetMaxOpenConns(1)
	// Each reader has a cache of its own, outside of what Go counts as its memory.
	if db.reader, err = sql.Open("sqlite", dsn(path, "deferred", "query_only(ON)", "cache_size(-2048)")); err != nil {
		return nil, errors.Join(err, db.writer.Close())
	}
	db.reader.SetMaxOpenConns(connections)
	db.reader.SetMaxIdleConns(connections)
	db.commits = newCommitter(db)
	if info.Size() <= checkedSize {
		if err := check(db.writer); err != nil {
			return nil, errors.Join(fmt.Errorf("opening %s: %w", path, explain(err)), db.close())
		}
	}
	return db, nil
}

// check looks for damage in the whole file.
func check(db *sql.DB) error {
	var found string
	if err := db.QueryRow("PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", ErrUnreadable, found)
	}
	return nil
}

// dsn asks for a commit that is on the disk before it is answered: a write-ahead log with an fsync at each one.
func dsn(path, lock string, more ...string) string {
	q := url.Values{"_txlock": {lock}, "_pragma": append([]string{
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)", "temp_store(MEMORY)",
	}, more...)}
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + q.Encode()
}

//go:embed schema/*.sql
var schema embed.FS

const makeMigrations = `CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, at BIGINT NOT NULL)`

// migrate runs the numbered files that the database has not seen yet, each in a transaction of its own. Hubs that start together at
// one database meet here: each file is run by one of them.
func (db *database) migrate(ctx context.Context) error {
	_, err := db.writer.ExecContext(ctx, makeMigrations)
	if taken(err) || madeMeanwhile(err) {
		_, err = db.writer.ExecContext(ctx, makeMigrations)
	}
	if err != nil {
		return err
	}
	steps, err := schemaSteps()
	if err != nil {
		return err
	}
	var have int
	if err := db.writer.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM migrations`).Scan(&have); err != nil {
		return err
	}
	if have > len(steps) {
		return newer(have, len(steps))
	}
	for i := range steps {
		if err := db.write(ctx, func(t *tx) error { return t.step(steps, i+1) }); err != nil {
			return err
		}
	}
	return nil
}

func newer(have, known int) error {
	return fmt.Errorf("%w: schema %d, known up to %d", ErrNewer, have, known)
}

// schemaSteps are the numbered files, the first at 0.
func schemaSteps() ([]string, error) {
	steps, err := fs.Glob(schema, "schema/*.sql") // sorted by name, so by number
	if err != nil {
		return nil, err
	}
	for i, name := range steps {
		number, err := strconv.Atoi(strings.SplitN(filepath.Base(name), "_", 2)[0])
		if err != nil || number != i+1 {
			return nil, fmt.Errorf("migration %s is out of sequence", name)
		}
	}
	return steps, nil
}

// madeMeanwhile tells of a table that another hub made between the look for it and the making: of its name, or of its row's type.
func madeMeanwhile(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && (said.Code == pgDuplicateTable || said.Code == pgDuplicateObject)
}

const (
	pgDuplicateTable  = "42P07"
	pgDuplicateObject = "42710"
)

// step runs one file, unless it was run.
func (t *tx) step(steps []string, number int) error {
	name := steps[number-1]
	text, err := fs.ReadFile(schema, name)
	if err != nil {
		return err
	}
	// The row first: whoever wants to write it, too, waits until this is committed.
	n, err := t.exec(`INSERT INTO migrations (number, at) VALUES (?, ?) ON CONFLICT (number) DO NOTHING`, number, time.Now())
	if err == nil && n > 0 {
		_, err = t.sql.ExecContext(t.ctx, string(text))
	}
	if err != nil {
		return fmt.Errorf("migration %s: %w", name, err)
	}
	return nil
}
