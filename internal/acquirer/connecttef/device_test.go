package connecttef_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/connecttef"
	"github.com/maquininha/maquininha/internal/acquirer/connecttef/gpsim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// counter is a terminal beside a device, with a customer and a cashier, without a desk.
type counter struct {
	remotetest.Counter
	*shop
	*connecttef.Acquirer
	atDevice func(id string) error
}

// atCounter runs a test in a bubble, and holds the driver to the rules of the API.
func atCounter(t *testing.T, test func(*counter)) {
	t.Helper()
	remotetest.AtCounter(t, func(t *testing.T, dir string, book *store.Ledger) {
		p, closing := openShop(t, dir, nil)
		defer closing()
		c := &counter{Counter: remotetest.Counter{T: t, Book: book}, shop: p, atDevice: p.manager.Pay}
		c.Seen = func(shown payment.Prompt) {
			if shown.Step == payment.StepCard && shown.Committed && c.atDevice != nil {
				if shown.Device != "Connect TEF" {
					t.Errorf("nobody is told where: %+v", shown)
				}
				do := c.atDevice
				p.customers.Come(func() bool { return do("") == nil })
			}
		}
		c.open()
		defer func() { c.Close() }()
		test(c)
		if v := p.manager.Violations(); len(v) > 0 {
			t.Errorf("violations: %q", v)
		}
	})
}

// open is the process starting.
func (c *counter) open() {
	c.t.Helper()
	if c.Acquirer != nil {
		c.Close()
	}
	config := c.config
	config.Book = c.Book
	var err error
	if c.Acquirer, err = connecttef.New(config); err != nil {
		c.t.Fatal(err)
	}
	c.Driver = c.Acquirer
}

func (c *counter) next(kind httpsim.Misdeed, on httpsim.Call, times int, delay time.Duration) {
	c.t.Helper()
	c.Next(c.manager, kind, on, times, delay)
}

// stands is what the customers have paid and not been given back.
func (c *counter) stands(want string) {
	c.t.Helper()
	remotetest.Stands(c.t, c.sums(), want)
}

// TestAskedOnce: whatever becomes of the request for a payment, it is not sent again.
func TestAskedOnce(t *testing.T) {
	for _, c := range []struct {
		lost httpsim.Misdeed
		want payment.Verdict
		left string
	}{
		{httpsim.Drop, payment.Declined, "0.00"},
		{httpsim.DropAfter, payment.Accepted, "10.00"},
		{httpsim.FailAfter, payment.Accepted, "10.00"},
		{httpsim.Garbage, payment.Accepted, "10.00"},
		{httpsim.SilentAfter, payment.Accepted, "10.00"},
		{httpsim.Fail, payment.Declined, "0.00"},
		{httpsim.TooMany, payment.Declined, "0.00"},
	} {
		t.Run(string(c.lost), func(t *testing.T) {
			atCounter(t, func(m *counter) {
				m.next(c.lost, gpsim.OnSale, 4, 0)
				m.Counter.Pay(remotetest.Attempt(1, "10"), c.want)
				if len(m.asked) != 1 {
					t.Errorf("asked %d times", len(m.asked))
				}
				m.stands(c.left)
			})
		})
	}
}

// TestArrivedAfterItsEnd: a request that everybody took for lost, and that a customer paid, is found and given back once.
func TestArrivedAfterItsEnd(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.next(httpsim.Slow, gpsim.OnSale, 1, 4*time.Minute)
		m.atDevice = nil
		tx := remotetest.Attempt(1, "10")
		m.Counter.Pay(tx, payment.Declined)
		late := func() payment.Late {
			found, err := m.LateMoney(context.Background(), tx)
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		if late().Came() {
			t.Error("nothing has come yet")
		}
		time.Sleep(4 * time.Minute)
		if err := m.manager.Pay(""); err != nil {
			t.Fatal(err)
		}
		m.stands("10.00")
		if got := late(); got.Amount.Cmp(tx.Request.Amount) != 0 {
			t.Errorf("%+v", got)
		}
		for range 2 {
			if err := m.ReturnLate(context.Background(), tx); err != nil {
				t.Error(err)
			}
			m.stands("0.00")
		}
		if late().Came() {
			t.Error("it has gone back")
		}
	})
}

// TestManagerForgets: an operation that it knew, and denies, is for a person to settle; one that it never had has not been made.
func TestManagerForgets(t *testing.T) {
	atCounter(t, func(m *counter) {
		tx := remotetest.Attempt(1, "10")
		m.atDevice = func(string) error {
			for _, id := range m.manager.Waiting() {
				m.manager.Forget(id)
				return nil
			}
			return gpsim.ErrNone
		}
		m.Unknown(m.Acquirer.Pay(context.Background(), m.Charge(tx)))
		m.open()
		time.Sleep(time.Minute)
		m.Unknown(m.Acquirer.Settle(context.Background(), tx))
		m.Settle(remotetest.Attempt(2, "10"), payment.Abandoned)
	})
}

// Settle is the driver's, held to a verdict.
func (c *counter) Settle(t payment.Transaction, want payment.Verdict) payment.Outcome {
	c.t.Helper()
	return c.Counter.Settle(t, want)
}

// TestUndone: what nobody was told of goes back; what the manager refuses to give back stands.
func TestUndone(t *testing.T) {
	for _, c := range []struct {
		refused int
		want    payment.Verdict
		left    string
	}{{0, payment.Abandoned, "0.00"}, {2, payment.Abandoned, "0.00"}, {3, payment.Accepted, "10.00"}} {
		t.Run(fmt.Sprint(c.refused), func(t *testing.T) {
			atCounter(t, func(m *counter) {
				m.next(httpsim.Silent, gpsim.OnSee, 1000, 0)
				tx := remotetest.Attempt(1, "10")
				m.atDevice = nil
				m.Counter.Pay(tx, payment.Declined) // it can't even look
				m.manager.Behave()
				m.next(httpsim.DropAfter, gpsim.OnSale, 1, 0)
				m.Seen = func(p payment.Prompt) {
					if p.Committed {
						m.next(httpsim.Silent, gpsim.OnSee, 1000, 0)
						m.customers.Come(func() bool { return m.manager.Pay("") == nil })
					}
				}
				tx = remotetest.Attempt(2, "10")
				m.Unknown(m.Acquirer.Pay(context.Background(), m.Charge(tx)))
				m.manager.Behave()
				if c.refused > 0 {
					m.next(gpsim.RefundRefused, gpsim.OnRefund, c.refused, 0)
				}
				m.open()
				for range c.refused {
					m.Unknown(m.Acquirer.Settle(context.Background(), tx))
					time.Sleep(2 * time.Minute)
				}
				m.Settle(tx, c.want)
				m.stands(c.left)
			})
		})
	}
}

// TestAnotherSum is no approval: it goes back, or a person has to look.
func TestAnotherSum(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.next(gpsim.OtherAmount, gpsim.OnPay, 1, 0)
		tx := remotetest.Attempt(1, "10")
		o := m.Counter.Pay(tx, payment.Declined)
		if o.NSU == "" || o.Message != "Foi cobrado outro valor: R$ 11,00 em vez de R$ 10,00 (NSU "+o.NSU+"); foi devolvido" {
			t.Errorf("%+v", o)
		}
		m.stands("0.00")
		m.open() // a kill before anybody was told
		if again := m.Counter.Settle(tx, payment.Declined); again.Message != o.Message {
			t.Errorf("%+v", again)
		}
	})
	atCounter(t, func(m *counter) {
		tx := remotetest.Attempt(1, "10")
		m.next(gpsim.OtherAmount, gpsim.OnPay, 1, 0)
		m.next(gpsim.RefundRefused, gpsim.OnRefund, 10, 0)
		var other *payment.OtherAmountError
		if o, err := m.Acquirer.Pay(context.Background(), m.Charge(tx)); !errors.As(err, &other) || other.Paid.Cents() != "11.00" || other.NSU == "" {
			t.Errorf("%+v, %v", o, err)
		}
		if o, err := m.Acquirer.Settle(context.Background(), tx); !errors.As(err, &other) || !strings.Contains(err.Error(), "R$ 11,00 em vez de R$ 10,00 (NSU "+other.NSU+")") {
			t.Errorf("%+v, %v", o, err)
		}
	})
}

// TestWhatWasUsed is what the answer says, not what was asked for.
func TestWhatWasUsed(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.atDevice = func(id string) error { return m.manager.Use(id, "20") }
		tx := remotetest.Attempt(1, "1234.50")
		tx.Request.Installments, tx.Request.Plan = 3, payment.Buyer
		o := m.Counter.Pay(tx, payment.Accepted)
		if o.PaidWith != payment.Debit || o.Brand != "01" || o.AcquirerCNPJ != "16501555000157" || o.NSU == "" || o.Authorization == "" || connecttef.OperationOf(o) == "" {
			t.Errorf("%+v", o)
		}
		if !strings.Contains(m.asked[0], `"valorTotal":"1234.50","tipoTransacao":"12","quantidadeParcelas":"3"`) {
			t.Error(m.asked[0])
		}
		if !strings.HasPrefix(o.Receipt.Customer, "-----") || !strings.Contains(o.Receipt.Customer, "\nREDE    STONE\n") {
			t.Errorf("%q", o.Receipt.Customer)
		}
		m.atDevice = m.manager.Pay
		tx = remotetest.Attempt(2, "1")
		tx.Request.Method = payment.Pix
		if o := m.Counter.Pay(tx, payment.Accepted); o.PaidWith != payment.Pix || o.Brand != "" {
			t.Errorf("%+v", o)
		}
	})
}

// TestNoCardNumberIsKept, however careless the manager is.
func TestNoCardNumberIsKept(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.next(gpsim.Careless, gpsim.OnPay, 1, 0)
		o := m.Counter.Pay(remotetest.Attempt(1, "10"), payment.Accepted)
		if text := fmt.Sprintf("%+v", o); strings.Contains(text, "4111111111111111") || !strings.Contains(text, "411111******1111") {
			t.Error(text)
		}
	})
}

// TestRefusals are results, in Portuguese, when certainly nothing was made.
func TestRefusals(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.atDevice = m.manager.Refuse
		if o := m.Counter.Pay(remotetest.Attempt(1, "10"), payment.Declined); o.Message != "Cartão inválido" {
			t.Error(o.Message)
		}
		m.atDevice = m.manager.Cancel
		m.Counter.Pay(remotetest.Attempt(2, "10"), payment.Abandoned)
		m.atDevice = nil // nobody pays
		if o := m.Counter.Pay(remotetest.Attempt(3, "10"), payment.Declined); o.Message != "TEMPO ESGOTADO" {
			t.Error(o.Message)
		}
		m.atDevice = m.manager.Pay
		tx := remotetest.Attempt(4, "10")
		paid := m.Counter.Pay(tx, payment.Accepted)
		m.next(gpsim.RefundInVain, gpsim.OnRefund, 1, 20*time.Second)
		m.Counter.Reverse(remotetest.Giving(tx, paid, "10.00"), payment.Declined)
		m.next(gpsim.RefundSlowly, gpsim.OnRefund, 1, 20*time.Second)
		m.Counter.Reverse(remotetest.Giving(tx, paid, "10.00", "10.00"), payment.Accepted)
		m.stands("0.00")
		m.next(httpsim.Drop, gpsim.OnSee, 2, 0)
		if o := m.Counter.Pay(remotetest.Attempt(5, "10"), payment.Declined); o.Message != "Connect TEF fora do ar" {
			t.Error(o.Message)
		}
	})
}

// TestRefusesToLook: a manager with other words for what it has not is used all the same; only nothing is concluded from them.
func TestRefusesToLook(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.next(httpsim.Denied, gpsim.OnSee, 1, 0)
		m.Counter.Pay(remotetest.Attempt(1, "10"), payment.Accepted)
		time.Sleep(time.Minute)
		m.next(httpsim.Denied, gpsim.OnSee, 1, 0)
		m.Unknown(m.Acquirer.Settle(context.Background(), remotetest.Attempt(2, "10")))
	})
}

// TestStray404: that somebody else at the address knows nothing of a payment proves nothing, and nothing is charged there.
func TestStray404(t *testing.T) {
	for _, how := range []httpsim.Misdeed{httpsim.Lost, httpsim.LostJSON} {
		atCounter(t, func(m *counter) {
			time.Sleep(time.Minute)
			m.next(how, "", 1000, 0)
			m.Unknown(m.Acquirer.Settle(context.Background(), remotetest.Attempt(1, "10")))
			m.Counter.Pay(remotetest.Attempt(2, "10"), payment.Declined)
		})
	}
}

// TestNothingIsGuessed: an answer that makes no sense is no end of anything.
func TestNothingIsGuessed(t *testing.T) {
	for _, body := range []string{
		`<html>`, `{"status":"ok"}`, `{"executada":true}`, `{"statusTransacao":"0"}`, `{"identificacao":"another","executada":true,"statusTransacao":"1"}`, `[]`, `{"executada":"sim"}`,
	} {
		atCounter(t, func(m *counter) {
			m.config.Network.Wrap = func(http.RoundTripper) http.RoundTripper { return remotetest.Always(http.StatusOK, body) }
			m.open()
			time.Sleep(time.Minute)
			m.Unknown(m.Acquirer.Settle(context.Background(), remotetest.Attempt(1, "10")))
		})
	}
}

// TestReach: whether Connect TEF is there, and nothing is asked for to find out.
func TestReach(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		p, closing := openShop(t, dir, nil)
		defer closing()
		if clock, err := connecttef.Reach(context.Background(), p.config); err != nil || clock.IsZero() {
			t.Errorf("%v, %v", clock, err)
		}
		for _, kind := range []httpsim.Misdeed{httpsim.Lost, httpsim.LostJSON, httpsim.Garbage} {
			if err := p.manager.Next(httpsim.Misbehaviour{Kind: kind, Times: 1}); err != nil {
				t.Fatal(err)
			}
			if _, err := connecttef.Reach(context.Background(), p.config); !errors.Is(err, remote.ErrSomebodyElse) {
				t.Errorf("%s: %v", kind, err)
			}
		}
		vague := p.config
		vague.Network.Wrap = func(http.RoundTripper) http.RoundTripper { return remotetest.Always(http.StatusOK, "{}") }
		if _, err := connecttef.Reach(context.Background(), vague); !errors.Is(err, remote.ErrUnproven) {
			t.Errorf("an empty answer: %v", err)
		}
		for _, url := range []string{"http://192.168.0.20:3000", "https://pos.example", "http://pos.local:3000", "http://127.0.0.1:3000/api/v1/operacao"} {
			c := p.config
			c.URL, c.Terminal, c.Book = url, "1", (*store.Ledger)(nil)
			if _, err := connecttef.New(c); err != nil {
				t.Errorf("%s: %v", url, err)
			}
		}
		c := p.config
		c.URL = "http://pos.example"
		if _, err := connecttef.Reach(context.Background(), c); err == nil {
			t.Error("in the clear over the internet")
		}
		if len(p.asked) > 0 {
			t.Errorf("it asked for %q", p.asked)
		}
	})
}
