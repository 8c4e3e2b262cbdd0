package main

import (
	"cmp"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/client"
)

// terminal is one that is spoken with over HTTP.
type terminal struct {
	url            string
	user, password string
	pin            string // of its key, or its certificate's SHA-256
}

// configured reads the configuration as the service on this folder would, whatever is wrong with parts of it.
func (d dataFlag) configured() (serve, *configuration, error) {
	var line commandLine
	config := &configuration{}
	parser := kong.Must(&line, kong.Resolvers(config), kong.Bind(config), kong.Name("maquininha"), kong.Exit(func(int) {}))
	args := []string{"check"} // which leaves the values to be judged later
	if d.Config != "" {
		args = append(args, "--config="+d.Config)
	}
	if d.Data != "" {
		args = append(args, "--data="+d.Data)
	}
	_, err := parser.Parse(args)
	if err == nil && len(config.spoiled) > 0 {
		err = fmt.Errorf("%v", config.spoiled[0])
	}
	return line.Check.serve, config, cmp.Or(config.err, err)
}

// here is the terminal of this machine, as it is configured; the password may be unknown.
func (s serve) here(data string) (terminal, error) {
	t := terminal{user: cmp.Or(s.Username, "admin"), password: s.password()}
	address, scheme := cmp.Or(s.Listen, ":9050"), "http://"
	if address == "none" {
		address, scheme = s.tls().Listen, "https://"
		leaf, err := s.tls().Certificate(data)
		if err != nil {
			return t, err
		}
		if leaf != nil {
			t.pin = keyPin(leaf)
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
	t.url = scheme + net.JoinHostPort(host, port)
	return t, nil
}

func keyPin(leaf *x509.Certificate) string {
	sum := sha256.Sum256(leaf.RawSubjectPublicKeyInfo)
	return "sha256//" + base64.StdEncoding.EncodeToString(sum[:])
}

// terminalURL takes an address as people write it.
func terminalURL(text string) (string, error) {
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

func (t terminal) client(opts ...client.Option) (*client.Client, error) {
	switch {
	case strings.HasPrefix(t.pin, "sha256//"):
		opts = append(opts, client.WithPin(t.pin))
	case t.pin != "":
		opts = append(opts, client.WithFingerprint(t.pin))
	}
	return client.New(t.url, t.user, t.password, opts...)
}

// errPasswordUnknown is of this machine's own terminal.
var errPasswordUnknown = errors.New("a senha do serviço não é conhecida aqui: dê-a na variável MAQUININHA_PASSWORD ou com --password-file")

// words say what keeps the terminal from answering, and what to do.
func (t terminal) words(err error) error {
	var said *client.Error
	var name *net.DNSError
	var authority x509.UnknownAuthorityError
	var other x509.HostnameError
	var network net.Error
	switch {
	case errors.Is(err, client.ErrUnauthorized) && t.password == "":
		return fmt.Errorf("%s pede uma senha, e nenhuma foi dada: dê-a na variável MAQUININHA_PASSWORD ou com --password-file", t.url)
	case errors.Is(err, client.ErrUnauthorized):
		return fmt.Errorf("%s não aceita esta senha para o usuário %s; confira MAQUININHA_USERNAME e MAQUININHA_PASSWORD, no ambiente, ou --password-file", t.url, t.user)
	case errors.As(err, &said):
		return fmt.Errorf("%s: %w", t.url, err)
	case errors.Is(err, client.ErrWrongKey), errors.Is(err, client.ErrWrongCertificate):
		return fmt.Errorf("%s não é o terminal esperado: o certificado dele não é o de --fingerprint", t.url)
	case errors.As(err, &name):
		return fmt.Errorf("%s: o nome %s é desconhecido nesta rede", t.url, name.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%s recusou a conexão: o serviço está no ar, e neste endereço?", t.url)
	case errors.As(err, &authority), errors.As(err, &other):
		return fmt.Errorf("%s: o certificado não é de uma autoridade conhecida, ou é de outro nome; diga em --fingerprint o SHA-256 que o serviço mostra ao iniciar", t.url)
	case errors.As(err, &network) && network.Timeout():
		return fmt.Errorf("%s não responde: confira o endereço e a rede", t.url)
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"), strings.Contains(err.Error(), "does not look like a TLS handshake"):
		return fmt.Errorf("%s não fala HTTPS: use http://", t.url)
	}
	return fmt.Errorf("%s não respondeu: %w", t.url, err)
}
