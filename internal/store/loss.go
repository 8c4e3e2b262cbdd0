package store

import (
	"database/sql"
	"errors"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/payment"
)

// lostAttempts is how many attempts a mark may be behind: after a power cut it may be an older one.
const lostAttempts = 100

// AcceptLoss has a database of which the newest data are missing (ErrLost) taken as it is, by a person's word. What was
// open in its ledger is in doubt from then on; the numbers of what was lost are not used again. It returns how many
// attempts are in doubt. It is done as a whole or not at all.
func AcceptLoss(dir string) (doubted int, err error) {
	path := filepath.Join(dir, MainFile)
	marked, _ := readMark(path)
	s, err := open(path, nil) // the mark stays as it is until all is done
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ledger, err := s.Ledger()
	if err != nil {
		return 0, Explain(err)
	}
	left, err := ledger.Unresolved()
	if err != nil {
		return 0, Explain(err)
	}
	epoch, err := s.copied() // what was lost may have been read elsewhere
	if err != nil {
		return 0, Explain(err)
	}
	err = s.commit.do(func(b *batch) error {
		doubted = 0
		for table, least := range map[string]int64{"ledger": marked.attempt + lostAttempts, "ledger_history": marked.step} {
			if err := atLeast(b, table, least); err != nil {
				return err
			}
		}
		for _, t := range left {
			next, ok := t.Doubted()
			if !ok {
				continue
			}
			doubted++
			if err := keepStep(b, next, payment.NoteLost); err != nil {
				return err
			}
		}
		if err := keepEpoch(b, *epoch); err != nil {
			return err
		}
		return knowMark(b, fileID(path+markSuffix), "")
	})
	if err != nil {
		return 0, err
	}
	has, err := reached(s.db.reader)
	if err != nil {
		return 0, err
	}
	s.mark, err = openMark(path, has)
	return doubted, err
}

// atLeast has a table count its rows from above a number.
func atLeast(b *batch, table string, least int64) error {
	var now int64
	switch err := b.one(`SELECT seq FROM sqlite_sequence WHERE name = ?`, table).Scan(&now); {
	case errors.Is(err, sql.ErrNoRows):
		return b.exec(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`, table, least)
	case err != nil:
		return err
	}
	return b.exec(`UPDATE sqlite_sequence SET seq = ? WHERE name = ?`, max(now, least), table)
}
