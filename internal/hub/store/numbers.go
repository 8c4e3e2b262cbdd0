package store

import (
	"database/sql"
	"errors"
	"maps"
	"slices"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// numbering gives out numbers of accounts and of tenants. Whoever uses it holds the row of the kind's own number, so that nobody else does meanwhile.
type numbering struct {
	t    *tx
	kind string // events or changes
	last map[string]int64
}

func newNumbering(t *tx, kind string) *numbering { return &numbering{t, kind, map[string]int64{}} }

// next are the numbers of something in a place: of the account's, and of the tenant's, nil where it is of none.
func (n *numbering) next(p fleet.Place) (ofAccount, ofTenant any, err error) {
	if ofAccount, err = n.of(p.Account); err == nil && p.Tenant != "" {
		ofTenant, err = n.of(p.Tenant)
	}
	return ofAccount, ofTenant, err
}

func (n *numbering) of(place string) (int64, error) {
	last, known := n.last[place]
	if !known {
		err := n.t.row(`SELECT last FROM place_numbers WHERE kind = ? AND place = ?`, n.kind, place).Scan(&last)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
	}
	n.last[place] = last + 1
	return last + 1, nil
}

// keep writes how far it came.
func (n *numbering) keep() error {
	var rows [][]any
	for _, place := range slices.Sorted(maps.Keys(n.last)) {
		rows = append(rows, []any{n.kind, place, n.last[place]})
	}
	return n.t.insert("place_numbers (kind, place, last)", "ON CONFLICT (kind, place) DO UPDATE SET last = excluded.last", rows)
}

// numberFor is the column of the numbers that are shown to who sees a place.
func numberFor(p fleet.Place) string {
	if p.Tenant != "" {
		return "tenant_number"
	}
	return "account_number"
}

// movedOn is a last number that is brought to a later one, given three times.
const movedOn = `CASE WHEN last < ? THEN ? ELSE last + ? END`

// moveNumbers brings the last number of a kind to a later one, at every account and tenant.
func moveNumbers(t *tx, kind string, to int64) error {
	for _, table := range []string{"accounts", "tenants"} {
		if _, err := t.exec(`INSERT INTO place_numbers (kind, place, last) SELECT '`+kind+`', id, 0 FROM `+table+` WHERE id NOT IN (SELECT place FROM place_numbers WHERE kind = ?)`, kind); err != nil {
			return err
		}
	}
	_, err := t.exec(`UPDATE place_numbers SET last = `+movedOn+` WHERE kind = ?`, to, to, to, kind)
	return err
}
