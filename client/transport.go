package client

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"
)

// newTransport has limits for everything but the wait for an answer, which a person may take minutes to give.
func newTransport(pin, certificate string, authorities *x509.CertPool) (*http.Transport, error) {
	dialer := &net.Dialer{
		Timeout: 10 * time.Second,
		// A terminal whose power was cut says nothing: some 45 s of silence to probes ends the wait.
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 10 * time.Second, Count: 3},
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: authorities}
	if pin != "" {
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(pin, "sha256//"))
		if err != nil || len(sum) != sha256.Size {
			return nil, errors.New("chave fixada inválida: deve ser sha256// seguido de 44 caracteres em Base64")
		}
		trustOnly(config, sum, ErrWrongKey, func(leaf *x509.Certificate) []byte { return leaf.RawSubjectPublicKeyInfo })
	}
	if certificate != "" {
		sum, err := hex.DecodeString(strings.NewReplacer(":", "", " ", "").Replace(certificate))
		if err != nil || len(sum) != sha256.Size {
			return nil, errors.New("SHA-256 do certificado inválido: deve ter 64 dígitos hexadecimais, seguidos ou separados por dois-pontos")
		}
		trustOnly(config, sum, ErrWrongCertificate, func(leaf *x509.Certificate) []byte { return leaf.Raw })
	}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSClientConfig: config,
		TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 4,
	}, nil
}

// trustOnly is stricter than the usual checks: one key or certificate, whatever it says of itself.
func trustOnly(config *tls.Config, sum []byte, otherwise error, part func(*x509.Certificate) []byte) {
	config.InsecureSkipVerify = true
	earlier := config.VerifyConnection
	config.VerifyConnection = func(s tls.ConnectionState) error {
		got := sha256.Sum256(part(s.PeerCertificates[0]))
		if subtle.ConstantTimeCompare(got[:], sum) != 1 {
			return otherwise
		}
		if earlier != nil {
			return earlier(s)
		}
		return nil
	}
}
