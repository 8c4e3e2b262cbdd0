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
	var heard remote.Clock
	c.Network = heard.Listen(c.Network)
	a, err := New(c)
	if err != nil {
		return time.Time{}, err
	}
	defer a.Close()
	if _, err = a.client.tokens.get(ctx); err != nil {
		return heard.Now, err
	}
	const nobodys = "maquininha00000000000000000000check"
	if _, err = a.client.repeat(ctx, 1, http.MethodGet, "/cob/"+nobodys, nil); err != nil && !isNotFound(err) {
		return heard.Now, fmt.Errorf("%w: %w", ErrAPI, err)
	}
	return heard.Now, nil
}

// Answer is what the PSP itself said against a request; false when the error is another.
func Answer(err error) (status int, text string, answered bool) {
	var p *problem
	if !errors.As(err, &p) {
		return 0, "", false
	}
	return p.status, p.text, true
}
