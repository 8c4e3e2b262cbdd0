package store

import (
	"context"
	"slices"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// Stays are where a terminal belonged, oldest first, and belongs.
func (r *Records) Stays(ctx context.Context, terminal string) ([]fleet.Stay, error) {
	all, err := many(ctx, r.db, func(r scanner) (s fleet.Stay, err error) {
		err = r.Scan(&s.Account, &s.Tenant, &s.Shop, into{&s.Until})
		return s, err
	}, `SELECT account_id, tenant_id, shop_id, moved_at FROM moves WHERE terminal_id = ?
		UNION ALL SELECT account_id, tenant_id, shop_id, NULL FROM terminals WHERE id = ?`, terminal, terminal)
	slices.SortFunc(all, func(a, b fleet.Stay) int {
		if a.Until.IsZero() != b.Until.IsZero() {
			return b.Until.Compare(a.Until) // the one that has no end is the last
		}
		return a.Until.Compare(b.Until)
	})
	return all, err
}

// Begun are where those of an epoch's attempts belong that are known.
func (r *Records) Begun(ctx context.Context, terminal, epoch string, attempts []int64) (map[int64]fleet.Place, error) {
	if len(attempts) == 0 {
		return nil, nil
	}
	args := []any{terminal, epoch}
	for _, a := range attempts {
		args = append(args, a)
	}
	known := map[int64]fleet.Place{}
	_, err := many(ctx, r.db, func(r scanner) (struct{}, error) {
		var attempt int64
		var p fleet.Place
		err := r.Scan(&attempt, &p.Account, &p.Tenant, &p.Shop)
		known[attempt] = p
		return struct{}{}, err
	}, `SELECT attempt, account_id, tenant_id, shop_id FROM transactions WHERE terminal_id = ? AND epoch = ? AND attempt IN `+list(args[2:]), args...)
	return known, err
}
