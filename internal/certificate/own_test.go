package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhenOurCertificateIsRenewed(t *testing.T) {
	// A bubble's clock begins in 2000 and runs as fast as the test wants.
	synctest.Test(t, func(t *testing.T) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		names, addresses := []string{"localhost", "caixa-1"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 7)}
		leaf, err := newCertificate(key, names, addresses)
		if err != nil {
			t.Fatal(err)
		}
		for what, is := range map[string]struct{ got, want bool }{
			"as it was made":         {serves(leaf, key, names, addresses), true},
			"an address less":        {serves(leaf, key, names, addresses[:1]), true},
			"an address more":        {serves(leaf, key, names, append(addresses, net.IPv4(10, 0, 0, 8))), false},
			"another name":           {serves(leaf, key, []string{"caixa-2"}, addresses), false},
			"another terminal's key": {serves(leaf, other, names, addresses), false},
		} {
			if is.got != is.want {
				t.Errorf("%s: still of use is %v", what, is.got)
			}
		}
		time.Sleep(ownValidity - 32*24*time.Hour)
		if !serves(leaf, key, names, addresses) {
			t.Error("renewed too early")
		}
		time.Sleep(2 * 24 * time.Hour)
		if serves(leaf, key, names, addresses) {
			t.Error("not renewed a month before its end")
		}
	})
}

// A running service renews its certificate too, with the same key.
func TestOurCertificateIsRenewedWhileInUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		var said []string
		certs, err := Open("", "", dir, func(text string) { said = append(said, text) })
		if err != nil {
			t.Fatal(err)
		}
		first := certs.Newest()
		time.Sleep(ownValidity - renewBefore)
		second := certs.Newest()
		if second.Leaf.Equal(first.Leaf) || PublicKey(second.Leaf) != PublicKey(first.Leaf) || len(said) != 1 {
			t.Errorf("not renewed with the same key; said %q", said)
		}
		for _, name := range []string{ownKeyName, OwnName} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", name, info, err)
			}
		}
		// What can't be renewed goes on as it was.
		if err := os.WriteFile(filepath.Join(dir, ownKeyName), []byte("garbage"), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if !certs.Newest().Leaf.Equal(second.Leaf) || len(said) != 2 {
			t.Errorf("the certificate in use was given up; said %q", said)
		}
	})
}
