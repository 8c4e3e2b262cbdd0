package connecttef

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// Usual is where the manager of this computer is.
const Usual = "http://localhost:3000"

// Config is a manager, or a Smart POS in the shop's network.
type Config struct {
	URL string // empty: Usual

	Terminal string // names this terminal among all that share the manager: no two may have the same
	Shop     string // on receipts; may be empty
	Name     string // of the driver in the ledger
	Book     remote.Book

	Wait    time.Duration // for the customer at the device, then the recovery asks on; 0: five minutes
	Timeout time.Duration // of one request; 0: ten seconds
	Pace    remote.Pace
	Network remote.Network
}

// The limits of a wait.
const (
	MinWait = 30 * time.Second
	MaxWait = time.Hour
)

// ErrWait is what a configuration can be refused for, besides its address.
var ErrWait = errors.New("connecttef: nobody waits for that long")

// complete checks the configuration and fills in what was left out.
func (c Config) complete() (Config, error) {
	c.URL = strings.TrimSuffix(strings.TrimRight(cmp.Or(c.URL, Usual), "/"), path)
	c.Wait = cmp.Or(c.Wait, 5*time.Minute)
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	if err := remote.CheckNearURL(c.URL); err != nil {
		return c, fmt.Errorf("connecttef: %w", err)
	}
	switch {
	case c.Wait < MinWait || c.Wait > MaxWait:
		return c, ErrWait
	case c.Terminal == "" || c.Book == nil:
		return c, errors.New("connecttef: neither a terminal nor its book")
	}
	c.Pace = c.Pace.Complete()
	return c, nil
}
