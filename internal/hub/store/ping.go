package store

import (
	"context"
	"errors"
)

// PingAddress tells whether PostgreSQL answers at an address; nothing is written.
func PingAddress(ctx context.Context, address string) error {
	db, err := openPostgres(address)
	if err != nil {
		return err
	}
	return errors.Join(explain(db.reader.PingContext(ctx)), db.close())
}
