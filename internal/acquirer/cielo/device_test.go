package cielo_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/cielo"
	"github.com/maquininha/maquininha/internal/acquirer/cielo/ordersim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// counter is a terminal beside a device, with a customer and a cashier, without a desk.
type counter struct {
	remotetest.Counter
	*shop
	*cielo.Acquirer
}

// atCounter runs a test in a bubble, and holds the driver to the rules of the API.
func atCounter(t *testing.T, test func(*counter)) {
	t.Helper()
	remotetest.AtCounter(t, func(t *testing.T, dir string, book *store.Ledger) {
		p, closing := openShop(t, dir, nil)
		defer closing()
		c := &counter{Counter: remotetest.Counter{T: t, Book: book}, shop: p}
		c.AtCard = c.pays
		c.open(nil)
		defer func() { c.Close() }()
		test(c)
		if v := p.account.Violations(); len(v) > 0 {
			t.Errorf("violations: %q", v)
		}
	})
}

// open is the process starting, perhaps with another configuration.
func (c *counter) open(change func(*cielo.Config)) {
	c.t.Helper()
	if c.Acquirer != nil {
		c.Close()
	}
	config := c.config
	config.Book = c.Book
	if change != nil {
		change(&config)
	}
	var err error
	if c.Acquirer, err = cielo.New(config); err != nil {
		c.t.Fatal(err)
	}
	c.Driver = c.Acquirer
}

func (c *counter) pays() bool {
	if err := c.account.Pay(""); err != nil && !errors.Is(err, ordersim.ErrNotPaid) {
		c.t.Errorf("paying: %v", err)
	}
	return false
}

func (c *counter) next(kind httpsim.Misdeed, on httpsim.Call, times int, delay time.Duration) {
	c.t.Helper()
	c.Next(c.account, kind, on, times, delay)
}

// after has somebody do something at the device in a while.
func (c *counter) after(d time.Duration, do func(string) error) {
	time.AfterFunc(d, func() {
		if err := do(""); err != nil {
			c.t.Errorf("at the device: %v", err)
		}
	})
}

// stands is what the customers have paid and not been given back, with no order on the device.
func (c *counter) stands(want string) {
	c.t.Helper()
	sum := money.Zero
	for _, s := range c.sums() {
		if sum = sum.Add(s.Standing()); s.Open() {
			c.t.Errorf("%+v is open", s)
		}
	}
	if sum.Cmp(money.MustParse(want)) != 0 {
		c.t.Errorf("%s stands, want %s", sum, want)
	}
}

// TestPaidInParts by two cards is paid when the sum is; one of them alone is nothing.
func TestPaidInParts(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.next(ordersim.InParts, ordersim.OnPay, 1, 20*time.Second)
		began := time.Now()
		o := m.Counter.Pay(remotetest.Attempt(1, "10"), payment.Accepted)
		if time.Since(began) < 20*time.Second || strings.Count(o.Receipt.Customer, "R$ 5,00 NSU") != 2 {
			t.Errorf("after %v: %q", time.Since(began), o.Receipt.Customer)
		}
		m.next(ordersim.Slowly, ordersim.OnPay, 1, 20*time.Second)
		began = time.Now()
		m.Counter.Pay(remotetest.Attempt(2, "10"), payment.Accepted)
		if time.Since(began) < 20*time.Second {
			t.Error("a pending payment is none")
		}
		m.stands("20.00")
	})
}

// TestCalledOffPartlyPaid: it is not closed while something stands on it. It ends when the device ends it.
func TestCalledOffPartlyPaid(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(*counter) func(string) error
		want payment.Verdict
		left string
	}{
		{"paid to the end", func(m *counter) func(string) error { return m.account.Pay }, payment.Accepted, "10.00"},
		{"cancelled there", func(m *counter) func(string) error { return m.account.Void }, payment.Abandoned, "0.00"},
		{"left alone", nil, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			atCounter(t, func(m *counter) {
				m.AtCard = func() bool {
					if err := m.account.PayPart("", 400); err != nil {
						t.Error(err)
					}
					if c.then != nil {
						m.after(10*time.Second, c.then(m))
					}
					return true
				}
				tx := remotetest.Attempt(1, "10")
				if c.then != nil {
					m.Counter.Pay(tx, c.want)
					m.stands(c.left)
					return
				}
				m.Unknown(m.Acquirer.Pay(context.Background(), m.Charge(tx)))
				if last := m.LastShown(); last.Step != payment.StepCard || !last.Committed || last.Cancellable || last.Device != "Cielo Smart" {
					t.Errorf("%+v", last)
				}
				m.open(nil)
				m.Unknown(m.Acquirer.Settle(context.Background(), tx))
				if err := m.account.Void(""); err != nil {
					t.Fatal(err)
				}
				m.Counter.Settle(tx, payment.Abandoned)
				m.stands("0.00")
			})
		})
	}
}

// TestPaidInTheMomentOfTheClose: the payment won the race, and is taken.
func TestPaidInTheMomentOfTheClose(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.AtCard = func() bool { return true }
		m.next(ordersim.PaidBefore, ordersim.OnClose, 1, 0)
		m.Counter.Pay(remotetest.Attempt(1, "10"), payment.Accepted)
		m.next(ordersim.DeviceKeeps, ordersim.OnClose, 3, 0)
		m.Counter.Pay(remotetest.Attempt(2, "10"), payment.Abandoned)
		m.stands("10.00")
	})
}

// TestPaidAfterTheClose is found, and told of until somebody has given it back at the device.
func TestPaidAfterTheClose(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.AtCard = func() bool { return true }
		m.next(ordersim.PaidAfter, ordersim.OnClose, 1, time.Minute)
		tx := remotetest.Attempt(1, "10")
		tx.Outcome = m.Counter.Pay(tx, payment.Abandoned)
		late := func(want string) {
			t.Helper()
			found, err := m.LateMoney(context.Background(), tx)
			if err != nil || found.Amount.Cmp(money.MustParse(want)) != 0 {
				t.Errorf("%+v, %v; want %s", found, err, want)
			}
		}
		late("0.00")
		time.Sleep(2 * time.Minute)
		late("10.00")
		if err := m.ReturnLate(context.Background(), tx); !errors.Is(err, payment.ErrAtDevice) {
			t.Error(err)
		}
		if err := m.account.Void(""); err != nil {
			t.Fatal(err)
		}
		if err := m.ReturnLate(context.Background(), tx); err != nil {
			t.Error(err)
		}
		late("0.00")
	})
}

// TestNobodyWasTold: what was paid stands, for only the device could give it back; what was not is taken off it.
func TestNobodyWasTold(t *testing.T) {
	for _, paid := range []bool{true, false} {
		atCounter(t, func(m *counter) {
			m.AtCard = func() bool {
				if paid {
					m.pays()
				}
				m.next(httpsim.Silent, ordersim.OnSee, 1000, 0)
				return true
			}
			tx := remotetest.Attempt(1, "10")
			m.Unknown(m.Acquirer.Pay(context.Background(), m.Charge(tx)))
			m.account.Behave()
			m.open(nil)
			m.Counter.Settle(tx, map[bool]payment.Verdict{true: payment.Accepted, false: payment.Abandoned}[paid])
			m.stands(map[bool]string{true: "10.00", false: "0.00"}[paid])
		})
	}
}

// TestNotPlaced: a draft whose placing nobody answered for is deleted before anything is said of it.
func TestNotPlaced(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.next(httpsim.Silent, ordersim.OnPlace, 1000, 0)
		m.next(httpsim.Silent, ordersim.OnDelete, 1, 0)
		tx := remotetest.Attempt(1, "10")
		m.Unknown(m.Acquirer.Pay(context.Background(), m.Charge(tx)))
		m.open(nil)
		m.Counter.Settle(tx, payment.Abandoned)
		if all := m.sums(); len(all) != 1 || all[0].Status != "deleted" {
			t.Errorf("%+v", all)
		}
		m.account.Behave()
		m.next(httpsim.Slow, ordersim.OnPlace, 4, time.Hour)
		m.Counter.Pay(remotetest.Attempt(2, "10"), payment.Declined)
		time.Sleep(2 * time.Hour)
		m.stands("0.00")
	})
}

// TestDraftIsFoundByItsNumber: a lost answer makes no second one.
func TestDraftIsFoundByItsNumber(t *testing.T) {
	for _, kind := range []httpsim.Misdeed{httpsim.DropAfter, httpsim.FailAfter, httpsim.Garbage, httpsim.CutAnswer} {
		atCounter(t, func(m *counter) {
			m.next(kind, ordersim.OnCreate, 1, 0)
			m.Counter.Pay(remotetest.Attempt(1, "10"), payment.Accepted)
			if len(m.bodies) != 1 || len(m.sums()) != 1 {
				t.Errorf("%s: %d drafts asked for, %d made", kind, len(m.bodies), len(m.sums()))
			}
			m.stands("10.00")
		})
	}
}

// TestGivenBackAtTheDevice: until it was, the reversal says that it has to be; then it is recorded.
func TestGivenBackAtTheDevice(t *testing.T) {
	atCounter(t, func(m *counter) {
		tx := remotetest.Attempt(1, "10")
		paid := m.Counter.Pay(tx, payment.Accepted)
		giving := remotetest.Giving(tx, paid, "10.00")
		if o, err := m.Acquirer.Reverse(context.Background(), m.Charge(giving)); !errors.Is(err, payment.ErrAtDevice) {
			t.Errorf("%+v, %v", o, err)
		}
		m.Counter.Settle(giving, payment.Abandoned)
		m.next(httpsim.Drop, ordersim.OnSee, 4, 0)
		if o := m.Counter.Reverse(giving, payment.Declined); o.Message != "Cielo fora do ar" {
			t.Error(o.Message)
		}
		if err := m.account.Void(""); err != nil {
			t.Fatal(err)
		}
		if o := m.Counter.Reverse(giving, payment.Accepted); o.NSU == "" || o.NSU == paid.NSU {
			t.Errorf("%+v", o)
		}
		m.Counter.Settle(giving, payment.Accepted)
		m.stands("0.00")
	})
}

// TestWhatWasUsed is what the payment says, not what was asked for.
func TestWhatWasUsed(t *testing.T) {
	atCounter(t, func(m *counter) {
		tx := remotetest.Attempt(7, "1234.5")
		tx.Request.Installments, tx.Request.Plan = 2, payment.Seller
		o := m.Counter.Pay(tx, payment.Accepted)
		if o.PaidWith != payment.Credit || o.Installments != 3 || o.Brand != "02" || o.AcquirerCNPJ != "01027058000191" || o.NSU == "" || o.Authorization == "" || cielo.OrderOf(o) == "" {
			t.Errorf("%+v", o)
		}
		if want := `"reference":"Venda 7","payment_code":"CREDITO_PARCELADO_LOJA","status":"DRAFT"`; !strings.Contains(m.bodies[0], want) {
			t.Error(m.bodies[0])
		}
		if want := `"notes":"2 parcelas","price":123450`; !strings.Contains(m.bodies[0], want) {
			t.Error(m.bodies[0])
		}
		if !strings.Contains(o.Receipt.Merchant, "MASTERCARD ************3542") {
			t.Errorf("%+v", o)
		}
		m.open(func(c *cielo.Config) { c.LIO = true })
		tx = remotetest.Attempt(8, "0.05")
		tx.Request.Method = payment.Debit
		m.Counter.Pay(tx, payment.Accepted)
		if strings.Contains(m.bodies[1], "payment_code") || !strings.Contains(m.bodies[1], `"price":5}`) {
			t.Error(m.bodies[1])
		}
	})
}

// TestRefusals are results, in Portuguese, when certainly nothing was shown.
func TestRefusals(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.next(httpsim.Denied, ordersim.OnCreate, 1, 0)
		if o := m.Counter.Pay(remotetest.Attempt(1, "10"), payment.Declined); o.Message != "A Cielo recusou as credenciais" {
			t.Error(o.Message)
		}
		m.next(httpsim.Denied, ordersim.OnPlace, 1, 0)
		if o := m.Counter.Pay(remotetest.Attempt(2, "10"), payment.Declined); o.Message != "A Cielo recusou as credenciais" {
			t.Error(o.Message)
		}
		m.next(httpsim.TooMany, ordersim.OnPlace, 1, 0)
		m.Counter.Pay(remotetest.Attempt(3, "10"), payment.Accepted)
		tx := remotetest.Attempt(4, "10")
		tx.Request.Method = payment.Pix
		m.Counter.Pay(tx, payment.Declined)
		m.next(ordersim.CanceledThere, ordersim.OnPay, 1, 0)
		m.Counter.Pay(remotetest.Attempt(5, "10"), payment.Abandoned)
		m.next(ordersim.CardRefused, ordersim.OnPay, 1, 0)
		if o := m.Counter.Pay(remotetest.Attempt(6, "10"), payment.Abandoned); o.Message != "A cobrança expirou na maquininha" {
			t.Error(o.Message)
		}
		m.stands("10.00")
	})
}

// TestReachSaysWhatIsWrong: credentials or merchant, and no order is made to find out.
func TestReachSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*cielo.Config)
		want   error
	}{
		"nothing":     {func(*cielo.Config) {}, nil},
		"client":      {func(c *cielo.Config) { c.ClientID = "another" }, cielo.ErrRefusedToken},
		"token":       {func(c *cielo.Config) { c.Token = "another-secret" }, cielo.ErrRefusedToken},
		"merchant":    {func(c *cielo.Config) { c.Merchant = "another" }, cielo.ErrRefusedMerchant},
		"no token":    {func(c *cielo.Config) { c.Token = "" }, cielo.ErrNoCredentials},
		"two words":   {func(c *cielo.Config) { c.Token = "a b" }, cielo.ErrCredentials},
		"strangers":   {at404, remote.ErrSomebodyElse},
		"a site":      {elsewhere, remote.ErrUnproven},
		"lists":       {always(http.StatusOK, "[]"), remote.ErrSomebodyElse},
		"objects":     {always(http.StatusOK, "{}"), remote.ErrSomebodyElse},
		"a long life": {func(c *cielo.Config) { c.Expiry = 4 * time.Hour }, cielo.ErrExpiry},
	} {
		t.Run(name, func(t *testing.T) {
			remotetest.AtCounter(t, func(t *testing.T, dir string, _ *store.Ledger) {
				p, closing := openShop(t, dir, nil)
				defer closing()
				config := p.config
				c.change(&config)
				clock, err := cielo.Reach(context.Background(), config)
				if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
					t.Errorf("%v, want %v", err, c.want)
				}
				if err != nil && strings.Contains(err.Error(), "secret") {
					t.Errorf("the token is told: %v", err)
				}
				if c.want == nil && clock.IsZero() || len(p.sums()) > 0 {
					t.Errorf("%v, %+v", clock, p.sums())
				}
			})
		})
	}
}
