//go:build unix && (!race || everything)

package app_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

var (
	bannerHTTPS       = regexp.MustCompile(`(?m)^ +API(?: \(HTTPS\))? +https://(\S+)`)
	bannerFingerprint = regexp.MustCompile(`(?m)^ +SHA-256 ([0-9A-F:]{95})$`)
)

// shown is what the banner says of HTTPS.
func shown(t *testing.T, p *process) (address, fingerprint string) {
	t.Helper()
	at, print := bannerHTTPS.FindStringSubmatch(p.stdout.String()), bannerFingerprint.FindStringSubmatch(p.stdout.String())
	if at == nil || print == nil {
		t.Fatalf("no address or fingerprint of HTTPS in:\n%s", p.stdout)
	}
	return at[1], print[1]
}

func fingerprintOf(c *x509.Certificate) string {
	return strings.ReplaceAll(fmt.Sprintf("% X", sha256.Sum256(c.Raw)), " ", ":")
}

// pairOf writes a certificate for 127.0.0.1 and its key.
func pairOf(t *testing.T, dir, name string, from, until time.Time) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: from, NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	certFile, keyFile = filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key")
	must(t, os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o600),
		os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	return certFile, keyFile
}

func TestOwnCertificate(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	own := filepath.Join(data, "tls-cert.pem")
	p := serve(t, data, withSecret(), "--tls-listen", "127.0.0.1:0")
	address, fingerprint := shown(t, p)
	first := presented(t, address)
	if fingerprintOf(first) != fingerprint {
		t.Errorf("the banner shows %s, the service %s", fingerprint, fingerprintOf(first))
	}
	if !strings.Contains(p.ok(t, "GET", "/logs", ""), fingerprint) {
		t.Error("the fingerprint is not in the log")
	}
	_, port, _ := net.SplitHostPort(address)
	for _, host := range []string{"127.0.0.1", "localhost"} {
		secureCaller(t, net.JoinHostPort(host, port), own).ok(t, "POST", "/sale", "")
		p.ok(t, "POST", "/sale/cancel", "") // HTTP, side by side
	}
	if key, ok := first.PublicKey.(*ecdsa.PublicKey); !ok || key.Curve != elliptic.P256() {
		t.Errorf("a key of type %T", first.PublicKey)
	}
	nowhere(t, data, secret)
	p.terminate(t)

	// The same one after a restart of the program; without HTTP when that is switched off.
	p = command(t, withSecret(), "--data", data, "--tls", "--tls-listen", "127.0.0.1:0", "--listen", "none", "--screen", "127.0.0.1:0")
	p.start(t)
	waittest.Until(t, "the banner", func() bool { return strings.Contains(p.stdout.String(), "Experimente:") })
	address, again := shown(t, p)
	if again != fingerprint || strings.Contains(p.stdout.String(), "API           http://") {
		t.Errorf("after a start without HTTP:\n%s", p.stdout)
	}
	secureCaller(t, address, own).ok(t, "GET", "/status", "")
	p.terminate(t)

	// A new certificate of the same key when the old one is of no use; a damaged key is left to a person.
	must(t, os.WriteFile(own, []byte("garbage"), 0o600))
	p = serve(t, data, withSecret(), "--tls-listen", "127.0.0.1:0")
	address, renewed := shown(t, p)
	if second := presented(t, address); renewed == fingerprint || string(second.RawSubjectPublicKeyInfo) != string(first.RawSubjectPublicKeyInfo) {
		t.Error("not a new certificate of the old key")
	}
	p.terminate(t)
	must(t, os.WriteFile(filepath.Join(data, "tls-key.pem"), []byte("garbage"), 0o600))
	stdout, stderr, code := run(t, environment(), "--data", data, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0")
	refused(t, stdout, stderr, code, "tls-key.pem")
}

func TestGivenCertificate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := time.Now()
	cert, key := pairOf(t, dir, "shop", now.Add(-time.Hour), now.Add(100*24*time.Hour))
	otherCert, otherKey := pairOf(t, dir, "other", now.Add(-time.Hour), now.Add(100*24*time.Hour))
	p := serve(t, t.TempDir(), withSecret(), "--tls-listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key)
	address, fingerprint := shown(t, p)
	secureCaller(t, address, cert).ok(t, "GET", "/status", "")
	if strings.Contains(p.stdout.String(), "atenção") || strings.Contains(p.stdout.String(), "Atenção") {
		t.Errorf("a warning without a reason:\n%s", p.stdout)
	}

	// Renewed under the running service, first one file, then the other: never without a certificate.
	must(t, os.Rename(otherCert, cert))
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit)
	defer cancel()
	waittest.Until(t, "the half renewal is noticed", func() bool {
		if got := fingerprintOf(presented(t, address)); got != fingerprint {
			t.Fatalf("half a renewal is in use: %s", got)
		}
		_, logs, _ := p.send(ctx, "GET", "/logs?search=certificado", "")
		return strings.Contains(string(logs), "fica o de antes")
	})
	must(t, os.Rename(otherKey, key))
	waittest.Until(t, "the renewed certificate is in use", func() bool { return fingerprintOf(presented(t, address)) != fingerprint })
	secureCaller(t, address, cert).ok(t, "GET", "/status", "")
	p.terminate(t)

	expired, expiredKey := pairOf(t, dir, "expired", now.Add(-48*time.Hour), now.Add(-24*time.Hour))
	must(t, os.Chmod(expiredKey, 0o644))
	p = serve(t, t.TempDir(), withSecret(), "--tls-listen", "127.0.0.1:0", "--tls-cert", expired, "--tls-key", expiredKey)
	if out := p.stdout.String(); !strings.Contains(out, "venceu em") || !strings.Contains(out, "chmod 600") {
		t.Errorf("an expired certificate with an open key is not worth a word:\n%s", out)
	}
	p.terminate(t)
}

func TestCertificateFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := time.Now()
	cert, key := pairOf(t, dir, "shop", now, now.Add(time.Hour))
	_, otherKey := pairOf(t, dir, "other", now, now.Add(time.Hour))
	garbage := filepath.Join(dir, "garbage")
	locked := filepath.Join(dir, "locked")
	must(t, os.WriteFile(garbage, []byte("garbage"), 0o600),
		os.WriteFile(locked, []byte("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"), 0o600))
	for name, c := range map[string]struct {
		args    []string
		mention []string
	}{
		"no file":       {[]string{"--tls-cert", dir + "/nada", "--tls-key", key}, []string{"--tls-cert", "nada", "não existe"}},
		"no key file":   {[]string{"--tls-cert", cert, "--tls-key", dir + "/nada"}, []string{"--tls-key", "nada", "não existe"}},
		"folder":        {[]string{"--tls-cert", dir, "--tls-key", key}, []string{"--tls-cert", dir}},
		"wrong key":     {[]string{"--tls-cert", cert, "--tls-key", otherKey}, []string{otherKey, "não é a do certificado"}},
		"swapped":       {[]string{"--tls-cert", key, "--tls-key", cert}, []string{"--tls-cert"}},
		"garbage":       {[]string{"--tls-cert", garbage, "--tls-key", key}, []string{garbage, "--tls-cert"}},
		"garbage key":   {[]string{"--tls-cert", cert, "--tls-key", garbage}, []string{garbage, "--tls-key"}},
		"encrypted key": {[]string{"--tls-cert", cert, "--tls-key", locked}, []string{locked, "senha"}},
		"only one":      {[]string{"--tls-cert", cert}, []string{"--tls-key"}},
		"no door":       {[]string{"--listen", "none"}, []string{"--tls"}},
		"bad address":   {[]string{"--tls-listen", "nonsense"}, []string{"--tls-listen"}},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"--data", t.TempDir(), "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0"}, c.args...)
			if name == "no door" {
				args = []string{"--data", t.TempDir(), "--listen", "none", "--screen", "127.0.0.1:0"}
			}
			stdout, stderr, code := run(t, environment(), args...)
			refused(t, stdout, stderr, code, c.mention...)
		})
	}
}
