package store

import "time"

// Owe keeps what an acquirer is still to be told, in its driver's words, until it is Paid. The same twice is one.
func (l *Ledger) Owe(acquirer, what string) error {
	return l.commit.do(func(b *batch) error {
		return b.exec(`INSERT OR IGNORE INTO ledger_debt (acquirer, what, since) VALUES (?, ?, ?)`, acquirer, what, timeText(time.Now()))
	})
}

// Paid forgets what the acquirer has acknowledged.
func (l *Ledger) Paid(acquirer, what string) error {
	return l.commit.do(func(b *batch) error {
		return b.exec(`DELETE FROM ledger_debt WHERE acquirer = ? AND what = ?`, acquirer, what)
	})
}

// Owed is all that the acquirer is still to be told, oldest first.
func (l *Ledger) Owed(acquirer string) ([]string, error) {
	rows, err := l.reader.Query(`SELECT what FROM ledger_debt WHERE acquirer = ? ORDER BY number`, acquirer)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var owed []string
	for rows.Next() {
		var what string
		if err := rows.Scan(&what); err != nil {
			return nil, err
		}
		owed = append(owed, what)
	}
	return owed, rows.Err()
}
