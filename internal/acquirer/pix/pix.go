// Package pix is paid through the Central Bank's Pix API, as each bank serves it: profile.go has what differs.
//
// A charge and a refund are found again by ids that follow from the attempt in the ledger, so every step can be repeated after a crash
// without charging, or giving back, twice. All that the driver keeps on disk is which charge's code was shown: whoever denies that one
// later, it may be paid.
package pix

import (
	"context"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// Acquirer fills payment.Acquirer.
type Acquirer struct {
	config  Config
	client  *client
	refunds remote.Refunds
	shown   remote.Requests // those whose code the customer saw
	started time.Time
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
	return &Acquirer{config: c, client: cl, started: time.Now(), shown: remote.Requests{Name: c.Name, Book: c.Book}}, nil
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
