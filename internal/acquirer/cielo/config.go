package cielo

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// Where the Order Manager is.
const (
	Production = "https://api.cielo.com.br/order-management/v1"
	Sandbox    = "https://api.cielo.com.br/sandbox-lio/order-management/v1"
)

// Config is a shop at Cielo. An order is shown on all of its devices.
type Config struct {
	BaseURL  string // empty: Production
	ClientID string
	Token    string // the access token
	Merchant string // the merchant id
	LIO      bool   // the devices are no Smart: the kind of payment can't be fixed, and is chosen there
	CA       string // a file, where the system does not know who signs the address; empty: none

	Terminal string // names this terminal among all that share the account: no two may have the same
	Shop     string // on receipts; may be empty
	Name     string // of the driver in the ledger
	Book     remote.Book

	Expiry  time.Duration // of an order, which Cielo would keep for ever; 0: five minutes
	Timeout time.Duration // of one request; 0: ten seconds
	Pace    remote.Pace
	Network remote.Network
}

// The limits of an order's life.
const (
	MinExpiry = 30 * time.Second
	MaxExpiry = 3 * time.Hour
)

// What a configuration can be refused for, for whoever has words for it.
var (
	ErrNoCredentials = errors.New("cielo: client id, access token and merchant id are needed")
	ErrCredentials   = errors.New("cielo: client id, access token and merchant id are one word each")
	ErrExpiry        = errors.New("cielo: an order can't live for that long")
)

// complete checks the configuration and fills in what was left out.
func (c Config) complete() (Config, error) {
	c.BaseURL = strings.TrimRight(cmp.Or(c.BaseURL, Production), "/")
	c.Expiry = cmp.Or(c.Expiry, 5*time.Minute)
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	if err := remote.CheckURL(c.BaseURL); err != nil {
		return c, fmt.Errorf("cielo: %w", err)
	}
	for _, word := range []string{c.ClientID, c.Token, c.Merchant} {
		switch {
		case word == "":
			return c, ErrNoCredentials
		case strings.ContainsFunc(word, func(r rune) bool { return r <= ' ' || r > '~' }):
			return c, ErrCredentials
		}
	}
	switch {
	case c.Expiry < MinExpiry || c.Expiry > MaxExpiry:
		return c, ErrExpiry
	case c.Terminal == "" || c.Book == nil:
		return c, errors.New("cielo: neither a terminal nor its book")
	}
	c.Pace = c.Pace.Complete()
	return c, nil
}
