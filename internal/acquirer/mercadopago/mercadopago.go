// Package mercadopago is paid at a Mercado Pago Point: orders that the service puts on the device, which talks to the customer.
//
// Each request that could move money is on disk, with its idempotency key, before it is sent: sent again it is the same to the
// byte, and Mercado Pago makes of it what it has made already. An order is found again by its id, by our reference, or by that
// repetition. A cancel is a wish: only the order's own state says how it ended.
package mercadopago

import (
	"context"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// Acquirer fills payment.Acquirer.
type Acquirer struct {
	config   Config
	client   *client
	requests remote.Requests
	refunds  remote.Refunds // reversals by their key, undoings by the refund's id
	started  time.Time
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
	return &Acquirer{config: c, client: cl, requests: remote.Requests{Name: c.Name, Book: c.Book}, started: time.Now()}, nil
}

// Close lets go of the connections.
func (a *Acquirer) Close() error {
	a.client.HTTP.CloseIdleConnections()
	return nil
}

// Confirm has nothing to do: what was processed stands without anybody's word.
func (a *Acquirer) Confirm(context.Context, payment.Transaction) error { return nil }

// ReversesParts is always so: the Orders API refunds any amount up to what is left.
func (a *Acquirer) ReversesParts(payment.Transaction) bool { return true }

// Reference is the attempt's name at Mercado Pago, and the key under which its order is made.
func (a *Acquirer) Reference(t payment.Transaction) string {
	t.Reversals = nil // the order is the payment's, whatever is under way with it now
	return remote.Digest(a.config.Terminal, t, "order")
}
