package controlpay

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// Where ControlPay is, for shops and for tests.
const (
	Production = "https://api.controlpay.com.br"
	Sandbox    = "https://sandbox.controlpay.com.br/webapi"
)

// Config is a shop's account at ControlPay, and one terminal of its.
type Config struct {
	BaseURL  string // empty: Production
	Key      string // of the integration
	Terminal int    // as ControlPay numbers it
	Password string // the technical one, which cancellations ask for
	Version  string // of this program, which it wants to know
	CA       string // a file, where the system does not know who signs the address; empty: none

	Device string // names this terminal of ours among all that share the account: no two may have the same
	Shop   string // on receipts, where the network sends none; may be empty

	Wait    time.Duration // for a customer, then the sale is left to the recovery; 0: ten minutes
	Timeout time.Duration // of one request; 0: ten seconds
	Pace    remote.Pace
	Network remote.Network
}

// What a configuration can be refused for, for whoever has words for it.
var (
	ErrNoKey      = errors.New("controlpay: no integration key")
	ErrKey        = errors.New("controlpay: a key is one word")
	ErrNoTerminal = errors.New("controlpay: no terminal")
)

// complete checks the configuration and fills in what was left out.
func (c Config) complete() (Config, error) {
	c.BaseURL = strings.TrimRight(cmp.Or(c.BaseURL, Production), "/")
	c.Wait = cmp.Or(c.Wait, 10*time.Minute)
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	if err := remote.CheckURL(c.BaseURL); err != nil {
		return c, fmt.Errorf("controlpay: %w", err)
	}
	switch {
	case c.Key == "":
		return c, ErrNoKey
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return c, ErrKey
	case c.Terminal <= 0:
		return c, ErrNoTerminal
	case c.Device == "":
		return c, errors.New("controlpay: a terminal without a name")
	}
	c.Pace.Patience = cmp.Or(c.Pace.Patience, time.Minute) // a terminal that cancels asks for the card again
	c.Pace.Landing = cmp.Or(c.Pace.Landing, 15*time.Second)
	c.Pace = c.Pace.Complete()
	return c, nil
}
