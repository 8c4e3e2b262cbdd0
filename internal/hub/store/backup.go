package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// A backup of the records is made of rows, not of the database's own files: it is the same from SQLite and PostgreSQL, and goes into either.

var (
	// ErrNoRecords means that no hub has begun here.
	ErrNoRecords = errors.New("no records yet")
	// ErrNotEmpty means that a database has something in it.
	ErrNotEmpty = errors.New("the database is not empty")
	// ErrUnsure means that PostgreSQL did not confirm a restore: all of it is there, or nothing.
	ErrUnsure = errors.New("the restore was not confirmed")
)

// tables are what a backup has, each behind those that it refers to. Sessions and codes begin anew: who was signed in signs in again, so
// that who signed out since does not come back to life; codes last for minutes, and so do the leases of hubs.
var tables = []string{
	"accounts", "tenants", "shops", "terminals", "moves", "keys", "people", "change_number", "place_numbers", "changes",
	"webhooks", "event_number", "events", "deliveries", "told", "settings", "settings_reports", "cursors", "origins", "gaps", "steps", "transactions", "returns", "entries", "operations",
}

// Take is handed the pieces of a backup in their order, by name: which schema the rows have, then rows of a table as lines of JSON, the
// names of the columns first.
type Take func(name string, content []byte) error

// schemaPiece is the first: which of the numbered files the database had seen.
const schemaPiece = "schema"

// pieceBytes is when a piece ends; one row makes it longer at most.
const pieceBytes = 1 << 20

// Counts are how many rows a backup has, by table.
type Counts map[string]int

// Export passes on all records as they are at one moment, while hubs go on writing. It changes nothing, and asks no lock of anybody.
func Export(ctx context.Context, folder, address string, take Take) (Counts, error) {
	db, err := openToExport(folder, address)
	if err != nil {
		return nil, err
	}
	counts, err := db.export(ctx, take)
	return counts, explain(errors.Join(err, db.reader.Close()))
}

func openToExport(folder, address string) (*database, error) {
	if address != "" {
		return openPostgres(address)
	}
	path := filepath.Join(folder, File)
	// Not opened: in a process that has the file open already, closing it again would cost that one its locks.
	if info, err := os.Stat(path); errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil, ErrNoRecords
	} else if err != nil {
		return nil, err
	}
	reader, err := sql.Open("sqlite", dsn(path, "deferred", "query_only(ON)", "cache_size(-2048)"))
	return &database{reader: reader}, err
}

func (db *database) export(ctx context.Context, take Take) (Counts, error) {
	var options *sql.TxOptions // a transaction of SQLite sees one state anyway
	if db.postgres {
		options = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	}
	begun, err := db.reader.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	defer begun.Rollback() //nolint:errcheck // it was only read
	t := &tx{ctx, begun, db}
	have, err := t.tables()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(have, "migrations") {
		return nil, ErrNoRecords
	}
	if err := t.exportSchema(take); err != nil {
		return nil, err
	}
	counts := Counts{}
	for _, table := range tables {
		if !slices.Contains(have, table) {
			continue // of a later schema
		}
		if counts[table], err = t.exportTable(table, take); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// tables are those that the database has.
func (t *tx) tables() ([]string, error) {
	query := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`
	if t.db.postgres {
		query = `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`
	}
	return gather(t.rows, func(r scanner) (name string, err error) {
		err = r.Scan(&name)
		return name, err
	}, query)
}

func (t *tx) exportSchema(take Take) error {
	steps, err := schemaSteps()
	if err != nil {
		return err
	}
	var have int
	if err := t.row(`SELECT coalesce(max(number), 0) FROM migrations`).Scan(&have); err != nil {
		return err
	}
	switch {
	case have > len(steps):
		return newer(have, len(steps))
	case have == 0:
		return ErrNoRecords
	}
	content, err := json.Marshal(have)
	if err != nil {
		return err
	}
	return take(schemaPiece, content)
}

func (t *tx) exportTable(table string, take Take) (count int, err error) {
	rows, err := t.rows(`SELECT * FROM ` + table)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		return 0, err
	}
	var content bytes.Buffer
	lines := json.NewEncoder(&content)
	number := 0
	end := func() error {
		number++
		err := take(fmt.Sprintf("%s/%06d", table, number), bytes.Clone(content.Bytes()))
		content.Reset()
		return err
	}
	cells, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return count, err
		}
		if content.Len() == 0 {
			if err := lines.Encode(columns); err != nil {
				return count, err
			}
		}
		if err := lines.Encode(written(cells, types)); err != nil {
			return count, err
		}
		if count++; content.Len() >= pieceBytes {
			if err := end(); err != nil {
				return count, err
			}
		}
	}
	if err := rows.Err(); err != nil || content.Len() == 0 {
		return count, err
	}
	return count, end()
}

// written are cells as JSON keeps them: bytes in a list of one text, so that they are no text; truths as such, of which SQLite has none.
func written(cells []any, types []*sql.ColumnType) []any {
	out := slices.Clone(cells)
	for i, c := range out {
		switch v := c.(type) {
		case []byte:
			out[i] = [][]byte{append([]byte{}, v...)}
		case int64:
			if types[i].DatabaseTypeName() == "BOOLEAN" {
				out[i] = v != 0
			}
		}
	}
	return out
}
