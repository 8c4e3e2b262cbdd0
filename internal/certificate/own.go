package certificate

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/syserror"
	"github.com/maquininha/maquininha/internal/wholefile"
)

const (
	// OwnName is the file of our own certificate in the data folder.
	OwnName    = "tls-cert.pem"
	ownKeyName = "tls-key.pem"
	// ownValidity is the most that every system takes.
	ownValidity = 825 * 24 * time.Hour
	renewBefore = 30 * 24 * time.Hour
	// ownMargin is how long before it is made ours is valid already: a caller's clock may be behind ours, and ours may be ahead
	// when it is made, and right afterwards.
	ownMargin = 30 * 24 * time.Hour
)

// OwnFiles are those that our own certificate is made of, for backups.
var OwnFiles = []string{OwnName, ownKeyName}

// written is about when this program was: a clock that is before it is wrong.
var written = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// ownCertificate is one the terminal makes for itself, in its data folder. Its key is made once, so that whoever has
// pinned it need not know of renewals.
type ownCertificate struct{ dir string }

// load returns the kept certificate, or a new one where there is none, where it ends soon, or where the machine has
// got an address since.
func (o ownCertificate) load() (*tls.Certificate, error) {
	key, err := o.key()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(o.dir, OwnName)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("não foi possível ler o certificado %s: %w", path, syserror.Reason(err))
	}
	names, addresses := ownNames()
	if leaf := readCertificate(text); leaf != nil && serves(leaf, key, names, addresses) {
		return &tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}, nil
	}
	leaf, err := newCertificate(key, names, addresses)
	if err != nil {
		return nil, fmt.Errorf("não foi possível criar o certificado: %w", err)
	}
	if err := writePEM(path, "CERTIFICATE", leaf.Raw); err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}, nil
}

// key is the kept key, or a new one where there is none. A damaged one is left to a person: callers may have pinned it.
func (o ownCertificate) key() (*ecdsa.PrivateKey, error) {
	path := filepath.Join(o.dir, ownKeyName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("não foi possível ler a chave %s: %w", path, syserror.Reason(err))
	}
	if block, _ := pem.Decode(text); block != nil {
		if any, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			if key, ok := any.(*ecdsa.PrivateKey); ok {
				return key, nil
			}
		}
	}
	return nil, fmt.Errorf("a chave do certificado em %s está danificada; apague o arquivo para que outra seja criada", path)
}

func newKey(path string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("não foi possível criar a chave do certificado: %w", err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("não foi possível criar a chave do certificado: %w", err)
	}
	return key, writePEM(path, "PRIVATE KEY", text)
}

// readCertificate is the first certificate of a PEM file, nil when it holds none: ours can always be made again.
func readCertificate(text []byte) *x509.Certificate {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return leaf
}

// serves tells whether a certificate is good for these names for some time to come.
func serves(leaf *x509.Certificate, key *ecdsa.PrivateKey, names []string, addresses []net.IP) bool {
	now := time.Now()
	if public, ok := leaf.PublicKey.(interface{ Equal(crypto.PublicKey) bool }); !ok || !public.Equal(&key.PublicKey) {
		return false
	}
	if now.Before(leaf.NotBefore) {
		return clockBehind(now, leaf)
	}
	if leaf.NotAfter.Sub(now) < renewBefore {
		return false
	}
	for _, name := range names {
		if leaf.VerifyHostname(name) != nil {
			return false
		}
	}
	for _, ip := range addresses {
		if leaf.VerifyHostname(ip.String()) != nil {
			return false
		}
	}
	return true
}

// clockBehind tells whether a certificate whose time has not come may be right, and the clock wrong. It is kept then, whatever
// names are missing: one made by such a clock could have ended when the clock is right again, and callers may have trusted the
// old one. A certificate from further ahead than any lasts was made by a wrong clock itself.
func clockBehind(now time.Time, leaf *x509.Certificate) bool {
	return now.Before(written) || leaf.NotBefore.Sub(now) < ownValidity
}

func newCertificate(key *ecdsa.PrivateKey, names []string, addresses []net.IP) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "maquininha " + names[len(names)-1]},
		NotBefore: now.Add(-ownMargin), NotAfter: now.Add(ownValidity - ownMargin),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, DNSNames: names, IPAddresses: addresses,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(raw)
}

// ownNames are how this machine may be called, its best known name last. What the system does not tell is left out.
func ownNames() (names []string, addresses []net.IP) {
	names, addresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	if host, err := os.Hostname(); err == nil {
		if host = strings.ToLower(host); validName(host) && host != "localhost" {
			names = append(names, host)
			if !strings.Contains(host, ".") {
				names = append(names, host+".local")
			}
		}
	}
	interfaces, err := net.InterfaceAddrs()
	if err != nil {
		return names, addresses
	}
	for _, a := range interfaces {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			addresses = append(addresses, n.IP)
		}
	}
	return names, addresses
}

// validName keeps out what a certificate can't carry, or no caller could verify.
func validName(host string) bool {
	return host != "" && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") == "" && net.ParseIP(host) == nil
}

// writePEM writes a file whole, for this user only.
func writePEM(path, kind string, content []byte) error {
	err := wholefile.Put(path, func(f *os.File) error { return pem.Encode(f, &pem.Block{Type: kind, Bytes: content}) })
	if err != nil {
		return fmt.Errorf("não foi possível gravar %s: %w", path, syserror.Reason(err))
	}
	return nil
}
