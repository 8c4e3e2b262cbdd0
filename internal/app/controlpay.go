package app

import (
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/maquininha/maquininha/internal/acquirer/controlpay"
	"github.com/maquininha/maquininha/internal/payment"
)

const controlPayAcquirer = "controlpay"

// ControlPay is the shop's account at PayGo's cloud, and the terminal there that stands at this counter.
type ControlPay struct {
	URL      string // empty: PayGo's own
	Key      string
	Terminal int
	Password string // the technical one
}

// Check names everything that is missing at once.
func (p ControlPay) Check() error {
	terminal := ""
	if p.Terminal > 0 {
		terminal = strconv.Itoa(p.Terminal)
	}
	return lacking(controlPayAcquirer, [2]string{"MAQUININHA_CONTROLPAY_KEY", p.Key}, [2]string{"--controlpay-terminal", terminal})
}

func (p ControlPay) configured() bool { return p.Check() == nil }

// party is the account, as the ledger names it: another one is not asked about operations of this.
func (p ControlPay) party() string {
	sum := sha256.Sum256([]byte(p.Key))
	return fmt.Sprintf("%s %s %x", controlPayAcquirer, p.Host(), sum[:4])
}

// Host is where the account is.
func (p ControlPay) Host() string { return hostOf(p.URL, controlpay.Production) }

func (p ControlPay) words() string { return fmt.Sprintf("ControlPay, terminal %d", p.Terminal) }

func (p ControlPay) open(at counter) (deviceAcquirer, error) {
	config := p.Driver()
	config.Device, config.Shop, config.Version = at.terminal, at.shop, at.version
	config.Pace.Landing = landing()
	return controlpay.New(config)
}

// elsewhere: at PayGo's terminal; a refund is confirmed on the page.
func (ControlPay) elsewhere() []payment.Kind { return []payment.Kind{payment.Payment} }
func (ControlPay) pix() bool                 { return false }

// Driver is the account as its driver is told of it.
func (p ControlPay) Driver() controlpay.Config {
	return controlpay.Config{BaseURL: p.URL, Key: p.Key, Terminal: p.Terminal, Password: p.Password}
}

// UsesControlPay: see UsesTEF.
func (a Acquirers) UsesControlPay() bool { return a.uses(controlPayAcquirer) }
