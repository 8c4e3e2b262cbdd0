package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/records"
)

// Records keeps what terminals recorded.
type Records struct{ db *database }

// errElsewhere undoes a batch that was read after another place than where the cursor is.
var errElsewhere = errors.New("the cursor is elsewhere")

// Commit writes a batch and moves its cursor, or does neither.
func (r *Records) Commit(ctx context.Context, b records.Batch, gaps []records.Gap, at time.Time) (records.Cursor, error) {
	moved := b.Before
	moved.Number, moved.At, moved.Recorded = b.After, at, b.Recorded()
	err := r.db.write(ctx, func(t *tx) error {
		if err := moveCursor(t, b, at); err != nil {
			return err
		}
		return writeBatch(t, b, gaps)
	})
	if errors.Is(err, errElsewhere) {
		c := b.Before
		return one(ctx, r.db, records.ErrNotFound, scanCursor, `SELECT `+cursorColumns+` FROM cursors WHERE terminal_id = ? AND epoch = ? AND kind = ?`, c.Terminal, c.Epoch, string(c.Kind))
	}
	if err != nil {
		return records.Cursor{}, err
	}
	return moved, nil
}

// moveCursor comes before the rows: whoever commits the same page at the same time waits here, and finds the cursor elsewhere. That of
// an epoch that was read under another id, or is a copy, begins behind what was read of it. An epoch is one history: who does not begin
// behind all that was read of it, under whatever id, has read twice what is here, or has other data.
func moveCursor(t *tx, b records.Batch, at time.Time) error {
	c, kind := b.Before, string(b.Before.Kind)
	begin := int64(0)
	if c.At.IsZero() && b.Resumed {
		begin = c.Number
	}
	if err := t.insert("cursors", "ON CONFLICT (terminal_id, epoch, kind) DO NOTHING",
		[][]any{{c.Terminal, c.Epoch, kind, begin, nil, b.Account, b.Tenant, b.Shop, nil}}); err != nil {
		return err
	}
	// Others who commit in this epoch wait for each other.
	others, err := t.exec(`UPDATE cursors SET number = number WHERE epoch = ? AND kind = ? AND account_id = ? AND terminal_id <> ?`, c.Epoch, kind, b.Account, c.Terminal)
	if err != nil {
		return err
	}
	if others > 0 {
		var furthest int64
		if err := t.row(`SELECT max(number) FROM cursors WHERE epoch = ? AND kind = ? AND account_id = ? AND terminal_id <> ?`,
			c.Epoch, kind, b.Account, c.Terminal).Scan(&furthest); err != nil {
			return err
		}
		if furthest > c.Number {
			return records.ErrBehind
		}
		if _, err := t.exec(`UPDATE cursors SET number = ? WHERE terminal_id = ? AND epoch = ? AND kind = ? AND number < ?`, begin, c.Terminal, c.Epoch, kind, begin); err != nil {
			return err
		}
	}
	n, err := t.exec(`UPDATE cursors SET number = ?, at = ?, recorded = ? WHERE terminal_id = ? AND epoch = ? AND kind = ? AND number = ?`,
		b.After, at, b.Recorded(), c.Terminal, c.Epoch, kind, c.Number)
	if err == nil && n == 0 {
		err = errElsewhere
	}
	return err
}

func writeBatch(t *tx, b records.Batch, gaps []records.Gap) error {
	terminal, epoch := b.Before.Terminal, b.Before.Epoch
	var rows [][]any
	if b.Before.At.IsZero() {
		for _, o := range b.Origins {
			rows = append(rows, []any{
				terminal, epoch, string(b.Before.Kind), o.Epoch, min(o.Upto(b.Before.Kind), b.Before.Number), b.Account, b.Tenant, b.Shop,
			})
		}
	}
	if err := t.insert("origins", "ON CONFLICT (terminal_id, epoch, kind, origin) DO NOTHING", rows); err != nil {
		return err
	}
	rows = nil
	for _, g := range gaps {
		rows = append(rows, []any{terminal, epoch, string(b.Before.Kind), g.First, g.Last, g.FoundAt, g.Account, g.Tenant, g.Shop})
	}
	if err := t.insert("gaps", "", rows); err != nil {
		return err
	}
	var kin []any
	if len(b.Transactions) > 0 {
		all, err := kinOf(t.rows, b.Account, terminal)
		if err != nil {
			return err
		}
		kin = slices.DeleteFunc(all, func(id any) bool { return id == terminal })
	}
	at, err := homes(t, b, kin)
	if err != nil {
		return err
	}
	rows = nil
	places := b.Places()
	for _, s := range b.Steps {
		h, other := at[s.Attempt]
		if !other {
			p := cmp.Or(places[s.Attempt], b.Place)
			h = home{terminal, p.Tenant, p.Shop}
		}
		rows = append(rows, []any{h.terminal, epoch, s.Number, b.Account, h.tenant, h.shop, s.Attempt, s.At, s.Operation, s.State, s.Note})
	}
	if err := t.insert("steps", "", rows); err != nil {
		return err
	}
	if err := addNotices(t, b.Notices); err != nil {
		return err
	}
	rows = nil
	for _, e := range b.Entries {
		rows = append(rows, []any{terminal, epoch, e.ID, e.Account, e.Tenant, e.Shop, e.At.UnixMicro(), e.Level, e.Source, e.Message, e.Details})
	}
	if err := t.insert("entries", "", rows); err != nil {
		return err
	}
	for _, some := range atHome(b, at) {
		if err := renewTransactions(t, some); err != nil {
			return err
		}
		if err := supersede(t, some, len(kin) > 0); err != nil {
			return err
		}
	}
	return nil
}

// renewTransactions leaves each as its newest step left it; when and where it was begun stays. All are of one terminal and epoch.
func renewTransactions(t *tx, all []records.Transaction) error {
	var rows, returns [][]any
	attempts := []any{all[0].Terminal, all[0].Epoch}
	for _, x := range all {
		attempts = append(attempts, x.Attempt)
		rows = append(rows, []any{
			x.Terminal, x.Epoch, x.Attempt, x.Account, x.Tenant, x.Shop, x.Reference, x.Method, x.Amount, x.Status, x.NSU,
			x.CreatedAt.UnixMicro(), x.UpdatedAt.UnixMicro(), x.Answer, false,
		})
		for i, back := range x.Returns {
			returns = append(returns, []any{x.Terminal, x.Epoch, x.Attempt, i, x.Account, x.Tenant, x.Shop, back.At.UnixMicro(), back.Amount, back.NSU, false})
		}
	}
	const renew = `ON CONFLICT (terminal_id, epoch, attempt) DO UPDATE SET reference = excluded.reference, method = excluded.method,
		amount = excluded.amount, status = excluded.status, nsu = excluded.nsu, updated_at = excluded.updated_at, answer = excluded.answer,
		superseded = excluded.superseded`
	if err := t.insert("transactions", renew, rows); err != nil {
		return err
	}
	if _, err := t.exec(`DELETE FROM returns WHERE terminal_id = ? AND epoch = ? AND attempt IN (?`+strings.Repeat(", ?", len(rows)-1)+`)`, attempts...); err != nil {
		return err
	}
	return t.insert("returns", "", returns)
}

const cursorColumns = `terminal_id, epoch, kind, number, at, recorded`

func scanCursor(r scanner) (c records.Cursor, err error) {
	err = r.Scan(&c.Terminal, &c.Epoch, &c.Kind, &c.Number, into{&c.At}, into{&c.Recorded})
	return c, err
}

// Read are the cursors of epochs, of all terminals of an account.
func (r *Records) Read(ctx context.Context, account string, epochs []string) ([]records.Cursor, error) {
	args := []any{account}
	for _, e := range epochs {
		args = append(args, e)
	}
	return many(ctx, r.db, scanCursor, `SELECT `+cursorColumns+` FROM cursors WHERE account_id = ? AND epoch IN (?`+strings.Repeat(", ?", len(epochs)-1)+`)`, args...)
}

// Cursors are those of a terminal, the one that moved last at the end.
func (r *Records) Cursors(ctx context.Context, terminal string) ([]records.Cursor, error) {
	return many(ctx, r.db, scanCursor, `SELECT `+cursorColumns+` FROM cursors WHERE terminal_id = ? ORDER BY at, epoch, kind`, terminal)
}
