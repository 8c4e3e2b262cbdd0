// Package client speaks with a maquininha terminal: sales, questions, printing, payments, display and logs, as typed calls.
//
//	terminal, err := client.New("http://192.168.0.10:9050", "admin", os.Getenv("MAQUININHA_PASSWORD"))
//	paid, err := terminal.Pay(ctx, client.Payment{Method: client.Credit, Amount: "54.24", Reference: "pedido-1"})
//
// What it does for the caller, so that no point-of-sale system need write it again:
//
//   - Requests that a person answers (payments, reversals, questions) and prints are held open as long as it takes; only the
//     context ends them. Dead connections are found by keep-alive probes. All other requests end after a timeout.
//   - A terminal that is busy refuses before it does anything; the request is repeated for a while (WithBusyPatience). A
//     payment is repeated only if it has a reference.
//   - When the answer of a payment or a reversal is lost, the terminal is asked by reference until the outcome is known. The
//     money never moves twice. When nobody can tell, the error is an *UnknownOutcomeError.
//   - Amounts and quantities are exact decimals; see Decimal.
//
// A payment goes on at the terminal when its context ends: there is no way to call it back over the network. A question leaves the
// screen.
//
// Errors that the terminal answers are *Error; test them with errors.Is against ErrBusy, ErrRefused and the other names here.
// Their texts are Portuguese, for the cashier.
package client

import (
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client speaks with one terminal. It may be used by many goroutines at once.
type Client struct {
	base           *url.URL
	user, password string
	http           *http.Client

	timeout  time.Duration
	busy     time.Duration
	recovery time.Duration
}

type options struct {
	timeout, busy, recovery time.Duration
	pin, certificate        string
	authorities             *x509.CertPool
	transport               http.RoundTripper
}

// Option changes how a Client behaves.
type Option func(*options)

// WithTimeout bounds the requests that nobody at the terminal has to answer; 60 s unless told.
func WithTimeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// WithBusyPatience is how long a request is repeated while the terminal is busy; 60 s unless told, 0 asks once.
func WithBusyPatience(d time.Duration) Option { return func(o *options) { o.busy = d } }

// WithRecoveryPatience is how long a lost answer is looked for while the terminal is out of reach or does not know itself; 5 minutes
// unless told. The time in which the terminal still works on it does not count.
func WithRecoveryPatience(d time.Duration) Option { return func(o *options) { o.recovery = d } }

// WithPin trusts the one key whose SHA-256 is given, and no other: "sha256//" and Base64, as the terminal shows it when it starts
// and as curl's --pinnedpubkey takes it. The key outlives renewals of the terminal's own certificate, and its name and dates
// need not fit.
func WithPin(key string) Option { return func(o *options) { o.pin = key } }

// WithFingerprint trusts the one certificate whose SHA-256 is given, in hexadecimal, as the terminal shows it when it starts. A renewed
// certificate has another; WithPin outlives that.
func WithFingerprint(sum string) Option { return func(o *options) { o.certificate = sum } }

// WithAuthorities trusts certificates signed by these, such as the terminal's own certificate file.
func WithAuthorities(pool *x509.CertPool) Option { return func(o *options) { o.authorities = pool } }

// WithTransport sends requests another way. WithPin, WithFingerprint and WithAuthorities have no effect then.
func WithTransport(rt http.RoundTripper) Option { return func(o *options) { o.transport = rt } }

// New makes a client for the terminal at an address like http://192.168.0.10:9050. Nothing is sent yet.
func New(address, user, password string, opts ...Option) (*Client, error) {
	base, err := url.Parse(address)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return nil, errors.New("endereço do terminal inválido: deve ser como http://192.168.0.10:9050")
	}
	base.Path, base.RawPath, base.RawQuery, base.Fragment = strings.TrimRight(base.Path, "/"), "", "", ""
	o := options{timeout: time.Minute, busy: time.Minute, recovery: 5 * time.Minute}
	for _, set := range opts {
		set(&o)
	}
	if o.transport == nil {
		if o.pin+o.certificate != "" && base.Scheme != "https" {
			return nil, errors.New("a chave fixada exige um endereço https://")
		}
		if o.transport, err = newTransport(o.pin, o.certificate, o.authorities); err != nil {
			return nil, err
		}
	}
	// A redirect would carry the password elsewhere; the terminal sends none.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{
		base: base, user: user, password: password, http: &http.Client{Transport: o.transport, CheckRedirect: stay},
		timeout: o.timeout, busy: o.busy, recovery: o.recovery,
	}, nil
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }
