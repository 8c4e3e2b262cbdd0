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
	insertSale = `INSERT INTO sale (number, state, opened_at, customer_document, customer_name, seller_name, additional_info) VALUES (?, 'open', ?, ?, ?, ?, ?)`
	updateSale = `UPDATE sale SET customer_document = ?, customer_name = ?, seller_name = ?, additional_info = ? WHERE number = ?`
	closeSale  = `UPDATE sale SET state = ?, closed_at = ? WHERE number = ? AND state = 'open'`
)

func writeOf(change sale.Change) func(*batch) error {
	execute := func(query string, args ...any) func(*batch) error {
		return func(b *batch) error { return b.exec(query, args...) }
	}
	switch c := change.(type) {
	case sale.Opened:
		s := c.Session
		return execute(insertSale, c.Sale, timeText(c.At), s.CustomerDocument, s.CustomerName, s.SellerName, s.AdditionalInfo)
	case sale.Edited:
		s := c.Session
		return execute(updateSale, s.CustomerDocument, s.CustomerName, s.SellerName, s.AdditionalInfo, c.Sale)
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
	rec := new(sale.Record)
	var openedAt string
	err := b.one(`SELECT number, opened_at, customer_document, customer_name, seller_name, additional_info FROM sale WHERE state = 'open'`).
		Scan(&rec.Number, &openedAt, &rec.Session.CustomerDocument, &rec.Session.CustomerName, &rec.Session.SellerName, &rec.Session.AdditionalInfo)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, newest.Int64, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if rec.OpenedAt, err = localTime(openedAt); err != nil {
		return nil, 0, err
	}
	if rec.Items, err = loadLines(b, itemLines, rec.Number, itemLine.item); err != nil {
		return nil, 0, err
	}
	rec.Payments, err = loadLines(b, paymentLines, rec.Number, paymentLine.payment)
	return rec, newest.Int64, err
}
