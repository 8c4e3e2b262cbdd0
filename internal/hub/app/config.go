package app

import (
	"cmp"
	"log/slog"
	"net"
	"net/url"
	"time"

	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/retention"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Config is what the person who starts the hub decides.
type Config struct {
	Listen     string // where terminals, callers and people come in, over HTTPS
	Plain      string // the same over HTTP, for a reverse proxy that ends TLS; empty: nowhere
	URL        string // how others reach the hub; empty: at this machine's address
	Cert, Key  string // PEM files; both empty: a certificate of our own, kept in the data folder
	Data       string // the folder that holds everything durable
	Database   string // of PostgreSQL; empty: a SQLite file in the data folder
	ConfigFile string // what most of this was read from; empty: there was none
	Version    string
	Build      string
	Link       tunnel.Timing // of terminals
	Log        slog.Handler  // what the hub has to say while it runs; nil: warnings go to standard error

	PeerAddress string        // where other hubs at the same database reach this one; empty: it is alone
	Lease       leases.Timing // among them

	Keep retention.Rules // for how long

	Networks string        // that are not public, and that webhooks may be sent to; separated by commas
	Absence  time.Duration // of a terminal before webhooks are told; 0: as usual

	Proxies string // networks of reverse proxies that are believed where callers come from; separated by commas

	RequireFactor bool // administrators can't go without a second factor

	Stop time.Duration // how long requests under way may take when the hub stops; 0: as usual
}

// Check refuses what no hub could run with.
func (c Config) Check() error {
	return cmp.Or(c.checkCertificate(), c.CheckEach(), c.checkNeighbours())
}

// CheckEach refuses values that are wrong whatever the others are.
func (c Config) CheckEach() error {
	return cmp.Or(CheckURL(c.URL), CheckDatabase(c.Database), checkPeerAddress(c.PeerAddress), checkNetworks("webhook-networks", c.Networks), checkNetworks("trusted-proxies", c.Proxies), checkKeep(c.Keep))
}

func (c Config) checkCertificate() error {
	if (c.Cert == "") != (c.Key == "") {
		return configfile.Refuse("tls-cert", "e --tls-key andam juntos: o certificado e a chave dele")
	}
	return nil
}

func (c Config) checkNeighbours() error {
	if c.PeerAddress != "" && c.Database == "" {
		return configfile.Refuse("peer-address", "só vale com --database: hubs lado a lado usam o mesmo PostgreSQL")
	}
	return nil
}

func checkNetworks(option, text string) error {
	_, err := parseNetworks(option, text)
	return err
}

// checkPeerAddress refuses an address that no other hub could dial.
func checkPeerAddress(text string) error {
	if text == "" {
		return nil
	}
	if host, port, err := net.SplitHostPort(text); err != nil || host == "" || port == "" || net.ParseIP(host).IsUnspecified() {
		return configfile.Refuse("peer-address", "deve ser um endereço que os outros hubs alcançam, como 10.0.0.5:9062")
	}
	return nil
}

// CheckURL refuses an address that nobody could dial.
func CheckURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return configfile.Refuse("url", "deve ser um endereço como https://hub.exemplo.com.br")
	}
	return nil
}

// CheckDatabase refuses what is no PostgreSQL.
func CheckDatabase(text string) error {
	if text == "" {
		return nil
	}
	if u, err := url.Parse(text); err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return configfile.Refuse("database", "deve ser um endereço como postgres://usuario:senha@servidor/banco") // never what was given: it has a password
	}
	return nil
}

func (c Config) stop() time.Duration { return cmp.Or(c.Stop, 15*time.Second) }
