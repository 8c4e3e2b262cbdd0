package simulate

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	pkcs12 "software.sslmate.com/src/go-pkcs12"
)

// papers are the certificates of a simulated bank and of the shop that has a contract with it, in a folder. They are made once:
// a shop that was told of them keeps them when the bank is started again.
type papers string

// papersBeside are those of the simulator with that book.
func papersBeside(ledger string) papers {
	return papers(strings.TrimSuffix(ledger, filepath.Ext(ledger)) + "-certificados")
}

// bundlePassword opens the shop's certificate where the bank hands it out as one file.
const bundlePassword = "simulador"

const paperLife = 365 * 24 * time.Hour

func (p papers) file(name string) string { return filepath.Join(string(p), name) }

func (p papers) authority() string { return p.file("autoridade.pem") }
func (p papers) bank() string      { return p.file("banco.pem") }
func (p papers) shop() string      { return p.file("loja.pem") }
func (p papers) bundle() string    { return p.file("loja.p12") }

// server has the bank show its certificate, at an address to listen on, and look at those of others.
func (p papers) server(listen string) (*tls.Config, error) {
	host, _, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err != nil || ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	secure, err := p.load(host)
	if err == nil {
		return secure, nil
	}
	if err := p.make(host); err != nil {
		return nil, fmt.Errorf("fazendo os certificados: %w", err)
	}
	return p.load(host)
}

// load takes what is there; certificates that are over, or of another address, are as none.
func (p papers) load(host string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(p.bank(), p.bank())
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		return nil, err
	}
	if time.Now().After(leaf.NotAfter.Add(-time.Hour)) {
		return nil, fmt.Errorf("%s venceu", p.bank())
	}
	if err := leaf.VerifyHostname(host); err != nil {
		return nil, err
	}
	for _, name := range []string{p.shop(), p.bundle()} {
		if _, err := os.Stat(name); err != nil {
			return nil, err
		}
	}
	pool, err := poolOf(p.authority())
	if err != nil {
		return nil, err
	}
	// Whether a call needs one is the bank's to say: some give tokens without.
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, ClientCAs: pool, ClientAuth: tls.VerifyClientCertIfGiven}, nil
}

func poolOf(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s não tem nenhum certificado", file)
	}
	return pool, nil
}

// make writes an authority, and what it signs for both sides. Its key is not kept: nobody else is to be signed for.
func (p papers) make(host string) error {
	authority, err := sign(nil, &x509.Certificate{
		Subject: pkix.Name{CommonName: "Autoridade do simulador PIX"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
	if err != nil {
		return err
	}
	bank, err := sign(authority, &x509.Certificate{
		Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback, net.ParseIP(host)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	if err != nil {
		return err
	}
	shop, err := sign(authority, &x509.Certificate{
		Subject: pkix.Name{CommonName: "Loja do simulador PIX"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return err
	}
	bundle, err := pkcs12.Modern2023.Encode(shop.key, shop.leaf, nil, bundlePassword)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(string(p), 0o700); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		text []byte
	}{
		{p.authority(), authority.pem(false)},
		{p.shop(), shop.pem(true)},
		{p.bundle(), bundle},
		{p.bank(), bank.pem(true)}, // last: who finds it finds all
	} {
		if err := os.WriteFile(f.name, f.text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// signed is a certificate with its key.
type signed struct {
	leaf *x509.Certificate
	key  *ecdsa.PrivateKey
	raw  []byte // of the key
}

// sign makes a certificate; nil: it signs itself.
func sign(by *signed, t *x509.Certificate) (*signed, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	t.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	t.NotBefore, t.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(paperLife)
	parent, signer := t, crypto.Signer(key)
	if by != nil {
		parent, signer = by.leaf, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, t, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	return &signed{leaf, key, raw}, err
}

func (s *signed) pem(withKey bool) []byte {
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.leaf.Raw})
	if withKey {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: s.raw})...)
	}
	return text
}
