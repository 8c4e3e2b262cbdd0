package hubtest

import (
	"crypto/tls"
	"runtime"
	"testing"
)

// FirstHandshake has the first TLS handshake with a server over before any other begins, and keeps the certificate that it has read:
// clients of one process share certificates in a cache of Go's own, of which the race detector does not see how it is guarded.
func FirstHandshake(t testing.TB, address string) {
	t.Helper()
	conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	read := conn.ConnectionState().PeerCertificates
	conn.Close()
	t.Cleanup(func() { runtime.KeepAlive(read) })
}
