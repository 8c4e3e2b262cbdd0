package certificate

import (
	"crypto/sha256"
	"crypto/tls"
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
	cert, err := os.ReadFile(p.cert)
	if err != nil {
		return nil, unreadableFile("--tls-cert", p.cert, err)
	}
	key, err := os.ReadFile(p.key)
	if err != nil {
		return nil, unreadableFile("--tls-key", p.key, err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err == nil {
		return &pair, nil
	}
	// The library's own words are English, and could quote what it read.
	switch text := err.Error(); {
	case strings.Contains(text, "does not match"):
		return nil, fmt.Errorf("a chave %s (--tls-key) não é a do certificado %s (--tls-cert)", p.key, p.cert)
	case strings.Contains(string(key), "ENCRYPTED"):
		return nil, fmt.Errorf("a chave %s (--tls-key) está protegida por senha; grave-a sem senha, legível só por este usuário", p.key)
	case strings.Contains(text, "certificate") && !strings.Contains(text, "key"):
		return nil, fmt.Errorf("%s (--tls-cert) não é um certificado em PEM", p.cert)
	}
	return nil, fmt.Errorf("%s e %s (--tls-cert e --tls-key) não são um certificado e sua chave em PEM", p.cert, p.key)
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
