package counter

import (
	"fmt"
	"strconv"

	"github.com/maquininha/maquininha/internal/acquirer/cielo"
	"github.com/maquininha/maquininha/internal/acquirer/cielo/ordersim"
	"github.com/maquininha/maquininha/internal/acquirer/connecttef"
	"github.com/maquininha/maquininha/internal/acquirer/connecttef/gpsim"
	"github.com/maquininha/maquininha/internal/acquirer/controlpay"
	"github.com/maquininha/maquininha/internal/acquirer/controlpay/paysim"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// charged is one sale in the book of a device's acquirer.
type charged struct {
	name     string // as the terminal's ledger has it
	attempt  string // what two of the same attempt have in common
	standing money.Decimal
	open     bool
}

// deviceBooks are those of each device's acquirer, with the requests that broke its rules; named is the sale of an outcome.
var deviceBooks = map[string]struct {
	read  func(path string) (all []charged, violations []string, err error)
	named func(payment.Outcome) string
}{
	MercadoPago: {pointBook, mercadopago.OrderOf},
	ConnectTEF:  {gpBook, connecttef.OperationOf},
	Cielo:       {orderBook, cielo.OrderOf},
	ControlPay:  {payBook, controlpay.SaleOf},
}

func pointBook(path string) (all []charged, violations []string, err error) {
	b, err := pointsim.ReadBalance(path)
	for _, s := range b.Sums {
		all = append(all, charged{s.Order, s.Reference, s.Standing(), s.Open()})
	}
	return all, b.Violations, err
}

func gpBook(path string) (all []charged, violations []string, err error) {
	b, err := gpsim.ReadBalance(path)
	for _, s := range b.Sums {
		all = append(all, charged{s.ID, s.ID, s.Standing(), s.Open()})
	}
	return all, b.Violations, err
}

// orderBook leaves out what was never placed: a draft may be made twice, and nobody can pay it.
func orderBook(path string) (all []charged, violations []string, err error) {
	b, err := ordersim.ReadBalance(path)
	for _, s := range b.Sums {
		if s.Placed {
			all = append(all, charged{s.Order, s.Number, s.Standing(), s.Open()})
		}
	}
	return all, b.Violations, err
}

func payBook(path string) (all []charged, violations []string, err error) {
	b, err := paysim.ReadBalance(path)
	for _, s := range b.Sums {
		all = append(all, charged{strconv.FormatInt(s.Sale, 10), s.Reference, s.Standing(), s.Open()})
	}
	return all, b.Violations, err
}

func (c *Counter) deviceCharges(e *Evidence) error {
	device := c.Device()
	all, violations, err := deviceBooks[device].read(c.DeviceLedger())
	if err != nil {
		return err
	}
	attempts := map[string]int64{}
	for _, a := range e.Attempts {
		if name := deviceBooks[device].named(a.Outcome); name != "" {
			attempts[name] = a.ID
		}
	}
	made := map[string]string{}
	for _, s := range all {
		e.Charges = append(e.Charges, Charge{
			Acquirer: device, Name: s.name, Attempt: attempts[s.name], Amount: s.standing.Cents(), Standing: s.standing.Sign() != 0, Open: s.open,
		})
		if other, twice := made[s.attempt]; twice {
			e.Complaints = append(e.Complaints, fmt.Sprintf("%s made %s and %s of one attempt", device, other, s.name))
		}
		made[s.attempt] = s.name
	}
	for _, v := range violations {
		e.Complaints = append(e.Complaints, device+" was asked against the rules: "+v)
	}
	return nil
}
