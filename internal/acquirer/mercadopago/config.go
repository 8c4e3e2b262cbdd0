package mercadopago

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// Production is where the Orders API is.
const Production = "https://api.mercadopago.com"

// Config is an application of the shop's at Mercado Pago, and one device of its.
type Config struct {
	BaseURL string // empty: Production
	Token   string // the access token
	Device  string // like NEWLAND_N950__N950NCB801293324
	CA      string // a file, where the system does not know who signs the address; empty: none

	Terminal string // names this terminal among all that share the account: no two may have the same
	Shop     string // on receipts; may be empty
	Name     string // of the driver in the ledger
	Book     remote.Book

	Expiry  time.Duration // of an order; 0: five minutes
	Timeout time.Duration // of one request; 0: ten seconds
	Pace    remote.Pace
	Network remote.Network
}

// keyLife is for how long a key is trusted: Mercado Pago keeps keys for a day.
const keyLife = 23 * time.Hour

// The limits of an order's life.
const (
	MinExpiry = 30 * time.Second
	MaxExpiry = 3 * time.Hour
)

// What a configuration can be refused for, for whoever has words for it.
var (
	ErrNoToken  = errors.New("mercadopago: no access token")
	ErrToken    = errors.New("mercadopago: an access token is one word")
	ErrNoDevice = errors.New("mercadopago: no device")
	ErrDevice   = errors.New("mercadopago: a device is named by letters, digits, - and _")
	ErrExpiry   = errors.New("mercadopago: an order can't live for that long")
)

var devicePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// complete checks the configuration and fills in what was left out.
func (c Config) complete() (Config, error) {
	c.BaseURL = strings.TrimRight(cmp.Or(c.BaseURL, Production), "/")
	c.Expiry = cmp.Or(c.Expiry, 5*time.Minute).Truncate(time.Second)
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	if err := remote.CheckURL(c.BaseURL); err != nil {
		return c, fmt.Errorf("mercadopago: %w", err)
	}
	switch {
	case c.Token == "":
		return c, ErrNoToken
	case strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return c, ErrToken
	case c.Device == "":
		return c, ErrNoDevice
	case !devicePattern.MatchString(c.Device):
		return c, ErrDevice
	case c.Expiry < MinExpiry || c.Expiry > MaxExpiry:
		return c, ErrExpiry
	case c.Terminal == "" || c.Book == nil:
		return c, errors.New("mercadopago: neither a terminal nor its book")
	}
	c.Pace = c.Pace.Complete()
	return c, nil
}
