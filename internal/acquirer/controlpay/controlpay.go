// Package controlpay is paid through PayGo's ControlPay: the service asks for a sale in the cloud, the shop's terminal or PC there takes the
// card, and the answer is the text of a TEF file exchange.
//
// A sale is made by one request that must not be repeated: two of them are two sales. So it is sent once, and whatever is not answered is
// looked for by our reference. Nothing calls a sale off once it was asked for: only its own state says how it ended.
package controlpay

import (
	"context"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// Acquirer fills payment.Acquirer.
type Acquirer struct {
	config  Config
	client  *client
	refunds remote.Refunds // cancellations by the attempt's operation

	mu       sync.Mutex
	lastSent time.Time // of a request that makes a sale; at first the start: one of an earlier process may still arrive
}

// New calls nobody.
func New(c Config) (*Acquirer, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	cl, err := newClient(c)
	if err != nil {
		return nil, err
	}
	return &Acquirer{config: c, client: cl, lastSent: time.Now()}, nil
}

// Close lets go of the connections.
func (a *Acquirer) Close() error {
	a.client.HTTP.CloseIdleConnections()
	return nil
}

// Confirm has nothing to do: ControlPay confirms to the network by itself.
func (a *Acquirer) Confirm(context.Context, payment.Transaction) error { return nil }

// ReversesParts is never so: ControlPay cancels whole sales.
func (a *Acquirer) ReversesParts(payment.Transaction) bool { return false }

// Reference is the attempt's name at ControlPay.
func (a *Acquirer) Reference(t payment.Transaction) string {
	t.Reversals = nil // the sale is the payment's, whatever is under way with it now
	return remote.Digest(a.config.Device, t, "sale")
}

// mayLand tells that a request for a sale that nobody answered may still arrive.
func (a *Acquirer) mayLand() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return time.Since(a.lastSent) < a.config.Pace.Landing
}

func (a *Acquirer) noteSent() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lastSent = time.Now()
}
