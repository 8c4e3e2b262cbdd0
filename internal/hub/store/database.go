package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// database is either of the two. Queries are written with ? for their arguments.
type database struct {
	reader   *sql.DB
	writer   *sql.DB
	postgres bool
	config   *pgx.ConnConfig // PostgreSQL's
	apart    *sql.DB         // PostgreSQL's for leases; nil: nobody has asked for it
	commits  *committer      // SQLite's
	prepared sync.Map        // of SQLite's reader: the statements of queries for one row
}

// connections is how many a hub has to PostgreSQL, or readers of SQLite.
const connections = 8

func (db *database) close() error {
	if db.postgres {
		if db.apart != nil {
			db.apart.Close()
		}
		return db.writer.Close()
	}
	db.commits.close()
	// The writer last: closing the final connection brings the write-ahead log into the file.
	return errors.Join(db.reader.Close(), db.writer.Close())
}

// tx is what a write may do. Its statements are not ended by the caller's leaving: others may share the transaction.
type tx struct {
	ctx context.Context
	sql *sql.Tx
	db  *database
}

// write commits what fn did, or nothing of it. fn may be run more than once.
func (db *database) write(ctx context.Context, fn func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !db.postgres {
		return explain(db.commits.do(fn))
	}
	const attempts = 20
	var err error
	for range attempts {
		if err = db.transact(ctx, fn); !collided(err) {
			break
		}
	}
	return explain(err)
}

func (db *database) transact(ctx context.Context, fn func(*tx) error) error {
	t, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(&tx{ctx, t, db}); err != nil {
		_ = t.Rollback() // a connection that can't is closed, and that rolls back
		return err
	}
	return t.Commit()
}

// exec runs a statement and tells how many rows it touched.
func (t *tx) exec(query string, args ...any) (int64, error) {
	r, err := t.sql.ExecContext(t.ctx, t.db.bind(query), clean(args)...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (t *tx) row(query string, args ...any) *sql.Row {
	return t.sql.QueryRowContext(t.ctx, t.db.bind(query), clean(args)...)
}

func (t *tx) rows(query string, args ...any) (*sql.Rows, error) {
	return t.sql.QueryContext(t.ctx, t.db.bind(query), clean(args)...)
}

// insert writes rows, some in one statement. end is what follows the values.
func (t *tx) insert(into, end string, rows [][]any) error {
	const atOnce = 64
	for len(rows) > 0 {
		n := min(len(rows), atOnce)
		group := "(" + strings.Repeat("?, ", len(rows[0])-1) + "?)"
		var args []any
		for _, r := range rows[:n] {
			args = append(args, r...)
		}
		if _, err := t.exec("INSERT INTO "+into+" VALUES "+group+strings.Repeat(", "+group, n-1)+" "+end, args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

type scanner interface{ Scan(...any) error }

// one reads a row. No row is fleet.ErrNotFound or what the caller says instead.
func one[T any](ctx context.Context, db *database, missing error, scan func(scanner) (T, error), query string, args ...any) (T, error) {
	v, err := scan(db.row(ctx, query, clean(args)))
	if errors.Is(err, sql.ErrNoRows) {
		return v, missing
	}
	return v, explain(err)
}

// row asks for a row. SQLite takes longer to understand such a query than to answer it; PostgreSQL's driver remembers by itself.
func (db *database) row(ctx context.Context, query string, args []any) *sql.Row {
	if db.postgres {
		return db.reader.QueryRowContext(ctx, db.bind(query), args...)
	}
	known, ok := db.prepared.Load(query)
	if !ok {
		made, err := db.reader.PrepareContext(ctx, query)
		if err != nil {
			return db.reader.QueryRowContext(ctx, query, args...) // which has the same to say
		}
		if known, ok = db.prepared.LoadOrStore(query, made); ok {
			made.Close()
		}
	}
	return known.(*sql.Stmt).QueryRowContext(ctx, args...)
}

// many reads rows.
func many[T any](ctx context.Context, db *database, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	var all []T
	err := each(ctx, db, scan, func(v T) error {
		all = append(all, v)
		return nil
	}, query, args...)
	return all, err
}

// read reads rows of a transaction.
func read[T any](t *tx, scan func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	rows, err := t.rows(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// each passes rows on.
func each[T any](ctx context.Context, db *database, scan func(scanner) (T, error), fn func(T) error, query string, args ...any) error {
	rows, err := db.reader.QueryContext(ctx, db.bind(query), clean(args)...)
	if err != nil {
		return explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		v, err := scan(rows)
		if err == nil {
			err = fn(v)
		}
		if err != nil {
			return explain(err)
		}
	}
	return explain(rows.Err())
}

// bind writes a query as the database wants it.
func (db *database) bind(query string) string {
	if !db.postgres {
		return query
	}
	var b strings.Builder
	n := 0
	for part := range strings.SplitSeq(query, "?") {
		if n > 0 {
			fmt.Fprintf(&b, "$%d", n)
		}
		b.WriteString(part)
		n++
	}
	return b.String()
}

// clean makes arguments fit both databases: times are microseconds, and texts have nothing that PostgreSQL refuses in one. A terminal
// may send such a text, and what is looked up by it must be found.
func clean(args []any) []any {
	for i, a := range args {
		switch v := a.(type) {
		case string:
			args[i] = strings.ToValidUTF8(strings.ReplaceAll(v, "\x00", "\uFFFD"), "\uFFFD")
		case time.Time:
			if args[i] = nil; !v.IsZero() {
				args[i] = v.UnixMicro()
			}
		case []byte:
			if v == nil {
				args[i] = []byte{}
			}
		}
	}
	return args
}

// into reads a time.
type into struct{ at *time.Time }

func (i into) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*i.at = time.Time{}
	case int64:
		*i.at = time.UnixMicro(v).UTC()
	default:
		return fmt.Errorf("a time is %T", v)
	}
	return nil
}

// where gathers conditions.
type where struct {
	text []string
	args []any
}

func (w *where) add(condition string, args ...any) {
	w.text = append(w.text, condition)
	w.args = append(w.args, args...)
}

// equal asks for a value, unless it is empty.
func (w *where) equal(column, value string) {
	if value != "" {
		w.add(column+" = ?", value)
	}
}

// since asks for a column's times from a moment on, and before another; either may be zero.
func (w *where) since(column string, since, until time.Time) {
	if !since.IsZero() {
		w.add(column+" >= ?", since)
	}
	if !until.IsZero() {
		w.add(column+" < ?", until)
	}
}

func (w *where) String() string { return " WHERE " + strings.Join(w.text, " AND ") }

// inside is the condition of a place.
func inside(p fleet.Place) *where {
	w := &where{}
	w.add("account_id = ?", p.Account)
	w.equal("tenant_id", p.Tenant)
	w.equal("shop_id", p.Shop)
	return w
}

// collided tells of a transaction that met another, and can be run again.
func collided(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	return e.Code == "40001" || e.Code == "40P01"
}

// taken tells of a second one of what there can be only one of.
func taken(err error) bool {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code == "23505"
	}
	var s *sqlite.Error
	return errors.As(err, &s) && (s.Code() == lib.SQLITE_CONSTRAINT_UNIQUE || s.Code() == lib.SQLITE_CONSTRAINT_PRIMARYKEY)
}

// explain adds what others can look for without knowing the database: syscall.ENOSPC when the disk is full, syscall.EROFS when it
// can't be written, ErrUnreadable when the file is damaged, and why PostgreSQL can't be reached.
func explain(err error) error {
	var s *sqlite.Error
	if !errors.As(err, &s) {
		return explainConnecting(err)
	}
	why := map[int]error{
		lib.SQLITE_FULL: syscall.ENOSPC, lib.SQLITE_READONLY: syscall.EROFS, lib.SQLITE_CORRUPT: ErrUnreadable, lib.SQLITE_NOTADB: ErrUnreadable,
	}[s.Code()&0xff]
	if why == nil || errors.Is(err, why) {
		return err
	}
	return fmt.Errorf("%w: %w", why, err)
}
