package app

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/cielo"
	"github.com/maquininha/maquininha/internal/payment"
)

// Cielo is the shop at Cielo, whose Smart or LIO devices show its orders.
type Cielo struct {
	URL      string // empty: Cielo's own
	ClientID string
	Token    string // the access token
	Merchant string // the merchant id
	LIO      bool   // the devices are no Smart
	Shop     string // on receipts; empty: the name on the screen
	Expiry   time.Duration
}

// Check names everything that is missing at once.
func (c Cielo) Check() error {
	return lacking(cieloAcquirer, [2]string{"--cielo-client-id", c.ClientID}, [2]string{"MAQUININHA_CIELO_TOKEN", c.Token}, [2]string{"--cielo-merchant-id", c.Merchant})
}

func (c Cielo) configured() bool { return c.Check() == nil }

// party is the merchant, as the ledger names it: another one is not asked about operations of this. New credentials of the same
// merchant are the same.
func (c Cielo) party() string {
	sum := sha256.Sum256([]byte(c.Merchant))
	return fmt.Sprintf("%s %s %x", cieloAcquirer, c.Host(), sum[:4])
}

// Host is where its API is.
func (c Cielo) Host() string { return hostOf(c.URL, cielo.Production) }

func (c Cielo) words() string {
	if c.LIO {
		return "Cielo LIO"
	}
	return "Cielo Smart"
}

// elsewhere: the device asks for the card, and payments are given back there.
func (c Cielo) elsewhere() []payment.Kind { return []payment.Kind{payment.Payment, payment.Refund} }

func (c Cielo) pix() bool { return false }

// Driver is the account as its driver is told of it.
func (c Cielo) Driver() cielo.Config {
	return cielo.Config{BaseURL: c.URL, ClientID: c.ClientID, Token: c.Token, Merchant: c.Merchant, LIO: c.LIO, Shop: c.Shop, Expiry: c.Expiry}
}

func (c Cielo) open(at counter) (deviceAcquirer, error) {
	d := c.Driver()
	d.Terminal, d.Shop, d.Name, d.Book = at.terminal, cmp.Or(c.Shop, at.shop), at.name, at.book
	return cielo.New(d)
}
