package emulator

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/journal"
	"github.com/maquininha/maquininha/internal/money"
)

// host is the bank's side of the emulator: its own memory of what was charged, on disk, so that a service that
// died in the middle can ask afterwards, as it would ask a real acquirer.
type host struct {
	mu   sync.Mutex
	book *journal.Book[entry]
	nsu  int64
	last map[string]entry         // by operation
	back map[string]money.Decimal // by charge: what was given back of it
}

// entry is one line of the file; the newest of an operation counts.
type entry struct {
	Operation string    `json:"operation"`
	State     hostState `json:"state"`
	NSU       int64     `json:"nsu"`
	Amount    string    `json:"amount,omitempty"` // that moved; empty: none, or written by an older version
	At        time.Time `json:"at"`
}

type hostState string

const (
	charged hostState = "charged"
	undone  hostState = "undone"  // a charge taken back, or ruled out before it could happen
	givenUp hostState = "givenUp" // a reversal ruled out before it could happen
	repaid  hostState = "repaid"
)

func openHost(dir string) (*host, error) {
	h := &host{last: map[string]entry{}, back: map[string]money.Decimal{}}
	var err error
	h.book, err = journal.Open(filepath.Join(dir, "emulator-host.jsonl"), h.remember)
	return h, err
}

func (h *host) remember(e entry) {
	charge, _, back := strings.Cut(e.Operation, "-r")
	if amount, err := money.Parse(e.Amount); back && err == nil && e.State == repaid && h.last[e.Operation].State != repaid {
		h.back[charge] = h.back[charge].Add(amount)
	}
	h.last[e.Operation] = e
	h.nsu = max(h.nsu, e.NSU)
}

// record moves an operation to a new state, unless it is in one of those that rule it out; it returns the entry
// that counts now. It is on disk when record returns.
func (h *host) record(operation string, state hostState, ruledOutBy ...hostState) (entry, error) {
	return h.move(operation, state, "", ruledOutBy...)
}

// move is record for an operation that moves an amount.
func (h *host) move(operation string, state hostState, amount string, ruledOutBy ...hostState) (entry, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.last[operation]
	if slices.Contains(ruledOutBy, now.State) {
		return now, nil
	}
	e := entry{Operation: operation, State: state, NSU: h.nsu + 1, Amount: amount, At: time.Now()}
	if err := h.book.Append(e); err != nil {
		return entry{}, err
	}
	h.remember(e)
	return e, nil
}

// left is what the shop has kept of a charge; false: the charge was written by an older version, without its amount.
func (h *host) left(charge string) (money.Decimal, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	paid, err := money.Parse(h.last[charge].Amount)
	if err != nil {
		return money.Zero, false
	}
	return paid.Sub(h.back[charge]), true
}

func (h *host) close() error { return h.book.Close() }
