package store

import (
	"strings"

	"github.com/maquininha/maquininha/internal/hub/records"
)

// home is where a payment belongs that was begun under another id of its terminal, which left and joined again since: under that id,
// in the shop where it was paid.
type home struct{ terminal, tenant, shop string }

// readers are the ids under which an epoch was read: epoch, kind and account.
const readers = `SELECT c.terminal_id FROM cursors AS c WHERE c.epoch = ? AND c.kind = ? AND c.account_id = ?`

// homes are those of a batch's attempts; one without is at home under the batch's own id.
func homes(t *tx, b records.Batch) (map[int64]home, error) {
	former, err := formerIDs(t, b)
	if err != nil || len(former) == 0 || len(b.Transactions) == 0 {
		return nil, err
	}
	epoch, kind := b.Before.Epoch, string(records.Ledger)
	args := former
	for _, x := range b.Transactions {
		args = append(args, x.Attempt)
	}
	rows, err := t.rows(`SELECT x.attempt, x.terminal_id, x.tenant_id, x.shop_id FROM transactions AS x
		WHERE x.terminal_id IN (?`+strings.Repeat(", ?", len(former)-1)+`) AND x.attempt IN (?`+strings.Repeat(", ?", len(b.Transactions)-1)+`)
			AND (x.epoch = ? OR EXISTS (SELECT 1 FROM origins AS o
				JOIN steps AS s ON s.terminal_id = x.terminal_id AND s.epoch = o.origin AND s.attempt = x.attempt AND s.number <= o.number
				WHERE o.terminal_id IN (`+readers+`) AND o.epoch = ? AND o.kind = ? AND o.origin = x.epoch))`,
		append(args, epoch, epoch, kind, b.Account, epoch, kind)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int64]home{}
	for rows.Next() {
		var attempt int64
		var h home
		if err := rows.Scan(&attempt, &h.terminal, &h.tenant, &h.shop); err != nil {
			return nil, err
		}
		all[attempt] = h
	}
	return all, rows.Err()
}

// formerIDs are others under which the batch's epoch was read, or one that it is a copy of.
func formerIDs(t *tx, b records.Batch) (ids []any, err error) {
	epoch, kind := b.Before.Epoch, string(records.Ledger)
	rows, err := t.rows(`SELECT DISTINCT terminal_id FROM cursors WHERE account_id = ? AND kind = ? AND terminal_id <> ?
		AND (epoch = ? OR epoch IN (SELECT o.origin FROM origins AS o WHERE o.terminal_id IN (`+readers+`) AND o.epoch = ? AND o.kind = ?))`,
		b.Account, kind, b.Before.Terminal, epoch, epoch, kind, b.Account, epoch, kind)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// atHome groups a batch's transactions by the id that they belong under.
func atHome(b records.Batch, at map[int64]home) map[string][]records.Transaction {
	groups := map[string][]records.Transaction{}
	for _, x := range b.Transactions {
		if h, other := at[x.Attempt]; other {
			x.Terminal, x.Tenant, x.Shop = h.terminal, h.tenant, h.shop
		}
		groups[x.Terminal] = append(groups[x.Terminal], x)
	}
	return groups
}
