//go:build unix

package app_test

import (
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// Connections that have said nothing are nothing to wait for, whether they came before the stop or in the middle of it. The
// server's library waits 5 s for such a one, on any machine; without it a stop is quicker, if not on the first try of a busy one.
func TestStopWithSilentStrangers(t *testing.T) {
	t.Parallel()
	waittest.Until(t, "a stop that waits for no stranger", func() bool { return stopAmongStrangers(t) < 5*time.Second })
}

// stopAmongStrangers is how long a stop takes while strangers go on coming.
func stopAmongStrangers(t *testing.T) time.Duration {
	c := endless(config(t.TempDir()))
	c.TLS.Listen = "127.0.0.1:0"
	term := start(t, c)
	var coming sync.WaitGroup
	knocked := make(chan struct{}, 2)
	for _, address := range []string{strings.TrimPrefix(term.base, "http://"), term.app.SecureAddress().String()} {
		coming.Go(func() {
			for n := 0; ; n++ {
				if n == 20 {
					knocked <- struct{}{}
				}
				conn, err := net.Dial("tcp", address)
				if err != nil {
					return // nobody listens any more
				}
				defer conn.Close()
				conn.Write([]byte("\x16\x03\x01")) //nolint:errcheck // it may have been shown out
			}
		})
	}
	<-knocked
	<-knocked
	began := time.Now()
	ends(t, "the service stops", term.stop)
	took := time.Since(began)
	coming.Wait()
	return took
}
