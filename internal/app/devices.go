package app

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/store"
)

// cardDevice is an acquirer over HTTP whose device talks to the customer.
type cardDevice interface {
	// Check names everything that is missing at once; configured tells that somebody meant it, though it takes nothing now.
	Check() error
	configured() bool
	party() string // as the ledger names it
	words() string // for the person who starts the terminal
	open(at counter) (deviceAcquirer, error)
	// elsewhere are the operations that wait for no page; pix tells that it takes Pix too.
	elsewhere() []payment.Kind
	pix() bool
}

type deviceAcquirer interface {
	payment.Acquirer
	Close() error
}

// counter is where a device stands.
type counter struct {
	terminal, shop, name, version string
	book                          remote.Book
}

// namedDevice is a device by the name of --acquirer-card.
type namedDevice struct {
	name string
	cardDevice
}

// devices are all of them.
func (a Acquirers) devices() []namedDevice {
	return []namedDevice{{mercadoPagoAcquirer, a.MercadoPago}, {connectTEFAcquirer, a.ConnectTEF}, {cieloAcquirer, a.Cielo}, {controlPayAcquirer, a.ControlPay}}
}

// deviceNamed is nil for a way that is none.
func (a Acquirers) deviceNamed(name string) cardDevice {
	for _, d := range a.devices() {
		if d.name == name {
			return d.cardDevice
		}
	}
	return nil
}

// deviceNames are those that take cards, or Pix too.
func (a Acquirers) deviceNames(pix bool) (names []string) {
	for _, d := range a.devices() {
		if !pix || d.pix() {
			names = append(names, d.name)
		}
	}
	return names
}

func (a Acquirers) usesDevice() bool { return slices.ContainsFunc(a.deviceNames(false), a.uses) }

// checkDevices refuses what is used and lacks something.
func (a Acquirers) checkDevices() error {
	for _, d := range a.devices() {
		if a.uses(d.name) {
			if err := d.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// openDevices makes the ways to be paid at devices.
func (s *service) openDevices(c Config, a Acquirers, ledger *store.Ledger, files *store.Store) (ways []payment.Way, err error) {
	for _, d := range a.devices() {
		if !a.uses(d.name) && !d.configured() {
			continue
		}
		terminal, err := terminalID(files)
		if err != nil {
			return nil, err
		}
		driver, err := d.open(counter{terminal, s.settings.Name(), d.party(), c.Version, ledger})
		if err != nil {
			title, _, _ := strings.Cut(d.words(), ":")
			return nil, fmt.Errorf("a configuração de %s não serve: %s", title, portuguese.Text(err.Error()))
		}
		s.onClose(driver.Close)
		ways = append(ways, payment.Way{Name: d.party(), Acquirer: driver, Methods: a.methods(d.name), Elsewhere: d.elsewhere()})
	}
	return ways, nil
}

// lacking is what a device lacks, of names and values.
func lacking(name string, all ...[2]string) error {
	var lacks []string
	for _, must := range all {
		if must[1] == "" {
			lacks = append(lacks, must[0])
		}
	}
	if lacks == nil {
		return nil
	}
	return fmt.Errorf("o adquirente %s precisa de %s", name, strings.Join(lacks, ", "))
}

// hostOf is an address's host, or the usual one's.
func hostOf(address, usual string) string {
	host := cmp.Or(address, usual)
	if u, err := url.Parse(host); err == nil && u.Host != "" {
		return u.Host
	}
	return host
}
