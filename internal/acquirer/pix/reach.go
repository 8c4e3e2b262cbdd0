package pix

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// ErrAPI means that the PSP gave a token, and that its API does not answer who has it.
var ErrAPI = errors.New("pix: the API does not answer")

// Reach asks the PSP for a token and then for a charge that nobody has made: no money moves. That there is none proves address,
// certificate, headers and key of the application. It tells the PSP's clock, zero where the PSP does not say.
func Reach(ctx context.Context, c Config) (clock time.Time, err error) {
	c.Terminal = cmp.Or(c.Terminal, "check")
	return remote.Visit(&c.Network, func() (*Acquirer, error) { return New(c) }, func(a *Acquirer) error {
		if _, err := a.client.tokens.get(ctx); err != nil {
			return err
		}
		const nobodys = "maquininha00000000000000000000check"
		_, err := a.client.repeat(ctx, 1, http.MethodGet, "/cob/"+nobodys, nil)
		switch {
		case isNotFound(err):
			return nil
		case err == nil:
			err = remote.ErrSomebodyElse // that charge can't be there
		}
		return fmt.Errorf("%w: %w", ErrAPI, err)
	})
}

// Answer is what the PSP itself said against a request; false when the error is another.
func Answer(err error) (status int, text string, answered bool) {
	var p *problem
	if !errors.As(err, &p) {
		return 0, "", false
	}
	return p.Status, p.Text, true
}
