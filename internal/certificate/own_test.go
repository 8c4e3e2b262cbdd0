package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		time.Sleep(ownValidity - ownMargin - renewBefore - 24*time.Hour)
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
		time.Sleep(ownValidity - ownMargin)
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

// A start with a clock that is behind keeps the certificate that there is: it may be right. When the clock is, what is missing is made
// up for.
func TestClockBehindOurCertificate(t *testing.T) {
	dir := t.TempDir()
	before, err := Open("", "", dir, func(string) {}) // by the clock of today
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) { // in 2000
		certs, err := Open("", "", dir, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		if !certs.Newest().Leaf.Equal(before.Newest().Leaf) {
			t.Error("a clock in 2000 has made another certificate")
		}
		if Doubts(certs.Newest().Leaf) == "" {
			t.Error("nothing is said of it")
		}
	})
	key, names, addresses := before.Newest().PrivateKey.(*ecdsa.PrivateKey), []string{"localhost", "a-new-name"}, []net.IP{net.IPv4(10, 9, 8, 7)}
	leaf := *before.Newest().Leaf
	for what, row := range map[string]struct {
		ahead time.Duration
		want  bool
	}{
		"made an hour ahead":                {time.Hour, true},
		"made a year ahead":                 {365 * 24 * time.Hour, true},
		"made further ahead than any lasts": {ownValidity + 24*time.Hour, false},
		"in its time, but for other names":  {-time.Hour, false},
	} {
		leaf.NotBefore = time.Now().Add(row.ahead)
		leaf.NotAfter = leaf.NotBefore.Add(ownValidity)
		if serves(&leaf, key, names, addresses) != row.want {
			t.Errorf("%s: still of use is %v", what, !row.want)
		}
	}
}

// A certificate that was made by a clock ahead by some weeks is valid when the clock is right again.
func TestClockAheadOfOurCertificate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		certs, err := Open("", "", t.TempDir(), func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		if right := time.Now().Add(-20 * 24 * time.Hour); right.Before(certs.Newest().Leaf.NotBefore) {
			t.Errorf("not valid before %v", certs.Newest().Leaf.NotBefore)
		}
	})
}

// TLS 1.2 is spoken with forward secrecy and authenticated encryption only.
func TestCipherSuites(t *testing.T) {
	t.Parallel()
	certs, err := Open("", "", t.TempDir(), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	port, err := tls.Listen("tcp", "127.0.0.1:0", certs.Config())
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	go func() {
		for {
			c, err := port.Accept()
			if err != nil {
				return
			}
			go c.(*tls.Conn).Handshake() //nolint:errcheck // the other side says how it went
		}
	}()
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		if !slices.Contains(suite.SupportedVersions, tls.VersionTLS12) {
			continue
		}
		c, err := tls.Dial("tcp", port.Addr().String(), &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{suite.ID}})
		if err == nil {
			c.Close()
		}
		wanted := strings.HasPrefix(suite.Name, "TLS_ECDHE_ECDSA") && (strings.Contains(suite.Name, "GCM") || strings.Contains(suite.Name, "CHACHA"))
		if (err == nil) != wanted {
			t.Errorf("%s: %v", suite.Name, err)
		}
	}
}
