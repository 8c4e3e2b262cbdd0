package rig

import (
	"net"
	"testing"
)

// An address is given to one caller only, even while nobody listens on it.
func TestAnAddressIsGivenOnce(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		address, err := FreeAddress()
		if err != nil {
			t.Fatal(err)
		}
		if seen[address] {
			t.Fatalf("%s was given twice", address)
		}
		seen[address] = true
	}
	for address := range seen {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
}
