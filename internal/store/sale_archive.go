package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/sale"
)

// Archive fills sale.Archive: the sales that ended.
type Archive struct {
	commit *committer
	reader *sql.DB
	page   chan struct{} // full while a page of a list is read
}

// Archive returns the sales that ended.
func (s *Store) Archive() *Archive {
	return &Archive{commit: s.commit, reader: s.db.reader, page: make(chan struct{}, 1)}
}

// A page of ended sales has at most so many sales, and ends when it has so many lines: a sale may have very many.
const (
	pageSales = 50
	pageLines = 5000
)

// Ended passes on the sales that fit, newest first. It reads them page by page as Ledger.List does, and for the same reasons.
func (a *Archive) Ended(ctx context.Context, f sale.Filter, each func(sale.Past) error) error {
	below, left := int64(0), f.Limit
	for {
		page, last, err := a.readPage(ctx, f, below)
		if err != nil {
			return explain(err)
		}
		for _, p := range page {
			if err := each(p); err != nil {
				return err
			}
			if left--; left == 0 {
				return nil
			}
			below = p.Number
		}
		if last {
			return nil
		}
	}
}

// readPage reads the sales that fit and come before one; 0: from the newest on.
func (a *Archive) readPage(ctx context.Context, f sale.Filter, below int64) (page []sale.Past, last bool, err error) {
	select {
	case a.page <- struct{}{}:
		defer func() { <-a.page }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	where, args := `closed_at IS NOT NULL`, []any(nil)
	and := func(condition string, value any) {
		where, args = where+` AND `+condition, append(args, value)
	}
	if below > 0 {
		and(`number < ?`, below)
	}
	if !f.Since.IsZero() {
		and(`closed_at >= ?`, timeText(f.Since))
	}
	if !f.Until.IsZero() {
		and(`closed_at < ?`, timeText(f.Until))
	}
	if f.State != "" {
		and(`state = ?`, string(f.State))
	}
	err = a.reading(ctx, func(query queryFunc) error {
		rows, err := query(`SELECT `+saleColumns+`, state, closed_at FROM sale WHERE `+where+` ORDER BY number DESC LIMIT ?`, append(args, pageSales)...)
		if page, err = collect(rows, err, func(rows *sql.Rows) (sale.Past, error) { return scanPast(rows) }); err != nil {
			return err
		}
		last = len(page) < pageSales
		for i, lines := 0, 0; i < len(page); i++ {
			if err := loadPast(query, &page[i].View); err != nil {
				return err
			}
			v := page[i]
			if lines += len(v.Items) + len(v.Payments) + len(v.Discounts) + len(v.Additions); lines >= pageLines && i+1 < len(page) {
				page, last = page[:i+1], false
			}
		}
		return nil
	})
	return page, last, err
}

// Find returns one sale that ended.
func (a *Archive) Find(ctx context.Context, number int64) (past sale.Past, references []string, err error) {
	err = a.reading(ctx, func(query queryFunc) error {
		var before, last *int64
		rows, err := query(`SELECT `+saleColumns+`, state, closed_at, attempt_before, attempt_last FROM sale WHERE number = ? AND closed_at IS NOT NULL`, number)
		found, err := collect(rows, err, func(rows *sql.Rows) (sale.Past, error) { return scanPast(rows, &before, &last) })
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return sale.ErrUnknownSale
		}
		past = found[0]
		if err := loadPast(query, &past.View); err != nil {
			return err
		}
		references, err = madeMeanwhile(query, past, before, last)
		return err
	})
	if errors.Is(err, sale.ErrUnknownSale) {
		return past, nil, err
	}
	return past, references, explain(err)
}

// madeMeanwhile are the references of attempts begun while the sale was open, in their order.
func madeMeanwhile(query queryFunc, p sale.Past, before, last *int64) ([]string, error) {
	during, from, to := `id > ? AND id <= ?`, any(before), any(last)
	if before == nil || last == nil {
		during, from, to = `created_at BETWEEN ? AND ?`, timeText(p.OpenedAt), timeText(p.ClosedAt)
	}
	rows, err := query(`SELECT reference FROM ledger WHERE reference IS NOT NULL AND `+during+` GROUP BY reference ORDER BY min(id)`, from, to)
	return collect(rows, err, func(rows *sql.Rows) (reference string, err error) { return reference, rows.Scan(&reference) })
}

type queryFunc func(query string, args ...any) (*sql.Rows, error)

// reading runs fn on one state of the file: a sale is forgotten with its lines.
func (a *Archive) reading(ctx context.Context, fn func(queryFunc) error) error {
	tx, err := a.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	return fn(func(query string, args ...any) (*sql.Rows, error) { return tx.QueryContext(ctx, query, args...) })
}

func scanPast(rows *sql.Rows, more ...any) (p sale.Past, err error) {
	var closedAt string
	if p.View, err = scanSale(rows.Scan, append([]any{&p.State, &closedAt}, more...)...); err != nil {
		return p, err
	}
	p.ClosedAt, err = localTime(closedAt)
	return p, err
}

// loadPast reads the lines of a sale.
func loadPast(query queryFunc, v *sale.View) (err error) {
	if v.Items, err = pastLines(query, itemLines, v.Number, itemLine.item); err != nil {
		return err
	}
	if v.Payments, err = pastLines(query, paymentLines, v.Number, paymentLine.payment); err != nil {
		return err
	}
	if v.Discounts, err = pastLines(query, discountLines, v.Number, adjustmentLine.adjustment); err != nil {
		return err
	}
	v.Additions, err = pastLines(query, additionLines, v.Number, adjustmentLine.adjustment)
	return err
}

func pastLines[R, T any](query queryFunc, t *lineTable, number int64, value func(R) T) ([]T, error) {
	lines, err := loadLines(query, t, number, value)
	values := make([]T, len(lines))
	for i, l := range lines {
		values[i] = l.Value
	}
	return values, err
}

// Sales are forgotten a few at a time, so that nobody at the counter waits for it: so many, or fewer when they have many lines.
const (
	forgetSales = 20
	forgetLines = 2000
)

// Forget removes sales that ended before a moment, with their lines, and tells how many. The newest of all sales stays: their numbers
// are never used again, and go on from it.
func (a *Archive) Forget(ctx context.Context, before time.Time) (forgotten int, err error) {
	for ctx.Err() == nil {
		old, err := a.old(ctx, before)
		if err != nil || len(old) == 0 {
			return forgotten, explain(err)
		}
		if err := a.commit.do(func(b *batch) error { return deleteSales(b, old) }); err != nil {
			return forgotten, err
		}
		forgotten += len(old)
	}
	return forgotten, ctx.Err()
}

// old are the numbers of the next sales to forget.
func (a *Archive) old(ctx context.Context, before time.Time) (numbers []int64, err error) {
	err = a.reading(ctx, func(query queryFunc) error {
		rows, err := query(`SELECT number, (SELECT count(*) FROM item WHERE place BETWEEN number << 32 AND (number << 32) + 4294967295)
			FROM sale WHERE closed_at < ? AND number < (SELECT max(number) FROM sale) ORDER BY number LIMIT ?`, timeText(before), forgetSales)
		lines := 0
		found, err := collect(rows, err, func(rows *sql.Rows) (number int64, err error) {
			var items int
			err = rows.Scan(&number, &items)
			if lines += items; lines > forgetLines && lines > items {
				number = 0 // for the next time
			}
			return number, err
		})
		numbers = slices.DeleteFunc(found, func(n int64) bool { return n == 0 })
		return err
	})
	return numbers, err
}

func deleteSales(b *batch, numbers []int64) error {
	for _, n := range numbers {
		for _, list := range []sale.List{sale.Items, sale.Payments, sale.Discounts, sale.Additions} {
			if err := tables[list].empty(b, n); err != nil {
				return err
			}
		}
		if err := b.exec(`DELETE FROM sale WHERE number = ? AND closed_at IS NOT NULL`, n); err != nil {
			return err
		}
	}
	return nil
}
