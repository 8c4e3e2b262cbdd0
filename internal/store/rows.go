package store

import (
	"database/sql"
	"fmt"

	"github.com/maquininha/maquininha/internal/money"
)

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

// Scan reads a decimal kept as text.
func (e *exact) Scan(src any) (err error) {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("decimal kept as %T", src)
	}
	e.Decimal, err = money.Parse(text)
	return err
}
