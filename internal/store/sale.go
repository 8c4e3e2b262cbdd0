package store

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/sale"
)

// Sales fills sale.Book.
type Sales struct {
	commit *committer
	epoch  uint64 // failures of the committer that the reader of Load knows of
}

// Sales returns the book of sales.
func (s *Store) Sales() *Sales { return &Sales{commit: s.commit} }

// Append queues the changes behind all earlier ones.
func (s *Sales) Append(changes ...sale.Change) (wait func() error) {
	writes := make([]func(*batch) error, len(changes))
	for i, c := range changes {
		writes[i] = writeOf(c) // here, so that callers encode side by side and the one writer only writes
	}
	epoch := s.epoch
	return s.commit.submit(func(b *batch) error {
		if s.commit.failed() != epoch {
			return s.commit.lost()
		}
		for _, write := range writes {
			if err := write(b); err != nil {
				return err
			}
		}
		return nil
	})
}

const (
	newestAttempt = `(SELECT ifnull(max(id), 0) FROM ledger)`

	insertSale = `INSERT INTO sale (number, state, opened_at, customer_document, customer_name, seller_name, additional_info, total, attempt_before)
		VALUES (?, 'open', ?, ?, ?, ?, ?, ?, ` + newestAttempt + `)`
	updateSale  = `UPDATE sale SET customer_document = ?, customer_name = ?, seller_name = ?, additional_info = ?, total = ? WHERE number = ?`
	forgetTotal = `UPDATE sale SET total = NULL WHERE number = ?`
	closeSale   = `UPDATE sale SET state = ?, closed_at = ?, attempt_last = ` + newestAttempt + ` WHERE number = ? AND state = 'open'`
)

func writeOf(change sale.Change) func(*batch) error {
	execute := func(query string, args ...any) func(*batch) error {
		return func(b *batch) error { return b.exec(query, args...) }
	}
	switch c := change.(type) {
	case sale.Opened:
		s := c.Session
		return execute(insertSale, c.Sale, timeText(c.At), s.CustomerDocument, s.CustomerName, s.SellerName, s.AdditionalInfo, decimalText(s.Total))
	case sale.Edited:
		s := c.Session
		return execute(updateSale, s.CustomerDocument, s.CustomerName, s.SellerName, s.AdditionalInfo, decimalText(s.Total), c.Sale)
	case sale.ItemAdded:
		return itemLines.add(c.Sale, c.Seq, itemText(c.Item))
	case sale.ItemChanged:
		return itemLines.change(c.Sale, c.Seq, itemText(c.Item))
	case sale.ItemRemoved:
		return itemLines.remove(c.Sale, c.Seq)
	case sale.PaymentAdded:
		return paymentLines.add(c.Sale, c.Seq, paymentText(c.Payment))
	case sale.PaymentChanged:
		return paymentLines.change(c.Sale, c.Seq, paymentText(c.Payment))
	case sale.PaymentRemoved:
		return paymentLines.remove(c.Sale, c.Seq)
	case sale.AdjustmentAdded:
		return tables[c.List].add(c.Sale, c.Seq, adjustmentText(c.Adjustment))
	case sale.AdjustmentChanged:
		return tables[c.List].change(c.Sale, c.Seq, adjustmentText(c.Adjustment))
	case sale.AdjustmentRemoved:
		return tables[c.List].remove(c.Sale, c.Seq)
	case sale.Cleared:
		return func(b *batch) error {
			for _, list := range c.Lists {
				if err := tables[list].empty(b, c.Sale); err != nil {
					return err
				}
			}
			if c.Total {
				return b.exec(forgetTotal, c.Sale)
			}
			return nil
		}
	case sale.Closed:
		return execute(closeSale, string(c.State), timeText(c.At), c.Sale)
	}
	return func(*batch) error { return fmt.Errorf("unknown change %T", change) }
}

// Load reads through the writer, so that it comes after every change appended before it.
func (s *Sales) Load() (open *sale.Record, newest int64, err error) {
	var seen uint64
	err = s.commit.read(func(b *batch) error {
		seen = s.commit.failed()
		open, newest, err = b.loadSale()
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	s.epoch = seen
	return open, newest, nil
}

func (b *batch) loadSale() (*sale.Record, int64, error) {
	var newest sql.NullInt64
	if err := b.one(`SELECT max(number) FROM sale`).Scan(&newest); err != nil {
		return nil, 0, err
	}
	v, err := scanSale(b.one(`SELECT ` + saleColumns + ` FROM sale WHERE state = 'open'`).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, newest.Int64, nil
	}
	if err != nil {
		return nil, 0, err
	}
	rec := &sale.Record{Number: v.Number, OpenedAt: v.OpenedAt, Session: v.Session}
	if rec.Items, err = loadLines(b.query, itemLines, rec.Number, itemLine.item); err != nil {
		return nil, 0, err
	}
	if rec.Payments, err = loadLines(b.query, paymentLines, rec.Number, paymentLine.payment); err != nil {
		return nil, 0, err
	}
	if rec.Discounts, err = loadLines(b.query, discountLines, rec.Number, adjustmentLine.adjustment); err != nil {
		return nil, 0, err
	}
	rec.Additions, err = loadLines(b.query, additionLines, rec.Number, adjustmentLine.adjustment)
	return rec, newest.Int64, err
}

// saleColumns are what scanSale reads.
const saleColumns = `number, opened_at, customer_document, customer_name, seller_name, additional_info, total`

// scanSale reads a sale without its lines, and more columns behind its own.
func scanSale(scan func(...any) error, more ...any) (v sale.View, err error) {
	var openedAt string
	var total *exact
	own := []any{&v.Number, &openedAt, &v.Session.CustomerDocument, &v.Session.CustomerName, &v.Session.SellerName, &v.Session.AdditionalInfo, &total}
	if err := scan(append(own, more...)...); err != nil {
		return v, err
	}
	v.Session.Total = decimalOrNil(total)
	v.OpenedAt, err = localTime(openedAt)
	return v, err
}
