package mercadopago

import (
	"context"
	"net"
	"net/http"

	"github.com/maquininha/maquininha/internal/payment"
)

// Dialing is the configuration with connections of the test's own.
func (c Config) Dialing(dial func(ctx context.Context, network, addr string) (net.Conn, error)) Config {
	c.dial = dial
	return c
}

// Wrapped is the configuration with a test between the driver and the network.
func (c Config) Wrapped(wrap func(http.RoundTripper) http.RoundTripper) Config {
	c.wrap = wrap
	return c
}

// ReversalKey is the key of the refund that the reversal under way asks for.
func (a *Acquirer) ReversalKey(t payment.Transaction) string { return a.reversalKey(t) }
