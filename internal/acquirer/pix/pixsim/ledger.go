package pixsim

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// EventKind is what can happen at the PSP.
type EventKind string

// The events of the ledger.
const (
	Charged  EventKind = "charge"
	Paid     EventKind = "payment"
	Removed  EventKind = "removal"
	Refunded EventKind = "refund" // once for each status that it comes to
)

// Event is one line of the ledger.
type Event struct {
	At     time.Time `json:"at"`
	Kind   EventKind `json:"event"`
	TxID   string    `json:"txid"`
	E2EID  string    `json:"e2eid,omitempty"`
	ID     string    `json:"id,omitempty"` // of a refund
	Amount string    `json:"amount,omitempty"`
	Status string    `json:"status,omitempty"`
	Expiry int       `json:"expiry,omitempty"` // of a charge, in seconds
	Until  time.Time `json:"until,omitzero"`   // a refund in the making ends then …
	End    string    `json:"end,omitempty"`    // … like this
	BRCode string    `json:"brcode,omitempty"`
}

// ledger is an append-only file; an event has happened when its line is on disk.
type ledger struct {
	file *os.File
	size int64 // of the whole lines
}

func openLedger(path string, each func(Event)) (*ledger, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	l := &ledger{file: f}
	if err := l.replay(each); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// A line cut off by a power loss was never answered: write over it.
	if err := f.Truncate(l.size); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

func (l *ledger) replay(each func(Event)) error {
	lines := bufio.NewReader(l.file)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("%s, byte %d: %w", l.file.Name(), l.size, err)
		}
		l.size += int64(len(line))
		each(e)
	}
}

func (l *ledger) append(e Event) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if _, err = l.file.WriteAt(line, l.size); err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return errors.Join(err, l.file.Truncate(l.size)) // whole or not at all
	}
	l.size += int64(len(line))
	return nil
}

func (l *ledger) close() error { return l.file.Close() }

// ReadLedger returns every event of a ledger file, for whoever compares it with another.
func ReadLedger(path string) ([]Event, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var events []Event
	err = (&ledger{file: f}).replay(func(e Event) { events = append(events, e) })
	return events, err
}
