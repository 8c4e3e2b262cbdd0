//go:build unix

package app_test

import (
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Connections that have said nothing are nothing to wait for.
func TestStopWithSilentStrangers(t *testing.T) {
	p := serve(t, t.TempDir(), withSecret(), "--tls-listen", "127.0.0.1:0")
	secure, _ := shown(t, p)
	for _, address := range []string{strings.TrimPrefix(p.base, "http://"), secure} {
		for range 20 {
			conn, err := net.Dial("tcp", address)
			must(t, err)
			defer conn.Close()
			_, err = conn.Write([]byte("\x16\x03\x01"))
			must(t, err)
		}
	}
	p.ok(t, "GET", "/status", "") // all before it have been let in
	began := time.Now()
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	if code := p.exit(t); code != 0 {
		t.Errorf("exit code %d: %s", code, p.stderr)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("stopping took %v: it waited for strangers", took)
	}
}
