package cielo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// What a look at the account can find wrong.
var (
	ErrRefusedToken    = errors.New("cielo: client id or access token is refused")
	ErrRefusedMerchant = errors.New("cielo: these credentials may not see the merchant")
)

// Reach looks for an order that nobody ever made, by its number and by its id, and for nothing else: no money moves. One is answered with
// a list, the other is refused, and hardly anybody but Cielo does both. It returns Cielo's clock; zero: it does not say.
func Reach(ctx context.Context, c Config) (time.Time, error) {
	c.Terminal, c.Book = "check", remote.NoBook{}
	return remote.Visit(&c.Network, func() (*Acquirer, error) { return New(c) }, func(a *Acquirer) error {
		nobodys := uuid.NewString()
		_, err := a.search(ctx, nobodys, 1)
		listed := err == nil
		if listed {
			_, err = a.see(ctx, nobodys, 1)
		}
		var f *remote.Failure
		switch p := remote.Complained(err); {
		case p != nil && p.Status == http.StatusUnauthorized:
			return fmt.Errorf("%w: %w", ErrRefusedToken, err)
		case p != nil && p.Status == http.StatusForbidden:
			return fmt.Errorf("%w: %w", ErrRefusedMerchant, err)
		case listed && p != nil && p.Own && !p.Transient():
			return nil // its own words, whichever it has for that
		case p != nil && p.Absent(), listed && p != nil && p.Status == http.StatusNotFound:
			return errors.Join(remote.ErrUnproven, err) // how it says that there is none, nobody tells
		case !errors.As(err, &f):
			return errors.Join(remote.ErrSomebodyElse, err) // it has what can't be there, or something else than orders
		}
		return remote.Strange(err)
	})
}
