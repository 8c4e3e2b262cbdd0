package store

import (
	"slices"

	"github.com/maquininha/maquininha/internal/hub/records"
)

// readers are the ids under which an epoch was read: epoch, kind and account.
const readers = `SELECT c.terminal_id FROM cursors AS c WHERE c.epoch = ? AND c.kind = ? AND c.account_id = ?`

// supersede leaves one of each payment in lists and sums. What has the same number and beginning in two epochs is the same payment: a
// restored ledger was read again under its new epoch, or goes on with a payment that began in the origin. A terminal that has other ids
// may have payments in epochs that were not read under this one. All are of one terminal and epoch.
func supersede(t *tx, all []records.Transaction, kin bool) error {
	terminal, epoch, kind := all[0].Terminal, all[0].Epoch, string(records.Ledger)
	var others int
	if err := t.row(`SELECT count(*) FROM cursors WHERE terminal_id = ? AND epoch <> ? AND kind = ?`, terminal, epoch, kind).Scan(&others); err != nil || others == 0 && !kin {
		return err
	}
	for _, x := range all {
		_, err := t.exec(`UPDATE transactions SET created_at = coalesce((SELECT min(x.created_at) FROM origins AS o
				JOIN transactions AS x ON x.terminal_id = ? AND x.epoch = o.origin
				WHERE o.terminal_id IN (`+readers+`) AND o.epoch = ? AND o.kind = ? AND x.attempt = ? AND EXISTS (SELECT 1 FROM steps AS s
					WHERE s.terminal_id = x.terminal_id AND s.epoch = o.origin AND s.attempt = x.attempt AND s.number <= o.number)), created_at)
			WHERE terminal_id = ? AND epoch = ? AND attempt = ?`,
			terminal, epoch, kind, x.Account, epoch, kind, x.Attempt, terminal, epoch, x.Attempt)
		if err != nil {
			return err
		}
		if err := chooseLife(t, x); err != nil {
			return err
		}
	}
	return nil
}

// chooseLife decides which epoch's row stands for a payment, and which returns are counted: those of any life, each once.
func chooseLife(t *tx, x records.Transaction) error {
	const same = `terminal_id = ? AND attempt = ? AND created_at = (SELECT created_at FROM transactions WHERE terminal_id = ? AND epoch = ? AND attempt = ?)`
	of := []any{x.Terminal, x.Attempt, x.Terminal, x.Epoch, x.Attempt}
	lives, err := gather(t.rows, func(r scanner) (l records.Life, err error) {
		err = r.Scan(&l.Epoch, &l.Method, &l.Status, into{&l.Updated})
		return l, err
	}, `SELECT epoch, method, status, updated_at FROM transactions WHERE `+same+` ORDER BY CASE epoch WHEN ? THEN 0 ELSE 1 END, updated_at DESC`, of, []any{x.Epoch})
	if err != nil || len(lives) == 1 {
		return err
	}
	for i, l := range lives {
		if lives[i].Steps, err = gather(t.rows, scanStep, historyOf+` ORDER BY number`, history(x.Terminal, l.Epoch, x.Attempt)); err != nil {
			return err
		}
		lives[i].Returns, err = gather(t.rows, scanReturn, `SELECT `+returnColumns+` FROM returns WHERE terminal_id = ? AND epoch = ? AND attempt = ? ORDER BY part`,
			[]any{x.Terminal, l.Epoch, x.Attempt})
		if err != nil {
			return err
		}
	}
	if _, err := t.exec(`UPDATE transactions SET superseded = (epoch <> ?) WHERE `+same, append([]any{records.Standing(lives).Epoch}, of...)...); err != nil {
		return err
	}
	slices.Reverse(lives) // what was known first counts: that is when it happened
	for i, repeated := range records.Repeated(lives) {
		for part, again := range repeated {
			if _, err := t.exec(`UPDATE returns SET again = ? WHERE terminal_id = ? AND epoch = ? AND attempt = ? AND part = ?`, again, x.Terminal, lives[i].Epoch, x.Attempt, part); err != nil {
				return err
			}
		}
	}
	return nil
}
