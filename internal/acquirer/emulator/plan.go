package emulator

import (
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// Plan is how an operation is meant to go: for the person, who may still do otherwise, and for the bank, whose script
// outdoes it.
type Plan struct {
	Thinks  *time.Duration // how long the person takes; nil: as long as anybody
	PaidVia payment.Method // how the person pays where the caller leaves it open
	Reply   *Reply         // nil leaves it to the amount
}

// Thinks is how long the person takes over the operation that waits; false where nobody has said.
func (a *Acquirer) Thinks() (time.Duration, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.turn == nil || a.turn.plan.Thinks == nil {
		return 0, false
	}
	return *a.turn.plan.Thinks, true
}
