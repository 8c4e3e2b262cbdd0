package controlpay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// ErrRefusedKey means that the account does not know the key.
var ErrRefusedKey = errors.New("controlpay: the key is refused")

// Reach looks for a sale that nobody made, and for nothing else: no money moves. That proves address and key; the terminal is proved by the
// first sale alone. It returns ControlPay's clock; zero: it does not say.
func Reach(ctx context.Context, c Config) (time.Time, error) {
	c.Device = "check"
	return remote.Visit(&c.Network, func() (*Acquirer, error) { return New(c) }, func(a *Acquirer) error {
		_, err := a.find(ctx, payment.Transaction{})
		switch p := remote.Complained(err); {
		case errors.Is(err, errNoSale), errors.Is(err, errMayLand):
			return nil
		case p != nil && p.Denied():
			return fmt.Errorf("%w: %w", ErrRefusedKey, err)
		case errors.Is(err, errNoList):
			return errors.Join(remote.ErrSomebodyElse, err)
		}
		return remote.Strange(err)
	})
}
