// Package cielo is paid at a Cielo Smart or LIO: orders that the Order Manager puts on the shop's devices, which talk to the customer.
//
// An order is made as a draft, which no device shows, under a number of ours; its id is on disk before it is placed. So whatever a
// kill cuts off is found again, and a draft that was made twice is harmless. How an order ended is the sum of its confirmed payments:
// it may be paid in parts, by several cards. What was paid is given back at the device alone.
package cielo

import (
	"context"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// Acquirer fills payment.Acquirer and payment.LateReceiver.
type Acquirer struct {
	config   Config
	caller   remote.Caller
	requests remote.Requests
}

// New calls nobody.
func New(c Config) (*Acquirer, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	a := &Acquirer{config: c, requests: remote.Requests{Name: c.Name, Book: c.Book}}
	if a.caller, err = newCaller(c); err != nil {
		return nil, err
	}
	return a, nil
}

// Close lets go of the connections.
func (a *Acquirer) Close() error {
	a.caller.HTTP.CloseIdleConnections()
	return nil
}

// Confirm has nothing to do: what was paid stands without anybody's word.
func (a *Acquirer) Confirm(context.Context, payment.Transaction) error { return nil }

// ReversesParts is never so: the device gives back whole payments.
func (a *Acquirer) ReversesParts(payment.Transaction) bool { return false }

// Number is the attempt's name at Cielo.
func (a *Acquirer) Number(t payment.Transaction) string {
	t.Reversals = nil // the order is the payment's, whatever is under way with it now
	return remote.Digest(a.config.Terminal, t, "order")
}

// device is what the person looks for.
func (a *Acquirer) device() string {
	if a.config.LIO {
		return "Cielo LIO"
	}
	return "Cielo Smart"
}
