package controlpay_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/acquirer/controlpay"
	"github.com/maquininha/maquininha/internal/acquirer/controlpay/paysim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// atCounter runs a test in a bubble, in no time.
func atCounter(t *testing.T, test func(t *testing.T, p *shop, a *controlpay.Acquirer)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		p, closing := openShop(t, dir)
		defer closing()
		a := p.open()
		defer a.Close()
		test(t, p, a)
	})
}

func attempt(id int64, r payment.Request) payment.Transaction {
	return payment.Transaction{ID: id, State: payment.StateSent, Request: r, CreatedAt: time.Now()}
}

var inThree = payment.Request{Method: payment.Credit, Amount: money.MustParse("1234.5"), Installments: 3, Plan: payment.Seller}

// charge is the attempt with people who do as they are told.
func charge(t payment.Transaction, shown func(payment.Prompt)) payment.Charge {
	return payment.Charge{
		Transaction: t, Sending: func() error { return nil }, Show: shown,
		Ask: func(context.Context, payment.Prompt) (payment.Action, error) {
			return payment.Action{Kind: payment.ActConfirm}, nil
		},
	}
}

func (p *shop) pays(how httpsim.Misdeed) func(payment.Prompt) {
	return func(prompt payment.Prompt) {
		if prompt.Step != payment.StepCard {
			return
		}
		if prompt.Device != "terminal 314 do ControlPay" {
			p.t.Errorf("nobody is told where: %+v", prompt)
		}
		go func() {
			for errors.Is(p.account.End(0, how), paysim.ErrNoSale) {
				time.Sleep(time.Second)
			}
		}()
	}
}

// What was used, the NSU and both copies are those of the terminal's answer, and the sale goes back as a whole.
func TestPaidAndGivenBack(t *testing.T) {
	atCounter(t, func(t *testing.T, p *shop, a *controlpay.Acquirer) {
		tx := attempt(1, inThree)
		o, err := a.Pay(t.Context(), charge(tx, p.pays("")))
		if err != nil || o.Verdict != payment.Accepted || o.PaidWith != payment.Credit || o.Installments != 3 || o.NSU != "000100" || o.Authorization != "019501" ||
			o.Brand != "01" || o.AcquirerCNPJ != "16501555000157" || !strings.Contains(o.Receipt.Customer, "VIA CLIENTE") || !strings.Contains(o.Receipt.Merchant, "VIA ESTABELECIMENTO") {
			t.Fatalf("%+v, %v", o, err)
		}
		tx.Outcome, tx.State = o, payment.StateReversing
		tx.Reversals = []payment.Reversal{{Amount: inThree.Amount}}
		if o, err = a.Reverse(t.Context(), charge(tx, func(payment.Prompt) {})); err != nil || o.Verdict != payment.Accepted || o.NSU != "000101" {
			t.Errorf("%+v, %v", o, err)
		}
		if v := p.account.Violations(); v != nil {
			t.Error(v)
		}
	})
}

// The issuer's no is a refusal in its own words, the customer's stop a cancellation, and a terminal that nobody comes to lets go.
func TestNotPaid(t *testing.T) {
	for how, want := range map[httpsim.Misdeed]payment.Outcome{
		paysim.CardRefused: {Verdict: payment.Declined, Message: "NEGADA 51 SALDO INSUFICIENTE"},
		paysim.CalledOff:   {Verdict: payment.Abandoned, Message: "OPERACAO CANCELADA"},
		paysim.NeverPaid:   {Verdict: payment.Abandoned, Message: "O terminal do ControlPay não atendeu a venda"},
	} {
		atCounter(t, func(t *testing.T, p *shop, a *controlpay.Acquirer) {
			o, err := a.Pay(t.Context(), charge(attempt(1, inThree), p.pays(how)))
			if err != nil || o.Verdict != want.Verdict || o.Message != want.Message {
				t.Errorf("%s: %+v, %v", how, o, err)
			}
		})
	}
}

// Nobody was told of a sale that was paid: it goes back on the same day, and stands on the next, when ControlPay cancels no more.
func TestSettledLater(t *testing.T) {
	for later, want := range map[time.Duration]payment.Verdict{time.Minute: payment.Abandoned, 24 * time.Hour: payment.Accepted} {
		atCounter(t, func(t *testing.T, p *shop, a *controlpay.Acquirer) {
			tx := attempt(1, inThree)
			if o, err := a.Pay(t.Context(), charge(tx, p.pays(""))); err != nil || o.Verdict != payment.Accepted {
				t.Fatalf("%+v, %v", o, err)
			}
			time.Sleep(later)
			if o, err := a.Settle(t.Context(), tx); err != nil || o.Verdict != want {
				t.Errorf("after %s: %+v, %v", later, o, err)
			}
		})
	}
}

// While the terminal still waits for a card nobody says that nothing was charged: who pays after all gets the money back.
func TestSettledWhileOpen(t *testing.T) {
	atCounter(t, func(t *testing.T, p *shop, a *controlpay.Acquirer) {
		tx := attempt(1, inThree)
		ctx, die := context.WithCancel(t.Context())
		o, err := a.Pay(ctx, charge(tx, func(prompt payment.Prompt) {
			if prompt.Step == payment.StepCard {
				time.AfterFunc(5*time.Second, die) // the sale is at the terminal by then
			}
		}))
		if err == nil {
			t.Fatalf("%+v", o)
		}
		if o, err := a.Settle(t.Context(), tx); err == nil {
			t.Fatalf("settled while the terminal waits: %+v", o)
		}
		if err := p.account.End(0, ""); err != nil {
			t.Fatal(err)
		}
		if o, err := a.Settle(t.Context(), tx); err != nil || o.Verdict != payment.Abandoned {
			t.Errorf("paid meanwhile: %+v, %v", o, err)
		}
		if b, err := paysim.ReadBalance(p.ledger); err != nil || len(b.Sums) != 1 || b.Sums[0].Standing() != money.Zero {
			t.Errorf("the books: %+v, %v", b, err)
		}
	})
}

// A sale that is not there may still arrive: only some time after the last request is it certain that there is none.
func TestSettledTooSoon(t *testing.T) {
	atCounter(t, func(t *testing.T, p *shop, a *controlpay.Acquirer) {
		if err := p.account.Next(httpsim.Misbehaviour{Kind: httpsim.Drop, On: paysim.OnSell, Times: 1000}); err != nil {
			t.Fatal(err)
		}
		tx := attempt(1, inThree)
		ctx, die := context.WithTimeout(t.Context(), time.Second)
		defer die()
		if o, err := a.Pay(ctx, charge(tx, func(payment.Prompt) {})); err == nil {
			t.Fatalf("%+v", o)
		}
		if o, err := a.Settle(t.Context(), tx); err == nil {
			t.Errorf("at once: %+v", o)
		}
		time.Sleep(time.Minute)
		if o, err := a.Settle(t.Context(), tx); err != nil || o.Verdict != payment.Abandoned {
			t.Errorf("later: %+v, %v", o, err)
		}
	})
}

// A cancellation that the terminal takes its time for is waited for; one that the network refuses leaves the payment as it was.
func TestCancellations(t *testing.T) {
	for how, want := range map[httpsim.Misdeed]payment.Verdict{paysim.CancelSlowly: payment.Accepted, paysim.CancelRefused: payment.Declined} {
		atCounter(t, func(t *testing.T, p *shop, a *controlpay.Acquirer) {
			tx := attempt(1, inThree)
			o, err := a.Pay(t.Context(), charge(tx, p.pays("")))
			if err != nil {
				t.Fatal(err)
			}
			if err := p.account.Next(httpsim.Misbehaviour{Kind: how, Times: 1, Delay: 20 * time.Second}); err != nil {
				t.Fatal(err)
			}
			tx.Outcome, tx.State, tx.Reversals = o, payment.StateReversing, []payment.Reversal{{Amount: inThree.Amount}}
			if o, err = a.Reverse(t.Context(), charge(tx, func(payment.Prompt) {})); err != nil || o.Verdict != want {
				t.Errorf("%s: %+v, %v", how, o, err)
			}
		})
	}
}

// The key stands in every address: no error may tell it. Neither may one tell a card's number.
func TestErrorsTellNoSecrets(t *testing.T) {
	for _, how := range []httpsim.Misdeed{httpsim.Drop, httpsim.Silent, httpsim.Fail, httpsim.Denied, httpsim.Garbage, httpsim.Lost, httpsim.LostJSON} {
		atCounter(t, func(t *testing.T, p *shop, a *controlpay.Acquirer) {
			if err := p.account.Next(httpsim.Misbehaviour{Kind: how, Times: 1000}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			o, err := a.Pay(ctx, charge(attempt(1, inThree), func(payment.Prompt) {}))
			_, settled := a.Settle(ctx, attempt(1, inThree))
			if all := errors.Join(err, settled); all != nil && strings.Contains(all.Error(), key) || strings.Contains(o.Message, key) {
				t.Errorf("%s: %v, %q", how, all, o.Message)
			}
			if o.Verdict == payment.Accepted {
				t.Errorf("%s: %+v", how, o)
			}
		})
	}
}

// Without the technical password nobody is asked to confirm a refund, nothing leaves, and the words say what is missing.
func TestNoPassword(t *testing.T) {
	atCounter(t, func(t *testing.T, p *shop, _ *controlpay.Acquirer) {
		p.config.Password = ""
		a := p.open()
		defer a.Close()
		tx := attempt(1, inThree)
		paid, err := a.Pay(t.Context(), charge(tx, p.pays("")))
		if err != nil || paid.Verdict != payment.Accepted {
			t.Fatalf("%+v, %v", paid, err)
		}
		asked := len(p.asked.All())
		giving := tx
		giving.Outcome, giving.State, giving.Reversals = paid, payment.StateReversing, []payment.Reversal{{Amount: inThree.Amount}}
		c := charge(giving, func(payment.Prompt) {})
		c.Ask = func(context.Context, payment.Prompt) (payment.Action, error) {
			t.Error("a person was asked")
			return payment.Action{Kind: payment.ActConfirm}, nil
		}
		o, err := a.Reverse(t.Context(), c)
		if err != nil || o.Verdict != payment.Declined || !strings.Contains(o.Message, "senha técnica") {
			t.Errorf("%+v, %v", o, err)
		}
		if o, err := a.Settle(t.Context(), tx); err != nil || o.Verdict != payment.Accepted {
			t.Errorf("what can't be given back stands: %+v, %v", o, err)
		}
		if all := p.asked.All(); len(all) != asked {
			t.Errorf("asked for %q", all[asked:])
		}
	})
}

// What was paid is compared with what was asked: another sum goes back, and is nobody's payment where it does not.
func TestAnotherAmount(t *testing.T) {
	for refuses, want := range map[bool]payment.Verdict{false: payment.Declined, true: ""} {
		atCounter(t, func(t *testing.T, p *shop, _ *controlpay.Acquirer) {
			p.config.Network.Wrap = remotetest.Rewriting(`"valorFinal":1234.50`, `"valorFinal":1234.49`)
			a := p.open()
			defer a.Close()
			if refuses {
				p.next(paysim.CancelRefused, paysim.OnCancel)
			}
			tx := attempt(1, inThree)
			o, err := a.Pay(t.Context(), charge(tx, p.pays("")))
			switch {
			case (err != nil) != refuses || o.Verdict != want:
				t.Errorf("%+v, %v", o, err)
			case refuses && !(strings.Contains(err.Error(), "R$ 1234,49") && strings.Contains(err.Error(), "R$ 1234,50") && strings.Contains(err.Error(), "000100")):
				t.Errorf("neither both amounts nor the NSU: %v", err)
			}
			if !refuses {
				if o.NSU == "" || o.Message != "Foi cobrado outro valor: R$ 1234,49 em vez de R$ 1234,50 (NSU "+o.NSU+"); foi devolvido" {
					t.Errorf("%+v", o)
				}
				return
			}
			p.next(paysim.CancelRefused, paysim.OnCancel)
			if o, err := a.Settle(t.Context(), tx); err == nil {
				t.Errorf("settled: %+v", o)
			}
		})
	}
}

// The same, as the simulator plays it.
func TestAnotherAmountAtTheTerminal(t *testing.T) {
	atCounter(t, func(t *testing.T, p *shop, a *controlpay.Acquirer) {
		o, err := a.Pay(t.Context(), charge(attempt(1, inThree), p.pays(paysim.OtherAmount)))
		if err != nil || o.Verdict != payment.Declined || !strings.HasPrefix(o.Message, "Foi cobrado outro valor: R$ 1235,50 em vez de R$ 1234,50") {
			t.Errorf("%+v, %v", o, err)
		}
		if b, err := paysim.ReadBalance(p.ledger); err != nil || len(b.Sums) != 1 || b.Sums[0].Amount != "1235.50" || b.Sums[0].Standing() != money.Zero {
			t.Errorf("the books: %+v, %v", b, err)
		}
	})
}

// Somebody between who sends a request twice makes two sales of one reference: neither is taken for the payment.
func TestTwoSales(t *testing.T) {
	atCounter(t, func(t *testing.T, p *shop, _ *controlpay.Acquirer) {
		p.config.Network.Wrap = func(next http.RoundTripper) http.RoundTripper {
			return remotetest.RoundTrip(func(r *http.Request) (*http.Response, error) {
				if !strings.HasPrefix(r.URL.Path, "/Venda/Vender") {
					return next.RoundTrip(r)
				}
				body := remotetest.Overhear(r)
				for range 2 {
					r.Body = io.NopCloser(strings.NewReader(body))
					if res, err := next.RoundTrip(r); err == nil {
						res.Body.Close()
					}
				}
				return nil, errors.New("cut off")
			})
		}
		a := p.open()
		defer a.Close()
		tx := attempt(1, inThree)
		if o, err := a.Pay(t.Context(), charge(tx, func(payment.Prompt) {})); err == nil {
			t.Errorf("%+v", o)
		}
		for p.account.End(0, "") == nil { // both are paid, one after the other
			time.Sleep(time.Second)
		}
		if o, err := a.Settle(t.Context(), tx); err == nil {
			t.Errorf("settled one of two: %+v", o)
		}
	})
}

func (p *shop) open() *controlpay.Acquirer {
	p.t.Helper()
	a, err := controlpay.New(p.config)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

func (p *shop) next(kind httpsim.Misdeed, on httpsim.Call) {
	p.t.Helper()
	if err := p.account.Next(httpsim.Misbehaviour{Kind: kind, On: on, Times: 1}); err != nil {
		p.t.Fatal(err)
	}
}

func TestConfigurations(t *testing.T) {
	good := controlpay.Config{Key: key, Terminal: 1, Device: "1"}
	for _, c := range []struct {
		change func(*controlpay.Config)
		want   error
	}{
		{func(*controlpay.Config) {}, nil},
		{func(c *controlpay.Config) { c.Key = "" }, controlpay.ErrNoKey},
		{func(c *controlpay.Config) { c.Key = "two words" }, controlpay.ErrKey},
		{func(c *controlpay.Config) { c.Terminal = 0 }, controlpay.ErrNoTerminal},
	} {
		config := good
		c.change(&config)
		a, err := controlpay.New(config)
		if !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", config, err, c.want)
		}
		if err == nil {
			a.Close()
		}
	}
}
