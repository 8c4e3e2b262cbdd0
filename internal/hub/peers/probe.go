package peers

import (
	"context"
	"crypto/tls"
)

// Probe tells whether the hub with a key is reached at an address. It is for somebody who is no hub: the handshake is as far as it goes, and the
// hub shows its key before it asks for another's.
func Probe(ctx context.Context, address string, keyHash []byte) error {
	config := Identity{}.dialling(keyHash)
	config.Certificates = nil
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}
