package app

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/store"
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
	var missing []string
	for _, must := range []struct{ name, value string }{
		{"MAQUININHA_MERCADOPAGO_TOKEN", m.Token},
		{"--mercadopago-device", m.Device},
	} {
		if must.value == "" {
			missing = append(missing, must.name)
		}
	}
	if missing != nil {
		return fmt.Errorf("o adquirente mercadopago precisa de %s", strings.Join(missing, ", "))
	}
	return nil
}

// party is the account, as the ledger names it: another one is not asked about operations of this. A new token of the same
// account is the same, and so is another device.
func (m MercadoPago) party() string {
	host := cmp.Or(m.URL, mercadopago.Production)
	if u, err := url.Parse(host); err == nil {
		host = u.Host
	}
	account := m.Token
	if parts := strings.Split(m.Token, "-"); len(parts) >= 5 {
		account = parts[len(parts)-1] // whose token it is
	}
	sum := sha256.Sum256([]byte(account))
	return fmt.Sprintf("%s %s %x", mercadoPagoAcquirer, host, sum[:4])
}

// Driver is the account as its driver is told of it.
func (m MercadoPago) Driver() mercadopago.Config {
	return mercadopago.Config{BaseURL: m.URL, Token: m.Token, Device: m.Device, Shop: m.Shop, Expiry: m.Expiry}
}

func openMercadoPago(m MercadoPago, shop string, ledger *store.Ledger, files *store.Store) (*mercadopago.Acquirer, error) {
	terminal, err := terminalID(files)
	if err != nil {
		return nil, err
	}
	c := m.Driver()
	c.Terminal, c.Shop, c.Name, c.Book = terminal, cmp.Or(m.Shop, shop), m.party(), ledger
	a, err := mercadopago.New(c)
	if err != nil {
		return nil, fmt.Errorf("a configuração do Mercado Pago não serve: %s", portuguese.Text(err.Error()))
	}
	return a, nil
}
