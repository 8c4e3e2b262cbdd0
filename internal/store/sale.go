package store

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/money"
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
	epoch := s.epoch
	return s.commit.submit(func(b *batch) error {
		if s.commit.failed() != epoch {
			return errLost
		}
		for _, c := range changes {
			if err := b.apply(c); err != nil {
				return err
			}
		}
		return nil
	})
}

const (
	insertSale = `INSERT INTO sale (number, state, opened_at, customer_document, customer_name, seller_name, additional_info) VALUES (?, 'open', ?, ?, ?, ?, ?)`
	updateSale = `UPDATE sale SET customer_document = ?, customer_name = ?, seller_name = ?, additional_info = ? WHERE number = ?`
	putItem    = `INSERT OR REPLACE INTO item (sale, seq, id, code, description, canceled, quantity, unit_price, discount, addition, total, additional_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	putPayment = `INSERT OR REPLACE INTO payment (sale, seq, id, type, description, value, additional_info) VALUES (?, ?, ?, ?, ?, ?, ?)`
	closeSale  = `UPDATE sale SET state = ?, closed_at = ? WHERE number = ? AND state = 'open'`
)

func (b *batch) apply(change sale.Change) error {
	switch c := change.(type) {
	case sale.Opened:
		s := c.Session
		return b.exec(insertSale, c.Sale, timeText(c.At), s.CustomerDocument, s.CustomerName, s.SellerName, s.AdditionalInfo)
	case sale.Edited:
		s := c.Session
		return b.exec(updateSale, s.CustomerDocument, s.CustomerName, s.SellerName, s.AdditionalInfo, c.Sale)
	case sale.ItemPut:
		i := c.Item
		return b.exec(putItem, c.Sale, c.Seq, i.ID, i.Code, i.Description, i.Canceled, i.Quantity.String(), i.UnitPrice.String(),
			decimalText(i.Discount), decimalText(i.Addition), i.Total.String(), i.AdditionalInfo)
	case sale.ItemRemoved:
		return b.exec(`DELETE FROM item WHERE sale = ? AND seq = ?`, c.Sale, c.Seq)
	case sale.PaymentPut:
		p := c.Payment
		return b.exec(putPayment, c.Sale, c.Seq, p.ID, (*string)(p.Type), p.Description, p.Value.String(), p.AdditionalInfo)
	case sale.PaymentRemoved:
		return b.exec(`DELETE FROM payment WHERE sale = ? AND seq = ?`, c.Sale, c.Seq)
	case sale.Closed:
		return b.exec(closeSale, string(c.State), timeText(c.At), c.Sale)
	}
	return fmt.Errorf("unknown change %T", change)
}

func decimalText(d *money.Decimal) *string {
	if d == nil {
		return nil
	}
	s := d.String()
	return &s
}

// Load reads through the writer, so that it comes after every change appended before it.
func (s *Sales) Load() (open *sale.Record, newest int64, err error) {
	var seen uint64
	err = s.commit.do(func(b *batch) error {
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
	if rec.Items, err = b.loadItems(rec.Number); err != nil {
		return nil, 0, err
	}
	rec.Payments, err = b.loadPayments(rec.Number)
	return rec, newest.Int64, err
}

func (b *batch) loadItems(number int64) ([]sale.Line[sale.Item], error) {
	rows, err := b.query(`SELECT seq, id, code, description, canceled, quantity, unit_price, discount, addition, total, additional_info FROM item WHERE sale = ? ORDER BY seq`, number)
	return collect(rows, err, func(rows *sql.Rows) (l sale.Line[sale.Item], err error) {
		i := &l.Value
		err = rows.Scan(&l.Seq, &i.ID, &i.Code, &i.Description, &i.Canceled, exact{&i.Quantity}, exact{&i.UnitPrice},
			optional{&i.Discount}, optional{&i.Addition}, exact{&i.Total}, &i.AdditionalInfo)
		return l, err
	})
}

func (b *batch) loadPayments(number int64) ([]sale.Line[sale.Payment], error) {
	rows, err := b.query(`SELECT seq, id, type, description, value, additional_info FROM payment WHERE sale = ? ORDER BY seq`, number)
	return collect(rows, err, func(rows *sql.Rows) (l sale.Line[sale.Payment], err error) {
		p := &l.Value
		var kind *string
		err = rows.Scan(&l.Seq, &p.ID, &kind, &p.Description, exact{&p.Value}, &p.AdditionalInfo)
		p.Type = (*sale.PaymentType)(kind)
		return l, err
	})
}
