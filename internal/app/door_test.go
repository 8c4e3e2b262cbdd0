//go:build unix

package app_test

import (
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Connections that have said nothing are nothing to wait for, whether they came before the stop or in the middle of it.
func TestStopWithSilentStrangers(t *testing.T) {
	t.Parallel()
	soon(t, "a stop that waits for no stranger", stopPatience, func(t *testing.T) {
		p := serve(t, t.TempDir(), withSecret(), "--tls-listen", "127.0.0.1:0")
		secure, _ := shown(t, p)
		var coming sync.WaitGroup
		knocked := make(chan struct{}, 2)
		for _, address := range []string{strings.TrimPrefix(p.base, "http://"), secure} {
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
		must(t, p.cmd.Process.Signal(syscall.SIGTERM))
		if code := p.exit(t); code != 0 {
			t.Errorf("exit code %d: %s", code, p.stderr)
		}
		coming.Wait()
	})
}
