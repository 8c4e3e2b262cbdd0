package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/records"
)

// home is where a payment belongs that was begun under another id of its terminal, which left and joined again since: under that id,
// in the shop where it was paid.
type home struct{ terminal, tenant, shop string }

// begun is a payment that was begun under another id.
type begun struct {
	home
	attempt           int64
	created           time.Time
	reference, amount string
}

func scanBegun(r scanner) (x begun, err error) {
	err = r.Scan(&x.attempt, &x.terminal, &x.tenant, &x.shop, into{&x.created}, &x.reference, &x.amount)
	return x, err
}

// homes are those of a batch's attempts; one without is at home under the batch's own id. An attempt is known by its number in the
// batch's epoch and in those that this is a copy of, as far as both are the same; in any other epoch of the terminal by its beginning
// too, since numbers are given again after older data were put back. A terminal that says so of another's must know what that one sold.
func homes(t *tx, b records.Batch, kin []any) (map[int64]home, error) {
	if len(kin) == 0 || len(b.Transactions) == 0 {
		return nil, nil
	}
	const columns = `SELECT x.attempt, x.terminal_id, x.tenant_id, x.shop_id, x.created_at, x.reference, x.amount FROM transactions AS x `
	epoch, sold := b.Before.Epoch, map[int64]records.Transaction{}
	var attempts, moments []any
	for _, x := range b.Transactions {
		sold[x.Attempt] = x
		attempts, moments = append(attempts, x.Attempt), append(moments, x.CreatedAt.UnixMicro())
	}
	all := map[int64]home{}
	// The surest last: it counts.
	for _, ask := range []struct {
		query  string
		args   [][]any
		moment bool // must be the same
	}{
		{columns + `WHERE x.terminal_id IN ` + list(kin) + ` AND x.created_at IN ` + list(moments), [][]any{kin, moments}, true},
		{
			columns + `JOIN origins AS o ON o.epoch = ? AND o.kind = ? AND o.origin = x.epoch AND o.terminal_id IN (?, ` + list(kin)[1:] + `
			WHERE x.terminal_id IN ` + list(kin) + ` AND x.attempt IN ` + list(attempts) + ` AND EXISTS (SELECT 1 FROM steps AS s
				WHERE s.terminal_id = x.terminal_id AND s.epoch = x.epoch AND s.attempt = x.attempt AND s.number <= o.number)`,
			[][]any{{epoch, string(records.Ledger), b.Before.Terminal}, kin, kin, attempts},
			false,
		},
		{columns + `WHERE x.terminal_id IN ` + list(kin) + ` AND x.epoch = ? AND x.attempt IN ` + list(attempts), [][]any{kin, {epoch}, attempts}, false},
	} {
		found, err := gather(t.rows, scanBegun, ask.query, ask.args...)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			x, known := sold[f.attempt]
			if !known || f.reference != x.Reference || f.amount != x.Amount || ask.moment && f.created.UnixMicro() != x.CreatedAt.UnixMicro() {
				continue
			}
			all[f.attempt] = f.home
		}
	}
	return all, nil
}

// asker runs a query: in a write, or beside it.
type asker func(query string, args ...any) (*sql.Rows, error)

// kinOf are all ids of a terminal, the ones given too: those under which an epoch was read, or named as an origin, that is one of its
// own. They are claimed by the terminal; what it may do to their payments is another question.
func kinOf(ask asker, account string, ids ...any) ([]any, error) {
	kind := string(records.Ledger)
	for {
		epochs := `(SELECT epoch FROM cursors WHERE terminal_id IN ` + list(ids) + ` AND kind = ? UNION SELECT origin FROM origins WHERE terminal_id IN ` + list(ids) + ` AND kind = ?)`
		args := slices.Concat([]any{account, kind}, ids, []any{kind}, ids, []any{kind})
		all, err := gather(ask, scanID, `SELECT terminal_id FROM cursors WHERE account_id = ? AND kind = ? AND epoch IN `+epochs+`
			UNION SELECT terminal_id FROM origins WHERE account_id = ? AND kind = ? AND origin IN `+epochs+` ORDER BY terminal_id`, args, args)
		if err != nil || len(all) <= len(ids) {
			return ids, err
		}
		ids = all
	}
}

func scanID(r scanner) (id any, err error) {
	var text string
	err = r.Scan(&text)
	return text, err
}

// Line is the newest step of an epoch up to a number, under whichever ids it is kept.
func (r *Records) Line(ctx context.Context, account, epoch string, upTo int64) (records.Step, error) {
	ask := func(query string, args ...any) (*sql.Rows, error) {
		return r.db.reader.QueryContext(ctx, r.db.bind(query), clean(args)...)
	}
	ids, err := gather(ask, scanID, `SELECT terminal_id FROM cursors WHERE epoch = ? AND kind = ? AND account_id = ?`, []any{epoch, string(records.Ledger), account})
	if err == nil && len(ids) > 0 {
		ids, err = kinOf(ask, account, ids...)
	}
	var newest records.Step
	for _, id := range ids {
		steps, failure := gather(ask, scanStep, `SELECT `+stepColumns+` FROM steps WHERE terminal_id = ? AND epoch = ? AND number <= ? ORDER BY number DESC LIMIT 1`, []any{id, epoch, upTo})
		err = cmp.Or(err, failure)
		if len(steps) > 0 && steps[0].Number > newest.Number {
			newest = steps[0]
		}
	}
	if err == nil && newest.Number == 0 {
		err = records.ErrNotFound
	}
	return newest, explain(err)
}

// list has a place for each argument; there is one at least.
func list(args []any) string { return "(?" + strings.Repeat(", ?", len(args)-1) + ")" }

// gather reads rows.
func gather[T any](ask asker, scan func(scanner) (T, error), query string, args ...[]any) ([]T, error) {
	rows, err := ask(query, slices.Concat(args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
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
