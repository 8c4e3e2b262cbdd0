package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// Ledger fills payment.Ledger.
type Ledger struct {
	commit *committer
	reader *sql.DB
	newest *sql.Stmt
}

// Ledger returns the book of transactions.
func (s *Store) Ledger() (*Ledger, error) {
	newest, err := s.db.reader.Prepare(`SELECT ` + ledgerColumns + ` FROM ledger WHERE reference = ? ORDER BY id DESC LIMIT 1`)
	if err != nil {
		return nil, err
	}
	return &Ledger{commit: s.commit, reader: s.db.reader, newest: newest}, nil
}

const ledgerColumns = `id, reference, method, amount, installments, plan, extra, phase, status, message, nsu, authorization, brand,
	acquirer_cnpj, tx_id, end_to_end_id, paid_with, agreed_installments, acquirer_token, customer_receipt, merchant_receipt, reversal_nsu, reversed_at, reversals, created_at, updated_at`

// Begin keeps a new attempt.
func (l *Ledger) Begin(t payment.Transaction) (id int64, err error) {
	err = l.commit.do(func(b *batch) error {
		res, err := b.result(`INSERT INTO ledger (`+ledgerColumns+`) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values(t)...)
		if err != nil {
			return err
		}
		id, err = res.LastInsertId()
		return err
	})
	return id, err
}

// Save replaces what is kept of an attempt.
func (l *Ledger) Save(t payment.Transaction) error {
	return l.commit.do(func(b *batch) error {
		return b.exec(`REPLACE INTO ledger (`+ledgerColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			append([]any{t.ID}, values(t)...)...)
	})
}

// values are all columns but the id, in the order of ledgerColumns.
func values(t payment.Transaction) []any {
	var reference, extra, reversalNSU, reversedAt *string
	if t.Request.Reference != "" {
		reference = &t.Request.Reference
	}
	if t.Request.Extra != nil {
		text := string(t.Request.Extra)
		extra = &text
	}
	if t.Reversal != nil {
		at := timeText(t.Reversal.At)
		reversalNSU, reversedAt = &t.Reversal.NSU, &at
	}
	r, o := t.Request, t.Outcome
	return []any{
		reference, string(r.Method), r.Amount.String(), r.Installments, string(r.Plan), extra, string(t.Phase), string(t.Status),
		o.Message, o.NSU, o.Authorization, o.Brand, o.AcquirerCNPJ, o.TxID, o.EndToEndID, string(o.PaidWith), o.Installments, o.Token,
		o.Receipt.Customer, o.Receipt.Merchant, reversalNSU, reversedAt, t.Reversals, timeText(t.CreatedAt), timeText(t.UpdatedAt),
	}
}

// Get returns one attempt, or payment.ErrNotFound.
func (l *Ledger) Get(id int64) (payment.Transaction, error) {
	return found(scanTransaction(l.reader.QueryRow(`SELECT `+ledgerColumns+` FROM ledger WHERE id = ?`, id)))
}

// Newest returns the newest attempt of a reference, or payment.ErrNotFound.
func (l *Ledger) Newest(reference string) (payment.Transaction, error) {
	return found(scanTransaction(l.newest.QueryRow(reference)))
}

func found(t payment.Transaction, err error) (payment.Transaction, error) {
	if errors.Is(err, sql.ErrNoRows) {
		err = payment.ErrNotFound
	}
	return t, err
}

// Pending returns the attempts without an outcome, oldest first.
func (l *Ledger) Pending() ([]payment.Transaction, error) {
	rows, err := l.reader.Query(`SELECT ` + ledgerColumns + ` FROM ledger WHERE status = 'pending' ORDER BY id`)
	return collect(rows, err, func(rows *sql.Rows) (payment.Transaction, error) { return scanTransaction(rows) })
}

// List passes on the newest attempts that match, oldest first.
func (l *Ledger) List(ctx context.Context, f payment.Filter, each func(payment.Transaction) error) error {
	where, args := `WHERE TRUE`, []any{}
	if f.Status != "" {
		where, args = where+` AND status = ?`, append(args, string(f.Status))
	}
	if !f.Since.IsZero() {
		where, args = where+` AND created_at >= ?`, append(args, timeText(f.Since))
	}
	query := `SELECT ` + ledgerColumns + ` FROM ledger ` + where + ` ORDER BY id`
	if f.Limit > 0 {
		query = `SELECT * FROM (` + query + ` DESC LIMIT ?) ORDER BY id`
		args = append(args, f.Limit)
	}
	rows, err := l.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		t, err := scanTransaction(rows)
		if err != nil {
			return err
		}
		if err := each(t); err != nil {
			return err
		}
	}
	return rows.Err()
}

func scanTransaction(row interface{ Scan(...any) error }) (t payment.Transaction, err error) {
	var reference, extra, reversalNSU, reversedAt *string
	var createdAt, updatedAt string
	var amount exact
	r, o := &t.Request, &t.Outcome
	if err := row.Scan(&t.ID, &reference, &r.Method, &amount, &r.Installments, &r.Plan, &extra, &t.Phase, &t.Status, &o.Message,
		&o.NSU, &o.Authorization, &o.Brand, &o.AcquirerCNPJ, &o.TxID, &o.EndToEndID, &o.PaidWith, &o.Installments, &o.Token,
		&o.Receipt.Customer, &o.Receipt.Merchant, &reversalNSU, &reversedAt, &t.Reversals, &createdAt, &updatedAt); err != nil {
		return t, err
	}
	r.Amount = amount.Decimal
	if reference != nil {
		r.Reference = *reference
	}
	if extra != nil {
		r.Extra = []byte(*extra)
	}
	if reversalNSU != nil && reversedAt != nil {
		t.Reversal = &payment.Reversal{NSU: *reversalNSU}
		if t.Reversal.At, err = localTime(*reversedAt); err != nil {
			return t, err
		}
	}
	if t.CreatedAt, err = localTime(createdAt); err != nil {
		return t, err
	}
	t.UpdatedAt, err = localTime(updatedAt)
	return t, err
}

// localTime reads a kept time into the device's zone, where people and callers read it.
func localTime(text string) (time.Time, error) {
	at, err := parseTime(text)
	return at.In(time.Local), err
}
