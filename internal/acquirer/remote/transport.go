package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// What a way to the other side can be refused for.
var (
	ErrNoURL         = errors.New("no URL")
	ErrURLParts      = errors.New("a URL must be scheme, host and path only")
	ErrNotHTTPS      = errors.New("a URL must be https")
	ErrCAUnreadable  = errors.New("the CA can't be read")
	ErrNoCertificate = errors.New("the CA's file holds no certificate")
)

// CheckURL lets credentials travel in the clear only to a simulator on this machine.
func CheckURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "":
		return ErrNoURL
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return ErrURLParts
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && isLoopback(u.Hostname()):
		return nil
	}
	return ErrNotHTTPS
}

// CheckNearURL is CheckURL for a device without credentials, which may also be reached in the clear in the shop's own network.
func CheckNearURL(s string) error {
	err := CheckURL(s)
	if u, bad := url.Parse(s); errors.Is(err, ErrNotHTTPS) && bad == nil && u.Scheme == "http" && isNear(u.Hostname()) {
		return nil
	}
	return err
}

func isNear(host string) bool {
	ip := net.ParseIP(host)
	return strings.HasSuffix(host, ".local") || ip != nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast())
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Transport is how the other side is reached.
type Transport struct {
	Certificate *tls.Certificate // of ours; nil: none is shown
	CA          string           // a file, besides those that the system knows; empty: none
	Timeout     time.Duration
	Network
}

// Network is what lies between a driver and the other side. Its zero value is the system's.
type Network struct {
	Dial func(ctx context.Context, network, addr string) (net.Conn, error) // nil: the system's
	Wrap func(http.RoundTripper) http.RoundTripper                         // nil: as it is
}

// Client makes requests that way.
func (t Transport) Client() (*http.Client, error) {
	transport, err := t.open()
	if err != nil {
		return nil, err
	}
	var trip http.RoundTripper = transport
	if t.Wrap != nil {
		trip = t.Wrap(trip)
	}
	return &http.Client{
		Transport: trip,
		// A token must not follow a redirect to wherever it leads.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

func (t Transport) open() (*http.Transport, error) {
	secure := &tls.Config{MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(0)}
	if t.Certificate != nil {
		secure.Certificates = []tls.Certificate{*t.Certificate}
	}
	if t.CA != "" {
		pem, err := os.ReadFile(t.CA)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCAUnreadable, err)
		}
		// Besides those that the system knows: tokens and the API may be signed by two.
		if secure.RootCAs, err = x509.SystemCertPool(); err != nil {
			secure.RootCAs = x509.NewCertPool() // Android tells none
		}
		if !secure.RootCAs.AppendCertsFromPEM(pem) {
			return nil, ErrNoCertificate
		}
	}
	dial := t.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: t.Timeout}).DialContext
	}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dial, TLSClientConfig: secure, TLSHandshakeTimeout: t.Timeout,
		ResponseHeaderTimeout: t.Timeout, MaxResponseHeaderBytes: 64 << 10,
		// What the other side sends on an idle connection, such as an answer for the second time, net/http writes to the
		// standard log: a token, or who has paid. A resumed TLS session makes a new connection cheap.
		DisableKeepAlives: true,
	}, nil
}
