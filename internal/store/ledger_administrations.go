package store

import (
	"database/sql"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

const selectAdministrations = `SELECT number, acquirer, state, token, since FROM ledger_administration `

// KeepAdministration keeps it as it is now.
func (l *Ledger) KeepAdministration(a payment.Administration) error {
	return l.commit.do(func(b *batch) error {
		return b.exec(`REPLACE INTO ledger_administration (number, acquirer, state, token, since) VALUES (?, ?, ?, ?, ?)`,
			a.Number, a.Acquirer, string(a.State), a.Token, timeText(a.Since))
	})
}

// Administration returns the one of a number, or payment.ErrNotFound.
func (l *Ledger) Administration(number int64) (payment.Administration, error) {
	a, err := scanAdministration(l.reader.QueryRow(selectAdministrations+`WHERE number = ?`, number))
	if errors.Is(err, sql.ErrNoRows) {
		return a, payment.ErrNotFound
	}
	return a, explain(err)
}

// OpenAdministrations are those that something is left to be done about, oldest first.
func (l *Ledger) OpenAdministrations() ([]payment.Administration, error) {
	rows, err := l.reader.Query(selectAdministrations + `WHERE state <> 'done' ORDER BY number`)
	return collect(rows, err, func(rows *sql.Rows) (payment.Administration, error) { return scanAdministration(rows) })
}

// Administrations are all from a moment on.
func (l *Ledger) Administrations(since time.Time) ([]payment.Administration, error) {
	rows, err := l.reader.Query(selectAdministrations+`WHERE since >= ? ORDER BY number`, timeText(since))
	return collect(rows, err, func(rows *sql.Rows) (payment.Administration, error) { return scanAdministration(rows) })
}

func scanAdministration(row interface{ Scan(...any) error }) (a payment.Administration, err error) {
	var since string
	if err := row.Scan(&a.Number, &a.Acquirer, &a.State, &a.Token, &since); err != nil {
		return a, err
	}
	a.Since, err = localTime(since)
	return a, err
}
