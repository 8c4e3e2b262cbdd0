package tefsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Event is what happened to an operation.
type Event string

// An operation is charged (or, cancelling another, cancelled) and then confirmed or undone. A protest is something
// that no well-behaved program asks for.
const (
	Charged   Event = "charged"
	Cancelled Event = "cancelled"
	Confirmed Event = "confirmed"
	Undone    Event = "undone"
	Protest   Event = "protest"
)

// Entry is one line of the ledger.
type Entry struct {
	At     time.Time `json:"at"`
	Event  Event     `json:"event"`
	ID     string    `json:"id"` // field 001 of the operation
	Amount string    `json:"amount,omitempty"`
	NSU    int64     `json:"nsu,omitempty"`
	Key    string    `json:"key,omitempty"`
	Of     string    `json:"of,omitempty"` // the key of the sale that this one cancels
	Note   string    `json:"note,omitempty"`
}

// Account is what became of one sale.
type Account struct {
	ID        string
	Amount    string
	Key       string
	Confirmed bool
	Undone    bool
	Cancelled bool // by a cancellation that was not undone
	Open      bool // it, or its cancellation, is neither confirmed nor undone
}

// Standing tells whether the customer has paid.
func (a Account) Standing() bool { return !a.Undone && !a.Cancelled }

// Balance is a whole ledger.
type Balance struct {
	Accounts []Account // in the order they were charged
	Protests []Entry
}

// ReadBalance adds a ledger up; one that does not exist is empty.
func ReadBalance(path string) (Balance, error) {
	entries, _, err := readLedger(path)
	if err != nil {
		return Balance{}, err
	}
	m := newMemory()
	var b Balance
	for _, e := range entries {
		m.take(e)
		if e.Event == Protest {
			b.Protests = append(b.Protests, e)
		}
	}
	for _, o := range m.order {
		if o.of != "" {
			continue
		}
		a := Account{ID: o.id, Amount: o.amount, Key: o.key, Confirmed: o.state == Confirmed, Undone: o.state == Undone, Open: o.open()}
		for _, c := range m.order {
			if c.of == o.key && c.state != Undone {
				a.Cancelled, a.Open = true, a.Open || c.open()
			}
		}
		b.Accounts = append(b.Accounts, a)
	}
	return b, nil
}

// memory is the ledger as the manager thinks of it.
type memory struct {
	order []*operation
	byKey map[string]*operation
	nsu   int64
}

type operation struct {
	id, amount, key, of string
	nsu                 int64
	at                  time.Time
	state               Event
}

func (o *operation) open() bool { return o.state == Charged || o.state == Cancelled }

func newMemory() *memory { return &memory{byKey: map[string]*operation{}} }

func (m *memory) take(e Entry) {
	m.nsu = max(m.nsu, e.NSU)
	switch e.Event {
	case Charged, Cancelled:
		o := &operation{id: e.ID, amount: e.Amount, key: e.Key, of: e.Of, nsu: e.NSU, at: e.At, state: e.Event}
		m.order = append(m.order, o)
		m.byKey[e.Key] = o
	case Confirmed, Undone:
		if o := m.byKey[e.Key]; o != nil {
			o.state = e.Event
		}
	}
}

// pending is the oldest operation that waits for the second phase.
func (m *memory) pending() *operation {
	for _, o := range m.order {
		if o.open() {
			return o
		}
	}
	return nil
}

// cancelledBy is the cancellation that stands against a sale.
func (m *memory) cancelledBy(key string) *operation {
	for _, o := range m.order {
		if o.of == key && o.state != Undone {
			return o
		}
	}
	return nil
}

// charged tells whether an id has been used.
func (m *memory) charged(id string) bool {
	for _, o := range m.order {
		if o.id == id {
			return true
		}
	}
	return false
}

// ledger is the file; what append returns for is on disk.
type ledger struct {
	*memory
	file *os.File
	size int64
}

func openLedger(path string) (*ledger, error) {
	entries, whole, err := readLedger(path)
	if err != nil {
		return nil, err
	}
	l := &ledger{memory: newMemory(), size: whole}
	for _, e := range entries {
		l.take(e)
	}
	if l.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	// A line cut off by a power loss was never answered: write over it.
	if err := l.file.Truncate(whole); err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

func (l *ledger) append(e Entry) error {
	e.At = time.Now()
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if _, err := l.file.WriteAt(line, l.size); err != nil {
		return err
	}
	if err := l.file.Sync(); err != nil {
		return err
	}
	l.size += int64(len(line))
	l.take(e)
	return nil
}

func readLedger(path string) (entries []Entry, whole int64, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		entries = append(entries, e)
		whole += int64(len(line))
	}
	return entries, whole, nil
}
