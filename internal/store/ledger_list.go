package store

import (
	"context"

	"github.com/maquininha/maquininha/internal/payment"
)

// A page of a list ends at either: attempts may carry a megabyte each.
const (
	pageRows  = 500
	pageBytes = 256 << 10
)

// List passes on the newest attempts that match, oldest first. It reads them page by page, and holds no reader while each runs:
// whoever takes the list may be slow, or never take it, and must keep neither a payment waiting nor the write-ahead log from
// being cleared. What is begun after the list is not in it.
func (l *Ledger) List(ctx context.Context, f payment.Filter, each func(payment.Transaction) error) error {
	after, last, err := l.span(ctx, f)
	if err != nil {
		return explain(err)
	}
	for after < last {
		page, err := l.page(ctx, f, after, last)
		if err != nil {
			return explain(err)
		}
		for _, t := range page.attempts {
			if err := each(t); err != nil {
				return err
			}
		}
		if page.last {
			return nil
		}
		after = page.attempts[len(page.attempts)-1].ID
	}
	return nil
}

// span is between which numbers a list's attempts are: above the first, up to the second.
func (l *Ledger) span(ctx context.Context, f payment.Filter) (after, last int64, err error) {
	leave, err := l.turn(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer leave()
	query, args := `SELECT 1, ifnull(max(id), 0) FROM ledger`, []any(nil)
	if f.Limit > 0 {
		var where string
		where, args = matching(f)
		query = `SELECT ifnull(min(id), 1), ifnull(max(id), 0) FROM (SELECT id FROM ledger ` + where + ` ORDER BY id DESC LIMIT ?)`
		args = append(args, f.Limit)
	}
	var first int64
	err = l.reader.QueryRowContext(ctx, query, args...).Scan(&first, &last)
	return first - 1, last, err
}

// turn waits until one more page may be read.
func (l *Ledger) turn(ctx context.Context) (leave func(), err error) {
	select {
	case l.pages <- struct{}{}:
		return func() { <-l.pages }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// page is a piece of a list.
type page struct {
	attempts []payment.Transaction
	last     bool // nothing comes after it
}

// page reads the attempts that match from one number on.
func (l *Ledger) page(ctx context.Context, f payment.Filter, after, last int64) (p page, err error) {
	leave, err := l.turn(ctx)
	if err != nil {
		return p, err
	}
	defer leave()
	where, args := matching(f)
	rows, err := l.reader.QueryContext(ctx, selectLedger+where+` AND id > ? AND id <= ? ORDER BY id`, append(args, after, last)...)
	if err != nil {
		return p, err
	}
	defer rows.Close()
	for room := pageBytes; room > 0 && len(p.attempts) < pageRows; {
		if !rows.Next() {
			return page{p.attempts, true}, rows.Err()
		}
		t, err := scanTransaction(rows)
		if err != nil {
			return p, err
		}
		p.attempts = append(p.attempts, t)
		room -= weight(t)
	}
	return p, nil
}

// weight is about what an attempt takes in memory.
func weight(t payment.Transaction) int {
	const itself = 1 << 10
	const reversal = 200
	return itself + reversal*len(t.Reversals) + len(t.Request.Extra) + len(t.Request.Reference) + len(t.Outcome.Message) + len(t.Outcome.Token) +
		len(t.Outcome.Receipt.Customer) + len(t.Outcome.Receipt.Merchant)
}
