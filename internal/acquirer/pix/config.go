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
	// Book keeps on disk which charge was shown, under the name of the driver in the ledger; nil: nothing does, and a charge that is denied
	// after a crash counts as never made.
	Book remote.Book
	Name string
	Key  string // the PIX key that receives the money
	Shop string // on receipts, and in codes made here; may be empty
	City string // in codes made here; may be empty
	Note string // shown to the payer; at most 140 characters, may be empty

	Expiry  time.Duration // of a charge; 0: five minutes
	Timeout time.Duration // of one request; 0: ten seconds
	Pace    Pace
	Network remote.Network
}

// Pace is how fast the driver asks. The first ten seconds are the hasty ones.
type Pace = remote.Pace

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
	if c.Book == nil {
		c.Book = remote.NoBook{}
	}
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
	c.Pace.Hasty = cmp.Or(c.Pace.Hasty, 10*time.Second)
	c.Pace = c.Pace.Complete()
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
