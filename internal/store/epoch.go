package store

import (
	"database/sql"
	"errors"
	"path/filepath"
	"time"

	"github.com/google/uuid"
)

// Epoch names a history. Whoever reads it elsewhere knows its lines by epoch and number.
type Epoch struct {
	ID     string
	Ledger int64 // the last line of the ledger's history when it began
	Log    int64 // the last entry of the log then
	Same   bool  // up to there all is the same as in the epoch before
}

// A folder that was put back is, byte for byte, one that has been here: what is in its files can't tell. So the mark is
// made anew at every start, and the database keeps by what the system knows that file. A copy of the folder has
// another file in its place; one that is copied over the folder in use leaves the newer file there, which the older
// database does not know. A folder that is moved takes the file along. Where the system does not tell files apart, and
// where a whole disk is put back, only a reader elsewhere can know: see BeginEpoch.

// lookAtEpoch finds out whether the data are those that were here last. It changes nothing: the start may find more to refuse.
func (s *Store) lookAtEpoch() (err error) {
	var known struct{ mark, next string }
	err = s.db.reader.QueryRow(`SELECT mark, next_mark FROM epoch ORDER BY number DESC LIMIT 1`).Scan(&known.mark, &known.next)
	seen := fileID(s.mark.path)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		s.begins, err = &Epoch{ID: uuid.NewString()}, nil
	case err == nil && seen != "" && known.mark != "" && seen != known.mark && seen != known.next:
		s.begins, err = s.copied()
	}
	return err
}

// NewEpoch tells whether an epoch begins with this start.
func (s *Store) NewEpoch() bool { return s.begins != nil }

// KeepEpoch keeps the epoch that begins with this start, if one does, and makes the mark anew. A start that is killed on the way leaves
// a mark that the database knows. Where the disk has no room for that, the mark of the last start does as well.
func (s *Store) KeepEpoch() error {
	seen := fileID(s.mark.path)
	next, err := s.mark.prepare(seen)
	if err != nil {
		next = ""
	}
	err = s.commit.do(func(b *batch) error {
		if s.begins != nil {
			if err := keepEpoch(b, *s.begins); err != nil {
				return err
			}
		}
		return knowMark(b, seen, next)
	})
	switch {
	case err != nil && s.begins != nil:
		return err
	case err == nil && next != "":
		_ = s.commit.alone(s.mark.replace)
	}
	return nil
}

// copied is a new epoch that has all there is in common with the one before.
func (s *Store) copied() (*Epoch, error) {
	has, err := reached(s.db.reader)
	if err != nil {
		return nil, err
	}
	return &Epoch{ID: uuid.NewString(), Ledger: has.step, Log: lastLog(filepath.Dir(s.db.path)), Same: true}, nil
}

// lastLog is the last entry of a log that nobody has open; 0 where it has none, or can't be read.
func lastLog(dir string) int64 {
	l, err := PeekLogs(dir)
	if err != nil {
		return 0
	}
	defer l.Close()
	return l.Last()
}

func keepEpoch(b *batch, e Epoch) error {
	return b.exec(`INSERT INTO epoch (id, ledger, log, same, begun_at, mark, next_mark)
		SELECT ?, ?, ?, ?, ?, coalesce(max(mark), ''), coalesce(max(next_mark), '') FROM epoch WHERE number = (SELECT max(number) FROM epoch)`,
		e.ID, e.Ledger, e.Log, e.Same, timeText(time.Now()))
}

// knowMark keeps by what the system knows the mark, and the one that is about to take its place.
func knowMark(b *batch, seen, next string) error {
	return b.exec(`UPDATE epoch SET mark = ?, next_mark = ? WHERE number = (SELECT max(number) FROM epoch)`, seen, next)
}

// BeginEpoch begins a new epoch because somebody who has read the history knows it otherwise. How much of the one before is in it,
// nobody can say. The log's last entry is its keeper's to know.
func (s *Store) BeginEpoch(log int64) error {
	has, err := reached(s.db.reader)
	if err != nil {
		return Explain(err)
	}
	return s.commit.do(func(b *batch) error { return keepEpoch(b, Epoch{ID: uuid.NewString(), Ledger: has.step, Log: log}) })
}

// Epochs are all that the data have been part of, the one of now first.
func (s *Store) Epochs() ([]Epoch, error) {
	rows, err := s.db.reader.Query(`SELECT id, ledger, log, same FROM epoch ORDER BY number DESC`)
	return collect(rows, err, func(rows *sql.Rows) (e Epoch, err error) {
		return e, rows.Scan(&e.ID, &e.Ledger, &e.Log, &e.Same)
	})
}
