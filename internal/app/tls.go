package app

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// TLS is how HTTPS is spoken with callers, beside HTTP or in its place.
type TLS struct {
	Listen string // empty: not at all
	Cert   string // PEM files; both empty: a certificate of our own, kept in the data folder
	Key    string
}

// Check refuses what can't be served.
func (t TLS) Check(listen string) error {
	switch {
	case listen == none && t.Listen == "":
		return errors.New("--listen none desliga o HTTP e não há HTTPS no lugar; ligue-o com --tls")
	case (t.Cert == "") != (t.Key == ""):
		return errors.New("--tls-cert e --tls-key andam juntos: o certificado e a chave dele")
	}
	return nil
}

// certificates fills tls.Config.GetCertificate with a certificate that may be renewed while it is in use.
type certificates struct {
	load func() (*tls.Certificate, error)
	// stale tells, cheaply, whether load would return another than last time.
	stale func() bool
	every time.Duration
	warn  func(string)

	mu      sync.Mutex
	current *tls.Certificate
	checked time.Time
}

// openCertificates loads the certificate; one that can't be used is the start's fault, a later one only a warning.
func openCertificates(t TLS, data string, warn func(string)) (*certificates, error) {
	var c *certificates
	if t.Cert != "" {
		pair := &pairFiles{cert: t.Cert, key: t.Key}
		c = &certificates{load: pair.load, stale: pair.changed, every: time.Second, warn: warn}
	} else {
		own := ownCertificate{data}
		c = &certificates{load: own.load, stale: func() bool { return true }, every: time.Minute, warn: warn}
	}
	var err error
	c.current, err = c.load()
	c.checked = time.Now()
	return c, err
}

// config is nil where no TLS is spoken.
func (c *certificates) config() *tls.Config {
	if c == nil {
		return nil
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		// HTTP/2 would bring its own ways to wear a server down, and nothing to callers with a handful of connections.
		NextProtos:     []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.newest(), nil },
	}
}

// newest is the certificate as it is on the disk, or the last one that could be used.
func (c *certificates) newest() *tls.Certificate {
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
		c.warn("o certificado novo não pode ser usado, fica o de antes: " + err.Error())
		return c.current
	}
	if !next.Leaf.Equal(c.current.Leaf) {
		c.current = next
		c.warn("certificado renovado: SHA-256 " + fingerprint(next.Leaf) + doubts(next.Leaf))
	}
	return c.current
}

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
	return fmt.Errorf("%s: não foi possível ler %s: %w", flag, path, reason(err))
}

// fingerprint is the certificate's SHA-256 as browsers and openssl show it.
func fingerprint(leaf *x509.Certificate) string {
	sum := sha256.Sum256(leaf.Raw)
	return strings.ReplaceAll(fmt.Sprintf("% X", sum[:]), " ", ":")
}

// publicKey is the key's SHA-256 as curl's --pinnedpubkey takes it; it outlives renewals of our own certificate.
func publicKey(leaf *x509.Certificate) string {
	sum := sha256.Sum256(leaf.RawSubjectPublicKeyInfo)
	return "sha256//" + base64.StdEncoding.EncodeToString(sum[:])
}

// doubts are why callers may refuse the certificate; none is "".
func doubts(leaf *x509.Certificate) string {
	const day = "02/01/2006"
	switch now := time.Now(); {
	case now.After(leaf.NotAfter):
		return "; atenção: venceu em " + leaf.NotAfter.Local().Format(day) + ", os chamadores vão recusá-lo"
	case now.Before(leaf.NotBefore):
		return "; atenção: só vale a partir de " + leaf.NotBefore.Local().Format(day) + ", os chamadores vão recusá-lo"
	case leaf.NotAfter.Sub(now) < renewBefore:
		return "; atenção: vence em " + leaf.NotAfter.Local().Format(day)
	}
	return ""
}

// openToOthers tells whether other users of this machine can read a file.
func openToOthers(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o004 != 0
}

// introduceTLS shows what a technician needs to have callers trust the terminal.
func (a *App) introduceTLS(row func(name, value string)) {
	if a.certs == nil {
		return
	}
	if a.ports[0] != nil {
		row("API (HTTPS)", "https://"+reachable(a.SecureAddress())+onNetwork("https://", a.SecureAddress()))
	}
	leaf := a.certs.newest().Leaf
	whose := a.config.TLS.Cert
	if whose == "" {
		whose = filepath.Join(a.config.Data, ownCertName)
	}
	row("Certificado", whose+", até "+leaf.NotAfter.Local().Format("02/01/2006")+doubts(leaf))
	row("", "SHA-256 "+fingerprint(leaf))
	row("", "chave pública "+publicKey(leaf))
	if a.config.TLS.Key != "" && openToOthers(a.config.TLS.Key) {
		row("Atenção", "outros usuários deste computador podem ler a chave "+a.config.TLS.Key+" (corrija com chmod 600)")
	}
}
