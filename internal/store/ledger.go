package store

import (
	"database/sql"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/bell"
	"github.com/maquininha/maquininha/internal/payment"
)

// Ledger fills payment.Ledger.
type Ledger struct {
	commit *committer
	reader *sql.DB
	newest *sql.Stmt
	pages  chan struct{} // full while as many pages of lists are read as may be at once

	mu    sync.Mutex // guards lines
	lines bell.Bell  // rung when the history has new ones
}

// Ledger returns the book of transactions.
func (s *Store) Ledger() (*Ledger, error) {
	newest, err := s.db.reader.Prepare(selectLedger + `WHERE reference = ? ORDER BY id DESC LIMIT 1`)
	if err != nil {
		return nil, err
	}
	// One reader is always left for who looks up a single payment, and one for lists of ended sales.
	return &Ledger{commit: s.commit, reader: s.db.reader, newest: newest, pages: make(chan struct{}, readers-2)}, nil
}

const ledgerColumns = `id, acquirer, reference, method, amount, installments, plan, extra, state, unacknowledged, status, message, nsu, authorization,
	brand, acquirer_cnpj, tx_id, end_to_end_id, paid_with, agreed_installments, acquirer_token, customer_receipt, merchant_receipt,
	reversals, created_at, updated_at, number, in_doubt, late`

// selectLedger is followed by what narrows it.
const selectLedger = `SELECT ` + ledgerColumns + `, ` + reversalsColumn + ` FROM ledger `

// places is a placeholder for each of so many columns.
func places(n int) string { return strings.Repeat(`, ?`, n)[2:] }

var (
	beginAttempt = `INSERT INTO ledger (` + ledgerColumns + `) VALUES (NULL, ` + places(strings.Count(ledgerColumns, ",")) + `)`
	keepAttempt  = `REPLACE INTO ledger (` + ledgerColumns + `) VALUES (` + places(strings.Count(ledgerColumns, ",")+1) + `)`
)

// Begin keeps a new attempt.
func (l *Ledger) Begin(t payment.Transaction) (int64, error) {
	err := l.commit.do(func(b *batch) error {
		res, err := b.result(beginAttempt, values(t)...)
		if err != nil {
			return err
		}
		if t.ID, err = res.LastInsertId(); err != nil {
			return err
		}
		if err := keepReversals(b, t, 0); err != nil {
			return err
		}
		return note(b, t, "")
	})
	l.ring(err)
	return t.ID, err
}

// Append keeps the step that the attempt has taken, and the attempt as it stands.
func (l *Ledger) Append(t payment.Transaction, why string) error {
	err := l.commit.do(func(b *batch) error { return keepStep(b, t, why) })
	l.ring(err)
	return err
}

func keepStep(b *batch, t payment.Transaction, why string) error {
	if err := b.exec(keepAttempt, append([]any{t.ID}, values(t)...)...); err != nil {
		return err
	}
	if err := keepReversals(b, t, len(t.Reversals)-1); err != nil {
		return err
	}
	return note(b, t, why)
}

// note adds a line to the history.
func note(b *batch, t payment.Transaction, why string) error {
	nsu := t.Outcome.NSU
	if last := t.LastReversal(); last.Made() {
		nsu = last.NSU
	}
	res, err := b.result(`INSERT INTO ledger_history (attempt, operation, state, acquirer, nsu, authorization, note, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		t.ID, t.Operation(), string(t.State), t.Acquirer, nsu, t.Outcome.Authorization, why, timeText(t.UpdatedAt))
	if err != nil {
		return err
	}
	b.attempt = max(b.attempt, t.ID)
	b.step, err = res.LastInsertId()
	return err
}

// values are all columns but the id, in the order of ledgerColumns.
func values(t payment.Transaction) []any {
	var reference, extra *string
	if t.Request.Reference != "" {
		reference = &t.Request.Reference
	}
	if t.Request.Extra != nil {
		text := string(t.Request.Extra)
		extra = &text
	}
	r, o := t.Request, t.Outcome
	return []any{
		t.Acquirer, reference, string(r.Method), r.Amount.String(), r.Installments, string(r.Plan), extra, string(t.State), t.Unacknowledged, string(t.Status()),
		o.Message, o.NSU, o.Authorization, o.Brand, o.AcquirerCNPJ, o.TxID, o.EndToEndID, string(o.PaidWith), o.Installments, o.Token,
		o.Receipt.Customer, o.Receipt.Merchant, len(t.Reversals), timeText(t.CreatedAt), timeText(t.UpdatedAt), t.Number, t.InDoubt, lateText(t.Late),
	}
}

// Get returns one attempt, or payment.ErrNotFound.
func (l *Ledger) Get(id int64) (payment.Transaction, error) {
	return found(scanTransaction(l.reader.QueryRow(selectLedger+`WHERE id = ?`, id)))
}

// Newest returns the newest attempt of a reference, or payment.ErrNotFound.
func (l *Ledger) Newest(reference string) (payment.Transaction, error) {
	return found(scanTransaction(l.newest.QueryRow(reference)))
}

// Numbered returns the attempt whose payment, or one of whose reversals, has the number, or payment.ErrNotFound.
func (l *Ledger) Numbered(number int64) (payment.Transaction, error) {
	if number == 0 {
		return payment.Transaction{}, payment.ErrNotFound // of those without one
	}
	return found(scanTransaction(l.reader.QueryRow(selectLedger+`WHERE number = ?1 OR id IN (SELECT attempt FROM ledger_reversal WHERE number = ?1)`, number)))
}

// LastNumber is the highest number of an operation.
func (l *Ledger) LastNumber() (last int64, err error) {
	// A table without rows has no highest.
	err = l.reader.QueryRow(`SELECT max(coalesce((SELECT max(number) FROM ledger), 0), coalesce((SELECT max(number) FROM ledger_reversal), 0),
		coalesce((SELECT max(number) FROM ledger_administration), 0))`).Scan(&last)
	return last, explain(err)
}

func found(t payment.Transaction, err error) (payment.Transaction, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return t, payment.ErrNotFound
	}
	return t, explain(err)
}

// Unresolved returns the attempts that something is left to be done about, oldest first.
func (l *Ledger) Unresolved() ([]payment.Transaction, error) {
	rows, err := l.reader.Query(selectLedger + `WHERE status = 'pending' OR unacknowledged ORDER BY id`)
	return collect(rows, err, func(rows *sql.Rows) (payment.Transaction, error) { return scanTransaction(rows) })
}

// History returns what happened to an attempt, in order.
func (l *Ledger) History(id int64) ([]payment.Event, error) {
	rows, err := l.reader.Query(`SELECT operation, state, note, at FROM ledger_history WHERE attempt = ? ORDER BY number`, id)
	return collect(rows, err, func(rows *sql.Rows) (e payment.Event, err error) {
		var at string
		if err := rows.Scan(&e.Operation, &e.State, &e.Note, &at); err != nil {
			return e, err
		}
		e.At, err = localTime(at)
		return e, err
	})
}

func scanTransaction(row interface{ Scan(...any) error }) (t payment.Transaction, err error) {
	var reference, extra *string
	var createdAt, updatedAt, late, reversals string
	var status payment.Status // for who reads the table by hand, and for filters
	var begun int             // how many reversals: reversalsColumn goes by it
	var amount exact
	r, o := &t.Request, &t.Outcome
	if err := row.Scan(&t.ID, &t.Acquirer, &reference, &r.Method, &amount, &r.Installments, &r.Plan, &extra, &t.State, &t.Unacknowledged, &status, &o.Message,
		&o.NSU, &o.Authorization, &o.Brand, &o.AcquirerCNPJ, &o.TxID, &o.EndToEndID, &o.PaidWith, &o.Installments, &o.Token,
		&o.Receipt.Customer, &o.Receipt.Merchant, &begun, &createdAt, &updatedAt, &t.Number, &t.InDoubt, &late, &reversals); err != nil {
		return t, err
	}
	r.Amount = amount.Decimal
	if reference != nil {
		r.Reference = *reference
	}
	if extra != nil {
		r.Extra = []byte(*extra)
	}
	if t.Reversals, err = reversalsOf(reversals); err != nil {
		return t, err
	}
	if t.Late, err = lateOf(late); err != nil {
		return t, err
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
