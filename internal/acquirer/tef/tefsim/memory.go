package tefsim

import (
	"fmt"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/journal"
)

// memory is the ledger as the manager thinks of it.
type memory struct {
	order []*operation
	byKey map[string]*operation
	ids   map[string]bool
	// against are the cancellations of a sale, by its key.
	against map[string][]*operation
	nsu     int64
}

type operation struct {
	id, amount, key, of string
	document            string
	pix, report         bool
	nsu                 int64
	at                  time.Time
	state               Event
}

// nsuText is field 012; of a Pix it is the name that the Central Bank's system gives it.
func (o *operation) nsuText() string {
	if o.pix {
		return fmt.Sprintf("E%08d%s%011d", 0, o.at.Format("200601021504"), o.nsu)
	}
	return fmt.Sprintf("%06d", o.nsu)
}

func (o *operation) open() bool {
	return o.state == Charged || o.state == Cancelled || o.state == Reported
}

func newMemory() *memory {
	return &memory{byKey: map[string]*operation{}, ids: map[string]bool{}, against: map[string][]*operation{}}
}

func (m *memory) take(e Entry) {
	m.nsu = max(m.nsu, e.NSU)
	switch e.Event {
	case Charged, Cancelled, Reported:
		o := &operation{report: e.Event == Reported, id: e.ID, amount: e.Amount, key: e.Key, of: e.Of, nsu: e.NSU, at: e.At, state: e.Event, document: e.Document, pix: e.Pix}
		m.order = append(m.order, o)
		m.byKey[e.Key], m.ids[e.ID] = o, true
		if o.of != "" {
			m.against[o.of] = append(m.against[o.of], o)
		}
	case Confirmed, Undone:
		if o := m.byKey[e.Key]; o != nil {
			o.state = e.Event
		}
	}
}

// named finds an operation by its key or, where the manager gives none, by its document.
func (m *memory) named(key string) *operation {
	if o := m.byKey[key]; o != nil {
		return o
	}
	for _, o := range slices.Backward(m.order) {
		if o.document != "" && o.document == key {
			return o
		}
	}
	return nil
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
	for _, o := range m.against[key] {
		if o.state != Undone {
			return o
		}
	}
	return nil
}

// ledger is the memory and the file; what append returns for is on disk.
type ledger struct {
	*memory
	book *journal.Book[Entry]
}

func openLedger(path string) (*ledger, error) {
	m := newMemory()
	book, err := journal.Open(path, m.take)
	return &ledger{m, book}, err
}

func (l *ledger) append(e Entry) error {
	if err := l.book.Append(e); err != nil {
		return err
	}
	l.take(e)
	return nil
}
