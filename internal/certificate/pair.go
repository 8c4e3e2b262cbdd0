package certificate

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/maquininha/maquininha/internal/syserror"
)

// pairFiles is a certificate that somebody else renews.
type pairFiles struct {
	cert, key string
	seen      [2][sha256.Size]byte
}

// digests are of what is in the files now: they are small, and a time of change may miss one.
func (p *pairFiles) digests() (sums [2][sha256.Size]byte) {
	for i, path := range []string{p.cert, p.key} {
		content, err := os.ReadFile(path)
		if err != nil {
			content = []byte(err.Error()) // it will be said when it is loaded
		}
		sums[i] = sha256.Sum256(content)
	}
	return sums
}

func (p *pairFiles) changed() bool { return p.digests() != p.seen }

func (p *pairFiles) load() (*tls.Certificate, error) {
	p.seen = p.digests() // before it is loaded: what changes meanwhile is seen next time
	pair, err := LoadPair(p.cert, p.key)
	var unread *fs.PathError
	switch {
	case err == nil:
		return pair, nil
	case errors.As(err, &unread) && unread.Path == p.cert:
		return nil, unreadableFile("--tls-cert", p.cert, err)
	case errors.As(err, &unread):
		return nil, unreadableFile("--tls-key", p.key, err)
	case errors.Is(err, ErrOtherKey):
		return nil, fmt.Errorf("a chave %s (--tls-key) não é a do certificado %s (--tls-cert)", p.key, p.cert)
	case errors.Is(err, errEncrypted):
		return nil, fmt.Errorf("a chave %s (--tls-key) está protegida por senha; grave-a sem senha, legível só por este usuário", p.key)
	case errors.Is(err, errNoCertificate):
		return nil, fmt.Errorf("%s (--tls-cert) não é um certificado em PEM", p.cert)
	}
	return nil, fmt.Errorf("%s e %s (--tls-cert e --tls-key) não são um certificado e sua chave em PEM", p.cert, p.key)
}

// What can be wrong with two files that can be read. What the library says of them could quote what it read.
var (
	ErrOtherKey      = errors.New("the key is not that of the certificate")
	errEncrypted     = errors.New("the key is encrypted")
	errNoCertificate = errors.New("no certificate")
	errNoPair        = errors.New("neither a certificate nor its key")
)

// LoadPair reads a certificate and its key in PEM.
func LoadPair(certFile, keyFile string) (*tls.Certificate, error) {
	cert, err := os.ReadFile(certFile)
	if err != nil {
		return nil, err
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return nil, err
	}
	if pair, err := tls.X509KeyPair(cert, key); err == nil {
		return &pair, nil
	}
	switch certified, keyed := isCertificate(cert), isKey(key); {
	case certified && keyed:
		return nil, ErrOtherKey
	case strings.Contains(string(key), "ENCRYPTED"):
		return nil, errEncrypted
	case keyed:
		return nil, errNoCertificate
	}
	return nil, errNoPair
}

func isCertificate(text []byte) bool {
	block, _ := pem.Decode(text)
	if block == nil {
		return false
	}
	_, err := x509.ParseCertificate(block.Bytes)
	return err == nil
}

// isKey knows the three ways of writing one. Parameters may stand before it.
func isKey(text []byte) bool {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		_, pkcs8 := x509.ParsePKCS8PrivateKey(block.Bytes)
		_, pkcs1 := x509.ParsePKCS1PrivateKey(block.Bytes)
		_, sec1 := x509.ParseECPrivateKey(block.Bytes)
		if pkcs8 == nil || pkcs1 == nil || sec1 == nil {
			return true
		}
	}
	return false
}

func unreadableFile(flag, path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: o arquivo %s não existe", flag, path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: sem permissão para ler %s", flag, path)
	}
	return fmt.Errorf("%s: não foi possível ler %s: %w", flag, path, syserror.Reason(err))
}
