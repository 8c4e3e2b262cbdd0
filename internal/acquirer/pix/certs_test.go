package pix_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// certs are the files of a contract with a PSP, and the PSP's own side of it.
type certs struct {
	ca, cert, key string
	server        *tls.Config
}

var contract certs

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "pix")
	if err != nil {
		panic(err)
	}
	contract = makeCerts(dir)
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}

func makeCerts(dir string) certs {
	ca, caKey, caPEM, _ := issue(nil, nil, &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	_, _, serverPEM, serverKey := issue(ca, caKey, &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	_, _, clientPEM, clientKey := issue(ca, caKey, &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	pair, err := tls.X509KeyPair(serverPEM, serverKey)
	must(err)
	pool := x509.NewCertPool()
	pool.AddCert(ca)
	c := certs{ca: filepath.Join(dir, "ca.pem"), cert: filepath.Join(dir, "client.pem"), key: filepath.Join(dir, "client.key")}
	c.server = &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
	must(os.WriteFile(c.ca, caPEM, 0o600))
	must(os.WriteFile(c.cert, clientPEM, 0o600))
	must(os.WriteFile(c.key, clientKey, 0o600))
	return c
}

func issue(parent *x509.Certificate, parentKey *ecdsa.PrivateKey, t *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey, []byte, []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	t.SerialNumber, t.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: "pix test"}
	t.NotBefore, t.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	if parent == nil {
		parent, parentKey = t, key
	}
	der, err := x509.CreateCertificate(rand.Reader, t, parent, &key.PublicKey, parentKey)
	must(err)
	cert, err := x509.ParseCertificate(der)
	must(err)
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	must(err)
	return cert, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
