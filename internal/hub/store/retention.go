package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/maquininha/maquininha/internal/hub/retention"
)

// Retention deletes what is old.
type Retention struct{ db *database }

// Retention is the book that forgets.
func (s *Store) Retention() *Retention { return &Retention{s.db} }

var _ retention.Book = (*Retention)(nil)

// Forget deletes some of a kind, in one transaction.
func (r *Retention) Forget(ctx context.Context, k retention.Kind, before time.Time, after retention.Mark, limit int) (n int, next retention.Mark, err error) {
	forget := map[retention.Kind]func(*tx, time.Time, retention.Mark, int) (int, retention.Mark, error){
		retention.Transactions: forgetTransactions, retention.Audit: forgetChanges,
		retention.Logs: forgetOldest("entries", "at"), retention.Operations: forgetOldest("operations", "ended_at"),
	}[k]
	if forget == nil {
		return 0, next, fmt.Errorf("nothing is kept as %s", k)
	}
	err = r.db.write(ctx, func(t *tx) error {
		n, next, err = forget(t, before, after, limit)
		return err
	})
	if err != nil {
		return 0, retention.Mark{}, err
	}
	return n, next, nil
}

// forgetOldest deletes the oldest of a table whose times have an index: limit of them, and those of the same time.
func forgetOldest(table, column string) func(*tx, time.Time, retention.Mark, int) (int, retention.Mark, error) {
	return func(t *tx, before time.Time, _ retention.Mark, limit int) (int, retention.Mark, error) {
		// In one range of time, so that no row has to be named: the limit-th oldest is where it ends.
		var until time.Time
		err := t.row(`SELECT max(`+column+`) FROM (SELECT `+column+` FROM `+table+` WHERE `+column+` < ? ORDER BY `+column+` LIMIT ?) AS oldest`, before, limit).Scan(into{&until})
		if err != nil || until.IsZero() {
			return 0, retention.Mark{}, err
		}
		dropped, err := t.exec(`DELETE FROM `+table+` WHERE `+column+` <= ?`, until)
		if int(dropped) < limit {
			return int(dropped), retention.Mark{}, err
		}
		return int(dropped), retention.Mark{At: until}, err
	}
}

// forgetChanges deletes lines of the audit log in the order of their numbers, which is that of time but for clocks that were wrong. What other
// hubs have yet to hear of is seconds old, and no rule is shorter than a day.
func forgetChanges(t *tx, before time.Time, after retention.Mark, limit int) (int, retention.Mark, error) {
	var last int64
	err := t.row(`SELECT coalesce(max(number), 0) FROM (SELECT number FROM changes WHERE number > ? ORDER BY number LIMIT ?) AS next`, after.Number, limit).Scan(&last)
	if err != nil || last == 0 {
		return 0, retention.Mark{}, err
	}
	dropped, err := t.exec(`DELETE FROM changes WHERE number > ? AND number <= ? AND at < ?`, after.Number, last, before)
	if dropped == 0 {
		return 0, retention.Mark{}, err
	}
	return int(dropped), retention.Mark{Number: last}, err
}

// old is a payment in one of its lives.
type old struct {
	created         time.Time
	terminal, epoch string
	attempt         int64
	needless        bool
}

func scanOld(r scanner) (o old, err error) {
	err = r.Scan(into{&o.created}, &o.terminal, &o.epoch, &o.attempt, &o.needless)
	return o, err
}

// oldPayments are those that were begun before a moment, an account after the other. One is needless when nothing was done about it since in any of its
// lives, its end is known, and later lines of its epoch are there: by the newest a terminal that joins again shows that the epoch is its own. An
// attempt has few lines: the sum keeps databases from looking for its highest number from the top of the epoch down.
const oldPayments = `SELECT x.created_at, x.terminal_id, x.epoch, x.attempt, (NOT EXISTS (SELECT 1 FROM transactions AS y
		WHERE y.terminal_id = x.terminal_id AND y.created_at = x.created_at AND y.attempt = x.attempt AND (y.updated_at >= ? OR y.status = 'pending'))
	AND (SELECT max(n.number) FROM steps AS n WHERE n.terminal_id = x.terminal_id AND n.epoch = x.epoch)
		> (SELECT coalesce(max(s.number + 0), 0) FROM steps AS s WHERE s.terminal_id = x.terminal_id AND s.epoch = x.epoch AND s.attempt = x.attempt)) AS needless
	FROM transactions AS x WHERE x.account_id = ? AND x.created_at < ? AND (x.created_at, x.terminal_id, x.epoch, x.attempt) > (?, ?, ?, ?)
	ORDER BY x.created_at, x.terminal_id, x.epoch, x.attempt LIMIT ?`

// forgetTransactions goes through the payments of an account in the order of their beginnings, then on to the next account.
func forgetTransactions(t *tx, before time.Time, after retention.Mark, limit int) (n int, next retention.Mark, err error) {
	if after == (retention.Mark{}) {
		if after, err = nextAccount(t, ""); err != nil || after.Account == "" {
			return 0, retention.Mark{}, err
		}
	}
	found, err := gather(t.rows, scanOld, oldPayments,
		[]any{before, after.Account, before, after.At.UnixMicro(), after.Terminal, after.Epoch, after.Number, limit})
	if err != nil {
		return 0, retention.Mark{}, err
	}
	for _, o := range found {
		if !o.needless {
			continue
		}
		dropped, err := forgetPayment(t, o, before)
		if err != nil {
			return 0, retention.Mark{}, err
		}
		n += dropped
	}
	if len(found) < limit {
		next, err = nextAccount(t, after.Account)
		return n, next, err
	}
	last := found[len(found)-1]
	return n, retention.Mark{Account: after.Account, At: last.created, Terminal: last.terminal, Epoch: last.epoch, Number: last.attempt}, nil
}

// forgetPayment deletes a payment unless something has come of it meanwhile: its row first, for which another hub that writes waits, or has been waited.
func forgetPayment(t *tx, o old, before time.Time) (int, error) {
	const of = ` WHERE terminal_id = ? AND epoch = ? AND attempt = ?`
	dropped, err := t.exec(`DELETE FROM transactions`+of+` AND updated_at < ? AND status <> 'pending'`, o.terminal, o.epoch, o.attempt, before)
	if err != nil || dropped == 0 {
		return 0, err
	}
	for _, table := range []string{"steps", "returns"} {
		if _, err := t.exec(`DELETE FROM `+table+of, o.terminal, o.epoch, o.attempt); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

// nextAccount is the beginning of the next one that has payments; zero: there is none.
func nextAccount(t *tx, behind string) (m retention.Mark, err error) {
	var account string
	if err := t.row(`SELECT coalesce(min(account_id), '') FROM transactions WHERE account_id > ?`, behind).Scan(&account); err != nil || account == "" {
		return m, err
	}
	return retention.Mark{Account: account, At: time.UnixMicro(math.MinInt64)}, nil
}
