package mercadopago_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
)

// TestLostTouch: action_required is no end. What became of it comes when the device is back.
func TestLostTouch(t *testing.T) {
	for _, c := range []struct {
		kind httpsim.Misdeed
		want payment.Verdict
		left string
	}{{pointsim.LostTouch, payment.Accepted, "10.00"}, {pointsim.LostTouchNoPay, payment.Declined, "0.00"}} {
		t.Run(string(c.kind), func(t *testing.T) {
			atCounter(t, nil, func(m *counter) {
				m.next(c.kind, pointsim.OnPay, 1, 50*time.Second)
				began := time.Now()
				m.Counter.Pay(remotetest.Attempt(1, "10"), c.want)
				if time.Since(began) < 50*time.Second {
					t.Errorf("over after %v", time.Since(began))
				}
				m.stands(c.left)
			})
		})
	}
}

// TestNobodyKnowsWhileTouchIsLost: neither the payment's own wait nor the recovery guesses.
func TestNobodyKnowsWhileTouchIsLost(t *testing.T) {
	atCounter(t, nil, func(m *counter) {
		m.next(pointsim.LostTouch, pointsim.OnPay, 1, time.Hour)
		tx := remotetest.Attempt(1, "10")
		if o, err := m.Acquirer.Pay(context.Background(), m.Charge(tx)); err == nil {
			t.Fatalf("%+v", o)
		}
		if o, err := m.Acquirer.Settle(context.Background(), tx); err == nil {
			t.Fatalf("%+v", o)
		}
		time.Sleep(time.Hour)
		o, err := m.Acquirer.Settle(context.Background(), tx)
		m.Is(o, err, payment.Abandoned)
		m.stands("0.00")
	})
}

// TestDeviceKeepsTheOrder: a cancel is a wish. The device may not let go, and the customer pay after all.
func TestDeviceKeepsTheOrder(t *testing.T) {
	for _, c := range []struct {
		name, end string
		want      payment.Verdict
		left      string
	}{
		{"paid", "processed", payment.Accepted, "10.00"},
		{"refused", "failed", payment.Declined, "0.00"},
		{"cancelled there", "canceled", payment.Abandoned, "0.00"},
		{"left alone", "", payment.Abandoned, "0.00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			atCounter(t, nil, func(m *counter) {
				m.next(pointsim.DeviceKeeps, pointsim.OnCancel, 1, 0)
				m.AtCard = func() bool {
					if c.end != "" {
						time.AfterFunc(10*time.Second, func() {
							if err := m.account.End("", c.end); err != nil {
								t.Error(err)
							}
						})
					}
					return true
				}
				m.Counter.Pay(remotetest.Attempt(1, "10"), c.want)
				last := m.LastShown()
				if last.Step != payment.StepCard || !last.Committed || last.Cancellable || last.Device != "Mercado Pago "+pointsim.VirtualDevice {
					t.Errorf("%+v", last)
				}
				m.stands(c.left)
			})
		})
	}
}

// TestPaidInTheMomentOfTheCancel: the payment won the race, and is taken.
func TestPaidInTheMomentOfTheCancel(t *testing.T) {
	atCounter(t, nil, func(m *counter) {
		m.next(pointsim.PaidBefore, pointsim.OnCancel, 1, 0)
		m.AtCard = func() bool { return true }
		m.Counter.Pay(remotetest.Attempt(1, "10"), payment.Accepted)
		m.stands("10.00")
	})
}

// TestTheSameBytes: what is sent again is what was sent, whatever was configured meanwhile.
func TestTheSameBytes(t *testing.T) {
	for _, after := range []bool{false, true} {
		atCounter(t, func(c *pointsim.Config) { c.NoSearch = true }, func(m *counter) {
			m.next(map[bool]httpsim.Misdeed{false: httpsim.Drop, true: httpsim.DropAfter}[after], pointsim.OnCreate, 8, 0)
			tx := remotetest.Attempt(1, "10")
			if o, err := m.Acquirer.Pay(context.Background(), m.Charge(tx)); err == nil {
				t.Fatalf("%+v", o)
			}
			m.open(func(c *mercadopago.Config) { c.Expiry = 10 * time.Minute })
			o, err := m.Acquirer.Settle(context.Background(), tx)
			m.Is(o, err, payment.Abandoned)
			all := m.posted("/v1/orders")
			if len(all) != 9 {
				t.Errorf("%d requests", len(all))
			}
			for _, s := range all {
				if s != all[0] || !strings.Contains(s.body, `"PT60S"`) {
					t.Errorf("%+v\nafter\n%+v", s, all[0])
				}
			}
			m.stands("0.00")
		})
	}
}

// TestTheSameRefund: a part that was asked for before a kill is found among the others, and made once.
func TestTheSameRefund(t *testing.T) {
	atCounter(t, nil, func(m *counter) {
		tx := remotetest.Attempt(1, "10")
		paid := m.Counter.Pay(tx, payment.Accepted)
		m.Counter.Reverse(remotetest.Giving(tx, paid, "4.00"), payment.Accepted)
		m.stands("6.00")

		m.next(httpsim.DropAfter, pointsim.OnRefund, 4, 0)
		second := remotetest.Giving(tx, paid, "4.00", "4.00")
		if o, err := m.Acquirer.Reverse(context.Background(), m.Charge(second)); err == nil {
			t.Fatalf("%+v", o)
		}
		m.open(nil)
		o, err := m.Acquirer.Settle(context.Background(), second)
		m.Is(o, err, payment.Accepted)
		m.stands("2.00")
		all := m.posted("/refund")
		for _, s := range all[1:] {
			if s != all[1] || s.key == all[0].key {
				t.Errorf("%+v\nafter\n%+v", s, all[1])
			}
		}
		m.Counter.Reverse(remotetest.Giving(tx, paid, "4.00", "4.00", "2.00"), payment.Accepted)
		m.stands("0.00")
	})
}

// TestTheWholeIsAskedForWithoutABody, as the API has it.
func TestTheWholeIsAskedForWithoutABody(t *testing.T) {
	atCounter(t, nil, func(m *counter) {
		tx := remotetest.Attempt(1, "10")
		paid := m.Counter.Pay(tx, payment.Accepted)
		m.Counter.Reverse(remotetest.Giving(tx, paid, "10.00"), payment.Accepted)
		if all := m.posted("/refund"); len(all) != 1 || all[0].body != "" {
			t.Errorf("%+v", all)
		}
		m.stands("0.00")
	})
}

// TestKeyIsTooOld: after a day the same request would be another order, so only the list says what became of it.
func TestKeyIsTooOld(t *testing.T) {
	for _, c := range []struct {
		name     string
		lost     httpsim.Misdeed
		noSearch bool
		paid     bool
	}{{"made and paid", httpsim.DropAfter, false, true}, {"never made", httpsim.Drop, false, false}, {"no list", httpsim.Drop, true, false}} {
		t.Run(c.name, func(t *testing.T) {
			atCounter(t, func(s *pointsim.Config) { s.NoSearch = c.noSearch }, func(m *counter) {
				m.next(c.lost, pointsim.OnCreate, 8, 0)
				m.next(httpsim.Silent, pointsim.OnSearch, 1, 0)
				tx := remotetest.Attempt(1, "10")
				if o, err := m.Acquirer.Pay(context.Background(), m.Charge(tx)); err == nil {
					t.Fatalf("%+v", o)
				}
				if c.paid {
					m.pays()
				}
				time.Sleep(25 * time.Hour)
				before := len(m.posted("/v1/orders"))
				o, err := m.Acquirer.Settle(context.Background(), tx)
				if c.noSearch {
					if err == nil {
						t.Errorf("%+v", o)
					}
				} else {
					m.Is(o, err, payment.Abandoned)
				}
				if len(m.posted("/v1/orders")) != before {
					t.Error("it was sent again")
				}
				m.stands("0.00")
			})
		})
	}
}

// TestWhatWasUsed is what the order says, not what was asked for.
func TestWhatWasUsed(t *testing.T) {
	atCounter(t, nil, func(m *counter) {
		m.AtCard = func() bool {
			id := m.account.Waiting()[0]
			if err := m.account.Play(id, `{"status":"processed","payment_method_type":"debit_card","payment_method_id":"debelo"}`); err != nil {
				t.Error(err)
			}
			return false
		}
		tx := remotetest.Attempt(1, "10")
		tx.Request.Installments, tx.Request.Plan = 3, payment.Seller
		o := m.Counter.Pay(tx, payment.Accepted)
		if o.PaidWith != payment.Debit || o.Brand != "06" || o.AcquirerCNPJ != "10573521000191" || o.NSU == "" || mercadopago.OrderOf(o) == "" {
			t.Errorf("%+v", o)
		}
		if body := m.posted("/v1/orders")[0].body; !strings.Contains(body, `"default_type":"credit_card","default_installments":3,"installments_cost":"seller"`) {
			t.Error(body)
		}
	})
}

// TestRefusals are results, in Portuguese, when certainly nothing was made.
func TestRefusals(t *testing.T) {
	atCounter(t, nil, func(m *counter) {
		m.next(pointsim.Queued, pointsim.OnCreate, 1, 0)
		if o := m.Counter.Pay(remotetest.Attempt(1, "10"), payment.Declined); o.Message != "A maquininha já tem uma cobrança em andamento" {
			t.Error(o.Message)
		}
		m.next(httpsim.Denied, pointsim.OnCreate, 1, 0)
		if o := m.Counter.Pay(remotetest.Attempt(2, "10"), payment.Declined); o.Message != "O Mercado Pago recusou o access token" {
			t.Error(o.Message)
		}
		m.next(httpsim.TooMany, pointsim.OnCreate, 1, 2*time.Second)
		m.Counter.Pay(remotetest.Attempt(3, "10"), payment.Accepted)
		tx := remotetest.Attempt(4, "10")
		tx.Request.Method = payment.Pix
		m.Counter.Pay(tx, payment.Declined)
		m.AtCard = func() bool { return m.account.End("", "failed") != nil }
		if o := m.Counter.Pay(remotetest.Attempt(5, "10"), payment.Declined); o.Message != "Recusado pelo emissor do cartão" {
			t.Error(o.Message)
		}
		m.AtCard = func() bool { return false } // nobody pays
		if o := m.Counter.Pay(remotetest.Attempt(6, "10"), payment.Abandoned); o.Message != "A cobrança expirou na maquininha" {
			t.Error(o.Message)
		}
		m.stands("10.00")
	})
}

// TestReachSaysWhatIsWrong: token, device or mode.
func TestReachSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		sim    func(*pointsim.Config)
		driver func(*mercadopago.Config)
		want   error
	}{
		"nothing":   {want: nil},
		"token":     {sim: func(c *pointsim.Config) { c.Token = "another" }, want: mercadopago.ErrRefusedToken},
		"device":    {driver: func(c *mercadopago.Config) { c.Device = "PAX_A910__1" }, want: mercadopago.ErrUnknownDevice},
		"mode":      {sim: func(c *pointsim.Config) { c.Mode = "STANDALONE" }, want: mercadopago.ErrMode},
		"no token":  {driver: func(c *mercadopago.Config) { c.Token = "" }, want: mercadopago.ErrNoToken},
		"no device": {driver: func(c *mercadopago.Config) { c.Device = "" }, want: mercadopago.ErrNoDevice},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				p, closing := openShop(t, dir, c.sim)
				defer closing()
				config := p.config
				if c.driver != nil {
					c.driver(&config)
				}
				seen, err := mercadopago.Reach(context.Background(), config)
				if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
					t.Errorf("%v, want %v", err, c.want)
				}
				if err != nil && strings.Contains(err.Error(), accessToken) {
					t.Errorf("the token is told: %v", err)
				}
				if c.want == nil && (seen.Mode != mercadopago.PDV || seen.Clock.IsZero()) {
					t.Errorf("%+v", seen)
				}
			})
		})
	}
}

// TestUndoingIsTriedAnew, under another key, when the first was not made.
func TestUndoingIsTriedAnew(t *testing.T) {
	atCounter(t, nil, func(m *counter) {
		tx := remotetest.Attempt(1, "10")
		m.next(httpsim.Silent, pointsim.OnSee, 1000, 0)
		if o, err := m.Acquirer.Pay(context.Background(), m.Charge(tx)); err == nil {
			t.Fatalf("%+v", o)
		}
		m.account.Behave()
		m.next(pointsim.RefundRefused, pointsim.OnRefund, 1, 0)
		if o, err := m.Acquirer.Settle(context.Background(), tx); err == nil {
			t.Fatalf("%+v", o)
		}
		time.Sleep(2 * time.Minute)
		o, err := m.Acquirer.Settle(context.Background(), tx)
		m.Is(o, err, payment.Abandoned)
		m.stands("0.00")
		if all := m.posted("/refund"); len(all) != 2 || all[0].key == all[1].key {
			t.Errorf("%+v", all)
		}
	})
}

// TestAnotherSum goes back, and whoever looks for it is told both sums and its number; also after a kill.
func TestAnotherSum(t *testing.T) {
	atCounter(t, nil, func(m *counter) {
		m.open(func(c *mercadopago.Config) {
			c.Network.Wrap = remotetest.Rewriting(`"amount":"10.00"`, `"amount":"11.00"`)
		})
		tx := remotetest.Attempt(1, "10")
		o := m.Counter.Pay(tx, payment.Declined)
		if o.NSU == "" || o.Message != "Foi cobrado outro valor: R$ 11,00 em vez de R$ 10,00 (NSU "+o.NSU+"); foi devolvido" {
			t.Errorf("%+v", o)
		}
		if again := m.Counter.Settle(tx, payment.Declined); again.Message != o.Message || again.NSU != o.NSU {
			t.Errorf("%+v", again)
		}
		m.stands("0.00")
	})
}
