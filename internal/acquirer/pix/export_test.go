package pix

import (
	"context"
	"net"
	"net/http"
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
