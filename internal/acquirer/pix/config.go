package pix

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// Config is a contract with a PSP, as its portal gives it.
type Config struct {
	BaseURL      string // of the API, like https://pix.example.com/v2
	TokenURL     string
	ClientID     string
	ClientSecret string

	Profile  string // of the bank, see Profiles; empty: bacen
	Settings        // where they are not the profile's
	AppKey   string // of the application, where the bank has one
	Account  string // for banks that tie an application to several

	// Certificate and PrivateKey are for mutual TLS, see LoadCertificate; CA is needed only where the PSP's own certificate is
	// signed by nobody the system knows.
	Certificate, PrivateKey, CertificatePassword, CA string

	Terminal string // names this terminal among all that share the PIX key: no two may have the same
	Key      string // the PIX key that receives the money
	Shop     string // on receipts, and in codes made here; may be empty
	City     string // in codes made here; may be empty
	Note     string // shown to the payer; at most 140 characters, may be empty

	Expiry  time.Duration // of a charge; 0: five minutes
	Timeout time.Duration // of one request; 0: ten seconds
	Pace    Pace
	Network remote.Network
}

// Pace is how fast the driver asks, and for how long. Zero values are the facts page's and the house's own.
type Pace struct {
	Poll        time.Duration // 1 s between looks at a charge …
	PollSlow    time.Duration // … 2 s once Hasty is over
	Hasty       time.Duration // 10 s
	Backoff     time.Duration // 250 ms before the first repetition, then twice as long each time
	MaxBackoff  time.Duration // 5 s; a PSP that wants a longer pause is not asked again
	Patience    time.Duration // 30 s for a refund to be made, then Settle follows it
	RefundPause time.Duration // 1 min before an undoing that the PSP did not make is tried anew
	// Landing is how long a refund asked for by a process that died may take to arrive: only then does its absence
	// mean that it was never made. 10 s.
	Landing time.Duration
}

const (
	maxNote   = 140
	maxKey    = 77
	maxExpiry = 24 * time.Hour
)

// What a configuration can be refused for, for whoever has words for it.
var (
	ErrNoURL         = remote.ErrNoURL
	ErrURLParts      = remote.ErrURLParts
	ErrNotHTTPS      = remote.ErrNotHTTPS
	ErrLongKey       = fmt.Errorf("pix: a key has at most %d characters", maxKey)
	ErrLongNote      = fmt.Errorf("pix: a note has at most %d characters", maxNote)
	ErrExpiry        = errors.New("pix: a charge can't live for that long")
	ErrProfile       = errors.New("pix: no such profile")
	ErrSetting       = errors.New("pix: no such setting")
	ErrCAUnreadable  = remote.ErrCAUnreadable
	ErrNoCertificate = remote.ErrNoCertificate
)

// Effective are the settings that hold: the configuration's own, else the profile's.
func (c Config) Effective() Settings {
	profile, _ := ProfileNamed(c.Profile)
	return c.over(profile.Settings)
}

// complete checks the configuration and fills in what was left out.
func (c Config) complete() (Config, error) {
	profile, known := ProfileNamed(c.Profile)
	if !known {
		return c, fmt.Errorf("%w: %q", ErrProfile, c.Profile)
	}
	c.Settings = c.over(profile.Settings)
	for _, must := range []struct {
		what, value string
		needed      bool
	}{
		{"client id", c.ClientID, true},
		{"client secret", c.ClientSecret, c.Secret()},
		{"terminal", c.Terminal, true},
		{"PIX key", c.Key, true},
		{"application key", c.AppKey, strings.Contains(c.Headers+c.Query, "{app_key}")},
	} {
		if must.needed && must.value == "" {
			return c, fmt.Errorf("pix: no %s configured", must.what)
		}
	}
	if err := c.Settings.Check(); err != nil {
		return c, err
	}
	c.BaseURL, c.TokenURL = profile.Addresses(c.BaseURL, c.TokenURL)
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	if c.TokenAuth == "none" {
		c.TokenURL = c.BaseURL // nobody is asked for one
	}
	c.PatchURL = strings.TrimRight(cmp.Or(relative(c.BaseURL, c.PatchURL), c.BaseURL), "/")
	if err := errors.Join(checkURL("base URL", c.BaseURL), checkURL("token URL", c.TokenURL)); err != nil {
		return c, err
	}
	if err := checkURL("URL of withdrawals", c.PatchURL); err != nil {
		return c, err
	}
	c.Expiry = cmp.Or(c.Expiry, 5*time.Minute).Truncate(time.Second)
	if profile.MaxExpiry > 0 {
		c.Expiry = min(c.Expiry, profile.MaxExpiry)
	}
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	switch {
	case len(c.Key) > maxKey:
		return c, ErrLongKey
	case utf8.RuneCountInString(c.Note) > maxNote:
		return c, ErrLongNote
	case c.Expiry < time.Second || c.Expiry > maxExpiry:
		return c, ErrExpiry
	case c.Certificate == "" && c.PrivateKey != "":
		return c, errors.New("pix: a private key without a certificate")
	}
	p := &c.Pace
	p.Poll = cmp.Or(p.Poll, time.Second)
	p.PollSlow = cmp.Or(p.PollSlow, 2*time.Second)
	p.Hasty = cmp.Or(p.Hasty, 10*time.Second)
	p.Backoff = cmp.Or(p.Backoff, 250*time.Millisecond)
	p.MaxBackoff = cmp.Or(p.MaxBackoff, 5*time.Second)
	p.Patience = cmp.Or(p.Patience, 30*time.Second)
	p.RefundPause = cmp.Or(p.RefundPause, time.Minute)
	p.Landing = cmp.Or(p.Landing, 10*time.Second)
	return c, nil
}

// checkURL names the address that does not serve.
func checkURL(what, s string) error {
	if err := remote.CheckURL(s); err != nil {
		return fmt.Errorf("pix: %w: %q", err, what)
	}
	return nil
}

// httpClient is a way to the PSP, with the client certificate or without.
func (c Config) httpClient(certificate *tls.Certificate, shown bool) (*http.Client, error) {
	if !shown {
		certificate = nil
	}
	client, err := remote.Transport{Certificate: certificate, CA: c.CA, Timeout: c.Timeout, Network: c.Network}.Client()
	if err != nil {
		return nil, fmt.Errorf("pix: %w", err)
	}
	return client, nil
}
