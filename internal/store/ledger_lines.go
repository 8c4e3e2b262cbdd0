package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// ring wakes who waits for new lines of the history.
func (l *Ledger) ring(err error) {
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines.Ring()
}

// Grown is closed when the history has new lines.
func (l *Ledger) Grown() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Wait()
}

// LastLine is the number of the history's newest line, 0 when there is none.
func (l *Ledger) LastLine(ctx context.Context) (number int64, err error) {
	err = l.reader.QueryRowContext(ctx, `SELECT ifnull(max(number), 0) FROM ledger_history`).Scan(&number)
	return number, explain(err)
}

// LineAt is when a line was written; zero: there is none of this number.
func (l *Ledger) LineAt(ctx context.Context, number int64) (time.Time, error) {
	var at string
	switch err := l.reader.QueryRowContext(ctx, `SELECT at FROM ledger_history WHERE number = ?`, number).Scan(&at); {
	case errors.Is(err, sql.ErrNoRows):
		return time.Time{}, nil
	case err != nil:
		return time.Time{}, explain(err)
	}
	return localTime(at)
}

// Lines are up to so many lines of the history above a number, in order, and no more of them than fit the room in bytes, but one at
// least. Numbers are given and committed by one writer, so none comes later below one that was read. Lines and attempts are of one
// moment.
func (l *Ledger) Lines(ctx context.Context, after int64, limit, room int) ([]payment.Line, error) {
	leave, err := l.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	tx, err := l.reader.BeginTx(ctx, nil)
	if err != nil {
		return nil, explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	rows, err := tx.QueryContext(ctx, `SELECT number, attempt, operation, state, note, at FROM ledger_history WHERE number > ? ORDER BY number LIMIT ?`, after, limit)
	lines, err := collect(rows, err, scanLine)
	if err != nil {
		return nil, explain(err)
	}
	attempts := map[int64]payment.Transaction{}
	for i := range lines {
		id := lines[i].Transaction.ID
		t, known := attempts[id]
		if !known {
			if t, err = scanTransaction(tx.QueryRowContext(ctx, selectLedger+`WHERE id = ?`, id)); err != nil {
				return nil, explain(err)
			}
			attempts[id] = t
		}
		if room -= weight(t); room < 0 && i > 0 {
			return lines[:i], nil
		}
		lines[i].Transaction = t
	}
	return lines, nil
}

func scanLine(rows *sql.Rows) (line payment.Line, err error) {
	var at string
	if err := rows.Scan(&line.Number, &line.Transaction.ID, &line.Operation, &line.State, &line.Note, &at); err != nil {
		return line, err
	}
	line.At, err = localTime(at)
	return line, err
}
