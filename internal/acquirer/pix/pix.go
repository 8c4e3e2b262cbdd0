// Package pix is paid through the Central Bank's Pix API, as each bank serves it: profile.go has what differs.
//
// The driver keeps nothing on disk: a charge and a refund are found again by ids that follow from the attempt in the
// ledger, so every step can be repeated after a crash without charging, or giving back, twice.
package pix

import (
	"context"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// Acquirer fills payment.Acquirer.
type Acquirer struct {
	config  Config
	client  *client
	started time.Time

	mu      sync.Mutex
	ordered map[string]bool      // reversals that a person confirmed in this process, by refund id
	refused map[string]time.Time // refunds that the PSP did not make, since when that is known
}

// New reads the certificates; it calls nobody.
func New(c Config) (*Acquirer, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	cl, err := newClient(c)
	if err != nil {
		return nil, err
	}
	return &Acquirer{
		config: c, client: cl, started: time.Now(),
		ordered: map[string]bool{}, refused: map[string]time.Time{},
	}, nil
}

// Close lets go of the connections to the PSP.
func (a *Acquirer) Close() error {
	a.client.close()
	return nil
}

// named gives an outcome the id that its charge has at the PSP: one that failed must be found there too.
func (a *Acquirer) named(t payment.Transaction, o payment.Outcome, err error) (payment.Outcome, error) {
	if err == nil && o.TxID == "" {
		o.TxID = a.TxID(t)
	}
	return o, err
}

// Confirm has nothing to do: a PIX that was paid stands without anybody's word.
func (a *Acquirer) Confirm(context.Context, payment.Transaction) error { return nil }

// order notes that a person wants this refund made; until the process ends, settling it means making it.
func (a *Acquirer) order(refundID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ordered[refundID] = true
}

func (a *Acquirer) isOrdered(refundID string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ordered[refundID]
}

// forget is for a refund whose end is known.
func (a *Acquirer) forget(refundID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.ordered, refundID)
}

// mayTryAnew tells whether a refund that the PSP did not make was left alone long enough.
func (a *Acquirer) mayTryAnew(refundID string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	since, known := a.refused[refundID]
	if !known {
		since = time.Now()
		a.refused[refundID] = since
	}
	return time.Since(since) >= a.config.Pace.RefundPause
}
