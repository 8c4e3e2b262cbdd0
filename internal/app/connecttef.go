package app

import (
	"cmp"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/connecttef"
	"github.com/maquininha/maquininha/internal/payment"
)

// ConnectTEF is the local API of Connect TEF: a manager on this computer, or a Smart POS in the shop's network. The same product by
// file exchange is a profile of TEF.
type ConnectTEF struct {
	URL  string // empty: this computer's
	Shop string // on receipts; empty: the name on the screen
	Wait time.Duration
}

// Check: nothing must be said.
func (c ConnectTEF) Check() error { return nil }

func (c ConnectTEF) configured() bool { return c.URL != "" }

// party is the address, as the ledger names it: another manager is not asked about operations of this.
func (c ConnectTEF) party() string { return connectTEFAcquirer + " " + c.Host() }

// Host is where it is.
func (c ConnectTEF) Host() string { return hostOf(c.URL, connecttef.Usual) }

func (c ConnectTEF) words() string { return "Connect TEF (API local): " + c.Host() }

// elsewhere: the device asks for the card; a refund is confirmed on the page.
func (c ConnectTEF) elsewhere() []payment.Kind { return []payment.Kind{payment.Payment} }

func (c ConnectTEF) pix() bool { return true }

// Driver is the manager as its driver is told of it.
func (c ConnectTEF) Driver() connecttef.Config {
	return connecttef.Config{URL: c.URL, Shop: c.Shop, Wait: c.Wait}
}

func (c ConnectTEF) open(at counter) (deviceAcquirer, error) {
	d := c.Driver()
	d.Terminal, d.Shop, d.Name, d.Book = at.terminal, cmp.Or(c.Shop, at.shop), at.name, at.book
	return connecttef.New(d)
}
