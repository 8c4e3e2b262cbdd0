package connecttef

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// Reach asks for an operation that nobody ever made, and for nothing else: no money moves. It returns the clock of whoever answers;
// zero: it does not say.
func Reach(ctx context.Context, c Config) (time.Time, error) {
	c.Terminal, c.Book = "check", remote.NoBook{}
	return remote.Visit(&c.Network, func() (*Acquirer, error) { return New(c) }, func(a *Acquirer) error {
		_, known, err := a.look(ctx, uuid.NewString(), 1)
		var f *remote.Failure
		switch p := remote.Complained(err); {
		case p != nil && p.Own && !p.Transient():
			return nil // its own words, whichever it has for that
		case p != nil && !p.Own, err != nil && !errors.As(err, &f), known:
			return errors.Join(remote.ErrSomebodyElse, err)
		case err == nil:
			return remote.ErrUnproven // an empty answer: it may say so that it has none, and so may anybody
		}
		return err
	})
}
