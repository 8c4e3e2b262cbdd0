package store

import (
	"context"
	"strconv"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
)

const transactionColumns = `account_id, tenant_id, shop_id, terminal_id, epoch, attempt, reference, method, amount, status, nsu, created_at, updated_at, answer`

func scanTransaction(r scanner) (t records.Transaction, err error) {
	err = r.Scan(&t.Account, &t.Tenant, &t.Shop, &t.Terminal, &t.Epoch, &t.Attempt, &t.Reference, &t.Method, &t.Amount, &t.Status, &t.NSU,
		into{&t.CreatedAt}, into{&t.UpdatedAt}, &t.Answer)
	return t, err
}

// behind asks for what comes after a mark in a list that has the newest first.
func (w *where) behind(m records.Mark, at, number string) {
	if !m.IsZero() {
		w.add("("+at+", terminal_id, epoch, "+number+") < (?, ?, ?, ?)", m.At.UnixMicro(), m.Terminal, m.Epoch, m.Number)
	}
}

// reference asks for one by the start of it, which has an index, and then the whole.
func (w *where) reference(reference string) {
	if reference != "" {
		const indexed = 200
		w.add("substr(reference, 1, "+strconv.Itoa(indexed)+") = ?", firstRunes(reference, indexed))
		w.add("reference = ?", reference)
	}
}

// Transactions are those that match, newest first.
func (r *Records) Transactions(ctx context.Context, within fleet.Place, f records.TransactionFilter, after records.Mark, limit int) ([]records.Transaction, error) {
	w := inside(within)
	w.equal("terminal_id", f.Terminal)
	w.equal("status", f.Status)
	w.equal("method", f.Method)
	w.reference(f.Reference)
	w.since("created_at", f.Since, f.Until)
	w.behind(after, "created_at", "attempt")
	w.add("superseded = FALSE")
	return many(ctx, r.db, scanTransaction, `SELECT `+transactionColumns+` FROM transactions`+w.String()+
		` ORDER BY created_at DESC, terminal_id DESC, epoch DESC, attempt DESC LIMIT ?`, append(w.args, limit)...)
}

// Newest is a terminal's newest attempt of a reference within a place.
func (r *Records) Newest(ctx context.Context, within fleet.Place, terminal, reference string) (records.Transaction, error) {
	w := inside(within)
	w.add("terminal_id = ?", terminal)
	w.add("superseded = FALSE")
	w.reference(reference)
	if reference == "" {
		return records.Transaction{}, records.ErrNotFound
	}
	t, err := one(ctx, r.db, records.ErrNotFound, scanTransaction, `SELECT `+transactionColumns+` FROM transactions`+w.String()+
		` ORDER BY created_at DESC, updated_at DESC, attempt DESC LIMIT 1`, w.args...)
	if err != nil {
		return t, err
	}
	t.Returns, err = many(ctx, r.db, scanReturn, `SELECT b.at, b.amount, b.nsu FROM returns AS b JOIN transactions AS x ON x.terminal_id = b.terminal_id AND x.epoch = b.epoch AND x.attempt = b.attempt
		WHERE b.terminal_id = ? AND b.attempt = ? AND b.again = FALSE AND x.created_at = ? ORDER BY b.at, b.part`, t.Terminal, t.Attempt, t.CreatedAt.UnixMicro())
	return t, err
}

const returnColumns = `at, amount, nsu`

func scanReturn(r scanner) (b records.Return, err error) {
	err = r.Scan(into{&b.At}, &b.Amount, &b.NSU)
	return b, err
}

const stepColumns = `number, attempt, at, operation, state, note`

func scanStep(r scanner) (s records.Step, err error) {
	err = r.Scan(&s.Number, &s.Attempt, into{&s.At}, &s.Operation, &s.State, &s.Note)
	return s, err
}

// historyOf asks for the history of an attempt. What its epoch has in common with an origin is there, whichever id the terminal had when
// that was read.
const historyOf = `SELECT ` + stepColumns + ` FROM steps AS s
	WHERE terminal_id = ? AND attempt = ? AND (epoch = ? OR EXISTS (SELECT 1 FROM origins AS o
		WHERE o.terminal_id IN (SELECT c.terminal_id FROM cursors AS c WHERE c.epoch = ? AND c.kind = o.kind AND c.account_id = s.account_id)
			AND o.epoch = ? AND o.kind = 'ledger' AND o.origin = s.epoch AND s.number <= o.number))`

func history(terminal, epoch string, attempt int64) []any {
	return []any{terminal, attempt, epoch, epoch, epoch}
}

// Steps are the history of an attempt that was begun within a place.
func (r *Records) Steps(ctx context.Context, within fleet.Place, terminal, epoch string, attempt int64) ([]records.Step, error) {
	w := inside(within)
	w.add("x.terminal_id = s.terminal_id AND x.epoch = s.epoch AND x.attempt = s.attempt")
	return many(ctx, r.db, scanStep, historyOf+` AND EXISTS (SELECT 1 FROM transactions AS x`+w.String()+`) ORDER BY number`, append(history(terminal, epoch, attempt), w.args...)...)
}

// Entries are those that match but for their words, newest first.
func (r *Records) Entries(ctx context.Context, within fleet.Place, f records.EntryFilter, after records.Mark, limit int) ([]records.Entry, error) {
	w := inside(within)
	w.equal("terminal_id", f.Terminal)
	w.equal("level", f.Level)
	w.equal("source", f.Source)
	w.since("at", f.Since, f.Until)
	w.behind(after, "at", "id")
	return many(ctx, r.db, func(r scanner) (e records.Entry, err error) {
		err = r.Scan(&e.Account, &e.Tenant, &e.Shop, &e.Terminal, &e.Epoch, &e.ID, into{&e.At}, &e.Level, &e.Source, &e.Message, &e.Details)
		return e, err
	}, `SELECT account_id, tenant_id, shop_id, terminal_id, epoch, id, at, level, source, message, details FROM entries`+w.String()+
		` ORDER BY at DESC, terminal_id DESC, epoch DESC, id DESC LIMIT ?`, append(w.args, limit)...)
}

// Gaps are those within a place, newest first.
func (r *Records) Gaps(ctx context.Context, within fleet.Place, terminal string, after records.Mark, limit int) ([]records.Gap, error) {
	w := inside(within)
	w.equal("terminal_id", terminal)
	if !after.IsZero() {
		w.add("(found_at, terminal_id, epoch, kind, first_number) < (?, ?, ?, ?, ?)", after.At.UnixMicro(), after.Terminal, after.Epoch, string(after.Kind), after.Number)
	}
	return many(ctx, r.db, func(r scanner) (g records.Gap, err error) {
		err = r.Scan(&g.Account, &g.Tenant, &g.Shop, &g.Terminal, &g.Epoch, &g.Kind, &g.First, &g.Last, into{&g.FoundAt})
		return g, err
	}, `SELECT account_id, tenant_id, shop_id, terminal_id, epoch, kind, first_number, last_number, found_at FROM gaps`+w.String()+
		` ORDER BY found_at DESC, terminal_id DESC, epoch DESC, kind DESC, first_number DESC LIMIT ?`, append(w.args, limit)...)
}

// Paid passes on how often each amount was paid in a period.
func (r *Records) Paid(ctx context.Context, within fleet.Place, f records.ClosingFilter, fn func(records.Tally) error) error {
	w := inside(within)
	w.equal("terminal_id", f.Terminal)
	w.since("created_at", f.Since, f.Until)
	w.add("superseded = FALSE")
	const group = `account_id, tenant_id, shop_id, terminal_id, method, status, amount`
	return each(ctx, r.db, scanTally, fn, `SELECT `+group+`, count(*) FROM transactions`+w.String()+` GROUP BY `+group, w.args...)
}

// Returned passes on how often each amount was given back in a period.
func (r *Records) Returned(ctx context.Context, within fleet.Place, f records.ClosingFilter, fn func(records.Tally) error) error {
	w := inside(within)
	w.equal("terminal_id", f.Terminal)
	w.since("at", f.Since, f.Until)
	w.add("again = FALSE")
	const group = `b.account_id, b.tenant_id, b.shop_id, b.terminal_id, t.method, t.status, b.amount`
	return each(ctx, r.db, scanTally, fn, `SELECT `+group+`, count(*) FROM (SELECT * FROM returns`+w.String()+`) AS b
		JOIN transactions AS t ON t.terminal_id = b.terminal_id AND t.epoch = b.epoch AND t.attempt = b.attempt
		GROUP BY `+group, w.args...)
}

func scanTally(r scanner) (t records.Tally, err error) {
	err = r.Scan(&t.Account, &t.Tenant, &t.Shop, &t.Terminal, &t.Method, &t.Status, &t.Amount, &t.Count)
	return t, err
}

// firstRunes is the start of a text, as both databases' substr counts it.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
