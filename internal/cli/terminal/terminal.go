// Package terminal is a terminal that is spoken with over HTTP, this machine's own or another, and its log, which is also read from the data
// folder where nobody answers.
package terminal

import (
	"cmp"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// Terminal is one that is spoken with over HTTP.
type Terminal struct {
	URL            string
	User, Password string
	Pin            string // of its key, or its certificate's SHA-256
}

// Here is the terminal of this machine, as it is configured; the password may be unknown.
func Here(s options.Service, data string) (Terminal, error) {
	t := Terminal{User: cmp.Or(s.Username, "admin"), Password: s.Secret()}
	address, scheme := cmp.Or(s.Listen, ":9050"), "http://"
	if address == "none" {
		address, scheme = s.HTTPS.Configured().Listen, "https://"
		leaf, err := s.HTTPS.Configured().Certificate(data)
		if err != nil {
			return t, err
		}
		if leaf != nil {
			t.Pin = keyPin(leaf)
		}
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return t, fmt.Errorf("o endereço %q da API não é um endereço", address)
	}
	if port == "0" {
		return t, errors.New("a porta da API é escolhida a cada início (:0)")
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	t.URL = scheme + net.JoinHostPort(host, port)
	return t, nil
}

func keyPin(leaf *x509.Certificate) string {
	sum := sha256.Sum256(leaf.RawSubjectPublicKeyInfo)
	return "sha256//" + base64.StdEncoding.EncodeToString(sum[:])
}

// Address takes an address as people write it.
func Address(text string) (string, error) {
	if !strings.Contains(text, "://") {
		if _, _, err := net.SplitHostPort(text); err != nil {
			text = net.JoinHostPort(strings.Trim(text, "[]"), "9050")
		}
		text = "http://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("--url deve ser um endereço como http://192.168.0.10:9050, e não %q", redactedURL(text))
	case u.User != nil:
		return "", errors.New("--url não pode ter usuário e senha, que outros podem ler; use MAQUININHA_USERNAME e MAQUININHA_PASSWORD, no ambiente, ou --password-file")
	}
	return text, nil
}

// redactedURL leaves out what may be a password.
func redactedURL(text string) string {
	if at := strings.LastIndex(text, "@"); at >= 0 {
		return "…" + text[at:]
	}
	return text
}

// Client speaks with it.
func (t Terminal) Client(opts ...client.Option) (*client.Client, error) {
	switch {
	case strings.HasPrefix(t.Pin, "sha256//"):
		opts = append(opts, client.WithPin(t.Pin))
	case t.Pin != "":
		opts = append(opts, client.WithFingerprint(t.Pin))
	}
	return client.New(t.URL, t.User, t.Password, opts...)
}

// ErrPasswordUnknown is of this machine's own terminal.
var ErrPasswordUnknown = errors.New("a senha do serviço não é conhecida aqui: dê-a na variável MAQUININHA_PASSWORD ou com --password-file")

// Words say what keeps the terminal from answering, and what to do.
func (t Terminal) Words(err error) error {
	var said *client.Error
	var name *net.DNSError
	var authority x509.UnknownAuthorityError
	var other x509.HostnameError
	var network net.Error
	var plain tls.RecordHeaderError
	switch {
	case errors.Is(err, client.ErrUnauthorized) && t.Password == "":
		return fmt.Errorf("%s pede uma senha, e nenhuma foi dada: dê-a na variável MAQUININHA_PASSWORD ou com --password-file", t.URL)
	case errors.Is(err, client.ErrUnauthorized):
		return fmt.Errorf("%s não aceita esta senha para o usuário %s; confira MAQUININHA_USERNAME e MAQUININHA_PASSWORD, no ambiente, ou --password-file", t.URL, t.User)
	case errors.As(err, &said):
		return fmt.Errorf("%s: %w", t.URL, err)
	case errors.Is(err, client.ErrWrongKey), errors.Is(err, client.ErrWrongCertificate):
		return fmt.Errorf("%s não é o terminal esperado: o certificado dele não é o de --fingerprint", t.URL)
	case errors.As(err, &name):
		return fmt.Errorf("%s: o nome %s é desconhecido nesta rede", t.URL, name.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%s recusou a conexão: o serviço está no ar, e neste endereço?", t.URL)
	case errors.As(err, &authority), errors.As(err, &other):
		return fmt.Errorf("%s: o certificado não é de uma autoridade conhecida, ou é de outro nome; diga em --fingerprint o SHA-256 que o serviço mostra ao iniciar", t.URL)
	case errors.As(err, &network) && network.Timeout():
		return fmt.Errorf("%s não responde: confira o endereço e a rede", t.URL)
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &plain):
		return fmt.Errorf("%s não fala HTTPS: use http://", t.URL)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("%s encerrou a conexão sem responder: é mesmo um terminal que escuta ali?", t.URL)
	case errors.Is(err, client.ErrNoAnswer):
		return fmt.Errorf("%s respondeu o que não é de um terminal: confira o endereço e a porta", t.URL)
	}
	return fmt.Errorf("%s não respondeu: %w", t.URL, err)
}
