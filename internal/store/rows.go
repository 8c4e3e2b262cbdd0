package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/maquininha/maquininha/internal/money"
)

// one is query for a statement that gives one row.
func (b *batch) one(query string, args ...any) interface{ Scan(...any) error } {
	s, err := b.stmt(query)
	if err != nil {
		return noRow{err}
	}
	return s.QueryRowContext(context.Background(), args...)
}

type noRow struct{ err error }

func (n noRow) Scan(...any) error { return n.err }

// collect reads every row and closes them.
func collect[T any](rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// exact scans a decimal kept as text.
type exact struct{ d *money.Decimal }

func (e exact) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("decimal kept as %T", src)
	}
	d, err := money.Parse(text)
	if err != nil {
		return err
	}
	*e.d = d
	return nil
}

// optional scans a decimal that may be null.
type optional struct{ d **money.Decimal }

func (o optional) Scan(src any) error {
	if src == nil {
		*o.d = nil
		return nil
	}
	var d money.Decimal
	if err := (exact{&d}).Scan(src); err != nil {
		return err
	}
	*o.d = &d
	return nil
}
