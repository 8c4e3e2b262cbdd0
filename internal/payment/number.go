package payment

import (
	"errors"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// An operation's number tells it from every other one of this terminal, for acquirers that know operations by a number
// alone. It follows the clock: a ledger restored from a backup has forgotten which were used, but the time of those is
// past. Ten digits last until 2057.
const (
	numberedMoment   = 2 * time.Second
	numbersPerMoment = 20
	// firstNumber leaves small ones to others, should the clock stand before all numbers.
	firstNumber = 100
)

var numberedSince = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// nextNumber is above the last one, also when the clock was set back.
func nextNumber(last int64, now time.Time) int64 {
	return max(int64(now.Sub(numberedSince)/numberedMoment)*numbersPerMoment, last+1, firstNumber)
}

// numbering gives operations their numbers.
type numbering struct {
	ledger Ledger

	mu   sync.Mutex
	last int64 // 0: the ledger was not asked yet
}

func (n *numbering) next() (number int64, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.last == 0 {
		if n.last, err = n.ledger.LastNumber(); err != nil {
			return 0, errors.Join(operation.ErrNotSaved, err) // a disk that can't be read will keep no attempt either
		}
	}
	n.last = nextNumber(n.last, time.Now())
	return n.last, nil
}
