//go:build linux

package escpostest_test

import (
	"errors"
	"net"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/escpos/escpostest"
)

// A printer that was unplugged comes back to its own port, which is none of those that anybody else is given meanwhile.
func TestAPrinterKeepsItsPort(t *testing.T) {
	fake := escpostest.Listen(t, 384)
	host, _, err := net.SplitHostPort(fake.Address)
	if err != nil || host == "127.0.0.1" {
		t.Errorf("it is at %s, where all others listen", fake.Address)
	}
	address := fake.Address
	for range 3 {
		fake.Unplug()
		if conn, err := net.Dial("tcp", address); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%v, want refused", err)
			if err == nil {
				conn.Close()
			}
		}
		fake.Plug(t)
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
}
