// Package certificate has the certificate that HTTPS is spoken with: one that somebody else gives and renews, or one that
// the terminal makes for itself.
package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/portuguese"
)

// Keeper fills tls.Config.GetCertificate with a certificate that may be renewed while it is in use.
type Keeper struct {
	load func() (*tls.Certificate, error)
	// stale tells, cheaply, whether load would return another than last time.
	stale func() bool
	every time.Duration
	warn  func(string)

	mu      sync.Mutex
	current *tls.Certificate
	checked time.Time
}

// Open loads the certificate of two PEM files or, where they are not named, our own, kept in the data folder. One that
// can't be used is the start's fault, a later one only a warning.
func Open(cert, key, data string, warn func(string)) (*Keeper, error) {
	var c *Keeper
	if cert != "" {
		pair := &pairFiles{cert: cert, key: key}
		c = &Keeper{load: pair.load, stale: pair.changed, every: time.Second, warn: warn}
	} else {
		own := ownCertificate{data}
		c = &Keeper{load: own.load, stale: func() bool { return true }, every: time.Minute, warn: warn}
	}
	var err error
	c.current, err = c.load()
	c.checked = time.Now()
	return c, err
}

// Peek is the certificate that Open would find, without making one: nil where ours is still to be made.
func Peek(cert, key, data string) (*x509.Certificate, error) {
	if cert != "" {
		pair, err := (&pairFiles{cert: cert, key: key}).load()
		if err != nil {
			return nil, err
		}
		return pair.Leaf, nil
	}
	text, err := os.ReadFile(filepath.Join(data, OwnName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return readCertificate(text), err
}

// Config is nil where no TLS is spoken.
func (c *Keeper) Config() *tls.Config {
	if c == nil {
		return nil
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		// Of TLS 1.2 what has forward secrecy and authenticates what it encrypts: no CBC. TLS 1.3 has nothing else.
		CipherSuites: []uint16{
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
			tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
			tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
		},
		// HTTP/2 would bring its own ways to wear a server down, and nothing to callers with a handful of connections.
		NextProtos:     []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.Newest(), nil },
	}
}

// Newest is the certificate as it is on the disk, or the last one that could be used.
func (c *Keeper) Newest() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.checked) < c.every {
		return c.current
	}
	c.checked = time.Now()
	if !c.stale() {
		return c.current
	}
	next, err := c.load()
	if err != nil {
		c.warn("o certificado novo não pode ser usado, fica o de antes: " + portuguese.Error(err))
		return c.current
	}
	if !next.Leaf.Equal(c.current.Leaf) {
		c.current = next
		c.warn("certificado renovado: SHA-256 " + Fingerprint(next.Leaf) + Doubts(next.Leaf))
	}
	return c.current
}
