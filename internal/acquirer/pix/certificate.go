package pix

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	pkcs12 "software.sslmate.com/src/go-pkcs12"
)

// What a client certificate can be refused for.
var (
	ErrCertificateUnreadable = errors.New("pix: the certificate can't be read")
	ErrCertificatePassword   = errors.New("pix: the certificate's password is another")
	ErrCertificateForm       = errors.New("pix: neither PEM nor PKCS#12 with a key")
)

// LoadCertificate reads what a bank lets this terminal in by: a PKCS#12 file (.p12, .pfx) with its password, a pair of PEM
// files, or one PEM file with both. None is configured: nil.
func (c Config) LoadCertificate() (*tls.Certificate, error) {
	if c.Certificate == "" {
		return nil, nil
	}
	content, err := os.ReadFile(c.Certificate)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCertificateUnreadable, err)
	}
	if !bytes.Contains(content, []byte("-----BEGIN ")) {
		return fromPKCS12(content, c.CertificatePassword)
	}
	key, err := os.ReadFile(cmp.Or(c.PrivateKey, c.Certificate))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCertificateUnreadable, err)
	}
	pair, err := tls.X509KeyPair(content, key)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCertificateForm, err)
	}
	if pair.Leaf == nil {
		pair.Leaf, err = x509.ParseCertificate(pair.Certificate[0])
	}
	return &pair, err
}

func fromPKCS12(content []byte, password string) (*tls.Certificate, error) {
	key, leaf, chain, err := pkcs12.DecodeChain(content, password)
	switch {
	case errors.Is(err, pkcs12.ErrIncorrectPassword):
		return nil, ErrCertificatePassword
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrCertificateForm, err)
	}
	pair := &tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}
	for _, above := range chain {
		pair.Certificate = append(pair.Certificate, above.Raw)
	}
	return pair, nil
}
