package rig

import (
	"net"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// An address is given to one caller only, even while nobody listens on it, and can be listened on at once: also while other
// processes are being started, which have for a moment all that is open here.
func TestAnAddressIsGivenOnce(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var starting sync.WaitGroup
	defer starting.Wait()
	defer close(done)
	for range 4 {
		starting.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := exec.Command(self, "-test.run", "^$").Run(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	seen := map[string]bool{}
	for range 1000 {
		address := FreeAddress()
		if seen[address] {
			t.Fatalf("%s was given twice", address)
		}
		seen[address] = true
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
}
