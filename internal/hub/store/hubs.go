package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/maquininha/maquininha/internal/hub/leases"
)

const pgNoTable = "42P01"

// HubsAt are the hubs that run at the PostgreSQL of an address, as somebody beside them sees it: nothing is written, and where no hub has begun
// there are none.
func HubsAt(ctx context.Context, address string) ([]leases.Hub, error) {
	db, err := openPostgres(address)
	if err != nil {
		return nil, err
	}
	all, err := many(ctx, db, func(r scanner) (h leases.Hub, err error) {
		err = r.Scan(&h.Run, &h.Identity, &h.Address, &h.KeyHash)
		return h, err
	}, `SELECT run, identity, address, key_hash FROM hubs WHERE valid_until > `+db.clock()+` ORDER BY address, run`)
	var said *pgconn.PgError
	if errors.As(err, &said) && said.Code == pgNoTable {
		err = nil
	}
	return all, errors.Join(err, db.close())
}
