package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
)

// ErrLost means that the newest data are gone: the write-ahead log is missing or cut off, or the database is an older one.
// What is left can be read, and is not the truth. It is unreadable too.
var ErrLost = fmt.Errorf("%w: the newest data are missing", ErrUnreadable)

// markSuffix is the end of the mark's name. It lies beside the database and says how far that has come: SQLite takes a
// log that is gone, or cut off, for one that never was.
const markSuffix = "-mark"

// position is how far the data have come. The log's length is as it was synced; 0 while the log may go.
type position struct {
	step    int64 // of the ledger's history
	attempt int64
	log     int64 // bytes of the write-ahead log
}

// mark is the file with the position. It is written after what it speaks of is on the disk, and before that goes: it may
// lag behind the data, and never leads them, wherever the process is killed.
type mark struct {
	log  string // the write-ahead log's name
	path string
	file *os.File
	last position
	lag  int // commits without a step of the ledger since it was written
}

// longestLag is how many commits the mark may lag behind while none of them is of the ledger: an item of a sale is not
// worth a write more.
const longestLag = 16

// markFormat is of one length, so that a mark is written over in one piece.
const (
	markFormat = "maquininha 1\nstep %020d\nattempt %020d\nlog %020d\n"
	sumFormat  = "sum %08x\n"
)

func (p position) text() []byte {
	text := fmt.Appendf(make([]byte, 0, 128), markFormat, p.step, p.attempt, p.log)
	return fmt.Appendf(text, sumFormat, crc32.ChecksumIEEE(text))
}

// readMark is the position that the mark beside a database tells. One that is missing or torn tells nothing.
func readMark(database string) (p position, ok bool) {
	text, err := os.ReadFile(database + markSuffix)
	if err != nil {
		return position{}, false
	}
	if n, err := fmt.Sscanf(string(text), markFormat, &p.step, &p.attempt, &p.log); err != nil || n != 3 || !bytes.Equal(text, p.text()) {
		return position{}, false
	}
	return p, true
}

// checkLog compares the write-ahead log with the mark, before SQLite sees either. A service that is stopping meanwhile
// says in the mark that the log goes before it does.
func checkLog(database string) (position, error) {
	for {
		p, ok := readMark(database)
		if !ok || size(database+"-wal") >= p.log {
			return p, nil
		}
		if again, _ := readMark(database); again == p {
			return p, fmt.Errorf("opening %s: %w: write-ahead log: %d/%d bytes", database, ErrLost, size(database+"-wal"), p.log)
		}
	}
}

// reached is how far a database has come by what is in it.
func reached(db *sql.DB) (p position, err error) {
	rows, err := db.Query(`SELECT name, seq FROM sqlite_sequence`)
	if err != nil {
		return p, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var seq int64
		if err := rows.Scan(&name, &seq); err != nil {
			return p, err
		}
		switch name {
		case "ledger":
			p.attempt = seq
		case "ledger_history":
			p.step = seq
		}
	}
	return p, rows.Err()
}

// checkLedger compares what the database holds with a mark that was read before.
func checkLedger(path string, db *sql.DB, marked position) error {
	has, err := reached(db)
	switch {
	case err != nil:
		return Explain(err)
	case has.step < marked.step || has.attempt < marked.attempt:
		return fmt.Errorf("opening %s: %w: steps %d/%d, attempts %d/%d", path, ErrLost, has.step, marked.step, has.attempt, marked.attempt)
	}
	return nil
}

// openMark opens the mark beside a database, and says that the log may go: from now on SQLite may bring it into the
// database and delete it, whatever becomes of this start.
func openMark(database string, at position) (*mark, error) {
	f, err := os.OpenFile(database+markSuffix, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	m := &mark{log: database + "-wal", path: database + markSuffix, file: f, last: at}
	if err := m.release(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return m, nil
}

// release says that the log may go, and returns when that is on the disk.
func (m *mark) release() error {
	m.last.log = 0
	if err := m.write(); err != nil {
		return err
	}
	return m.file.Sync()
}

// advance says how far the data have come, once they are on the disk; step and attempt are 0 for a commit without the
// ledger. It is not synced: the data were, and after a power cut an older mark tells nothing false.
func (m *mark) advance(step, attempt int64) error {
	if step == 0 && attempt == 0 && m.last.log > 0 && m.lag < longestLag {
		m.lag++
		return nil
	}
	m.lag = 0
	next := position{step: max(step, m.last.step), attempt: max(attempt, m.last.attempt), log: max(m.last.log, size(m.log))}
	if next == m.last {
		return nil
	}
	m.last = next
	return m.write()
}

func (m *mark) write() error {
	_, err := m.file.WriteAt(m.last.text(), 0)
	return err
}

// close says that the log may go. A mark that can't be told so is removed: none says nothing false.
func (m *mark) close() error {
	err := m.release()
	if err != nil {
		err = os.Remove(m.path)
	}
	return errors.Join(err, m.file.Close())
}
