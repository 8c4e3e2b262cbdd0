package app

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/payment"
)

// MercadoPago is the shop's account there, and the Point that stands at this counter.
type MercadoPago struct {
	URL    string // empty: Mercado Pago's own
	Token  string // the access token
	Device string
	Shop   string // on receipts; empty: the name on the screen
	Expiry time.Duration
}

// Check names everything that is missing at once.
func (m MercadoPago) Check() error {
	return lacking(mercadoPagoAcquirer, [2]string{"MAQUININHA_MERCADOPAGO_TOKEN", m.Token}, [2]string{"--mercadopago-device", m.Device})
}

func (m MercadoPago) configured() bool { return m.Check() == nil }

func (m MercadoPago) words() string { return "Mercado Pago Point " + m.Device }

// elsewhere: the device asks for the card; a refund is confirmed on the page.
func (m MercadoPago) elsewhere() []payment.Kind { return []payment.Kind{payment.Payment} }

func (m MercadoPago) pix() bool { return false }

// party is the account, as the ledger names it: another one is not asked about operations of this. A new token of the same
// account is the same, and so is another device.
func (m MercadoPago) party() string {
	account := m.Token
	if parts := strings.Split(m.Token, "-"); len(parts) >= 5 {
		account = parts[len(parts)-1] // whose token it is
	}
	sum := sha256.Sum256([]byte(account))
	return fmt.Sprintf("%s %s %x", mercadoPagoAcquirer, m.Host(), sum[:4])
}

// Driver is the account as its driver is told of it.
func (m MercadoPago) Driver() mercadopago.Config {
	return mercadopago.Config{BaseURL: m.URL, Token: m.Token, Device: m.Device, Shop: m.Shop, Expiry: m.Expiry}
}

// Host is where its API is.
func (m MercadoPago) Host() string { return hostOf(m.URL, mercadopago.Production) }

func (m MercadoPago) open(at counter) (deviceAcquirer, error) {
	c := m.Driver()
	c.Terminal, c.Shop, c.Name, c.Book = at.terminal, cmp.Or(m.Shop, at.shop), at.name, at.book
	return mercadopago.New(c)
}
