package pix

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// Reach asks the PSP for a token, once, and for nothing else: no money moves. It tells the PSP's clock, zero where the
// PSP does not say.
func Reach(ctx context.Context, c Config) (clock time.Time, err error) {
	c.Terminal = cmp.Or(c.Terminal, "check")
	var heard remote.Clock
	c.Network = heard.Listen(c.Network)
	a, err := New(c)
	if err != nil {
		return time.Time{}, err
	}
	defer a.Close()
	_, err = a.client.tokens.get(ctx)
	return heard.Now, err
}

// Answer is what the PSP itself said against a request; false when the error is another.
func Answer(err error) (status int, text string, answered bool) {
	var p *problem
	if !errors.As(err, &p) {
		return 0, "", false
	}
	return p.status, p.text, true
}
