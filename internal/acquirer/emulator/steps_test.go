package emulator_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/payment"
)

// at returns what the screen shows, which must be the step.
func (c *counter) at(step payment.Step) payment.Prompt {
	c.t.Helper()
	synctest.Wait()
	if len(c.shown) == 0 || c.shown[len(c.shown)-1].Step != step {
		c.t.Fatalf("shown %+v, want %q at last", c.shown, step)
	}
	p := c.shown[len(c.shown)-1]
	if p.Cancellable != (step != payment.StepProcessing) {
		c.t.Fatalf("%s: cancellable %v", step, p.Cancellable)
	}
	return p
}

func (c *counter) act(a payment.Action) {
	c.person <- a
	synctest.Wait()
}

func (c *counter) present(card emulator.Card) {
	c.t.Helper()
	if err := c.PresentCard(card); err != nil {
		c.t.Fatalf("%+v: %v", card, err)
	}
	synctest.Wait()
}

// noCard checks that the operation takes no card now.
func (c *counter) noCard() {
	c.t.Helper()
	if err := c.PresentCard(emulator.Card{Entry: emulator.Tap}); !errors.Is(err, emulator.ErrNothingWaiting) {
		c.t.Fatalf("a card was taken: %v", err)
	}
}

var typedPIN = payment.Action{Kind: payment.ActPIN}

func TestWhenAPINIsAsked(t *testing.T) {
	for _, c := range []struct {
		entry  emulator.Entry
		method payment.Method
		amount string
		pin    bool
	}{
		{emulator.Insert, payment.Credit, "1", true},
		{emulator.Insert, payment.Debit, "1", true},
		{emulator.Tap, payment.Credit, "200", false},
		{emulator.Tap, payment.Credit, "200.01", true},
		{emulator.Tap, payment.Debit, "1", true},
		{emulator.Swipe, payment.Credit, "200.00", false},
		{emulator.Swipe, payment.Debit, "1", true},
	} {
		atCounter(t, func(k *counter) {
			done := k.begin(context.Background(), attempt(1, c.amount, c.method))
			k.at(payment.StepCard)
			k.present(emulator.Card{Entry: c.entry})
			if c.pin {
				k.at(payment.StepPIN)
				k.noCard()
				k.act(typedPIN)
			}
			k.at(payment.StepProcessing)
			k.noCard()
			if o := k.is(<-done, payment.Accepted); o.PaidWith != c.method || o.Installments != 0 {
				t.Errorf("%+v: %+v", c, o)
			}
			if steps := len(k.shown); (steps == 3) != c.pin {
				t.Errorf("%+v: shown %+v", c, k.shown)
			}
		})
	}
}

func TestThePersonChooses(t *testing.T) {
	atCounter(t, func(c *counter) {
		done := c.begin(context.Background(), attempt(1, "17.50", payment.AnyMethod))
		want := []payment.Method{payment.Credit, payment.Debit, payment.Pix}
		if p := c.at(payment.StepChoose); !slices.Equal(p.Methods, want) || p.Method != "" {
			t.Errorf("choose: %+v", p)
		}
		c.act(payment.Action{Kind: payment.ActChoose, Method: payment.Credit})
		if p := c.at(payment.StepInstallments); !slices.Equal(p.Installments, []int{1, 2, 3}) || p.Method != payment.Credit {
			t.Errorf("instalments: %+v", p)
		}
		c.noCard()
		c.act(payment.Action{Kind: payment.ActInstallments, Installments: 3})
		if p := c.at(payment.StepCard); p.Method != payment.Credit || p.Agreed != 3 {
			t.Errorf("card: %+v", p)
		}
		c.present(emulator.Card{Entry: emulator.Tap, PaidVia: payment.Debit}) // the person has chosen already
		o := c.is(<-done, payment.Accepted)
		if o.PaidWith != payment.Credit || o.Installments != 3 || !strings.Contains(o.Receipt.Customer, "PARCELAS                             3") {
			t.Errorf("%+v", o)
		}
	})
}

func TestInstallmentsAreAskedOnlyWhereThereIsAChoice(t *testing.T) {
	for _, c := range []struct {
		amount    string
		requested int
		method    payment.Method
		options   []int
		agreed    int
	}{
		{"9.99", 1, payment.Credit, nil, 1},
		{"10", 1, payment.Credit, []int{1, 2}, 0},
		{"59.99", 1, payment.Credit, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 0},
		{"5000", 1, payment.Credit, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 0},
		{"5000", 4, payment.Credit, nil, 4},
		{"5000", 4, payment.Debit, nil, 1},
	} {
		atCounter(t, func(k *counter) {
			tx := attempt(1, c.amount, payment.AnyMethod)
			tx.Request.Installments = c.requested
			done := k.begin(context.Background(), tx)
			k.act(payment.Action{Kind: payment.ActChoose, Method: c.method})
			if c.options != nil {
				if p := k.at(payment.StepInstallments); !cmp.Equal(p.Installments, c.options) {
					t.Errorf("%+v: %v", c, p.Installments)
				}
			} else if p := k.at(payment.StepCard); p.Agreed != c.agreed || p.Method != c.method {
				t.Errorf("%+v: %+v", c, p)
			}
			k.Reset()
			k.is(<-done, payment.Abandoned)
		})
	}
}

// A card on the screen that asks how to pay is an answer too.
func TestACardChooses(t *testing.T) {
	for _, c := range []struct{ says, means payment.Method }{{"", payment.Credit}, {payment.Credit, payment.Credit}, {payment.Debit, payment.Debit}} {
		atCounter(t, func(k *counter) {
			done := k.begin(context.Background(), attempt(1, "100", payment.AnyMethod))
			k.at(payment.StepChoose)
			k.present(emulator.Card{Entry: emulator.Insert, PaidVia: c.says})
			if p := k.at(payment.StepPIN); p.Method != c.means || p.Agreed != 1 {
				t.Errorf("%+v: %+v", c, p)
			}
			k.act(typedPIN)
			if o := k.is(<-done, payment.Accepted); o.PaidWith != c.means || o.Installments != 1 {
				t.Errorf("%+v: %+v", c, o)
			}
		})
	}
}

func TestACardHasItsOwnOutcome(t *testing.T) {
	atCounter(t, func(c *counter) {
		c.Script(emulator.Reply{Ending: emulator.Refuse, Message: "programado"}, 1)
		pay := func(id int64, amount string, r *emulator.Reply) ended {
			done := c.begin(context.Background(), attempt(id, amount, payment.Credit))
			c.present(emulator.Card{Entry: emulator.Tap, Reply: r})
			return <-done
		}
		c.is(pay(1, "0.51", &emulator.Reply{Ending: emulator.Approve}), payment.Accepted)
		if o := c.is(pay(2, "1", &emulator.Reply{Ending: emulator.Refuse, Message: "do cartão"}), payment.Declined); o.Message != "do cartão" {
			t.Errorf("message %q", o.Message)
		}
		if o := c.is(pay(3, "1", &emulator.Reply{Ending: emulator.Offline}), payment.Declined); o.Message != "Adquirente fora do ar" {
			t.Errorf("message %q", o.Message)
		}
		c.is(pay(4, "1", &emulator.Reply{Ending: emulator.Cancel}), payment.Abandoned)
		if e := pay(5, "1", &emulator.Reply{Ending: emulator.Timeout}); e.err == nil {
			t.Errorf("%+v, want silence", e)
		}
		// None of them has used the script up.
		if o := c.is(pay(6, "1", nil), payment.Declined); o.Message != "programado" {
			t.Errorf("message %q", o.Message)
		}
		if o := c.is(pay(7, "0.51", nil), payment.Declined); o.Message != "Saldo insuficiente" {
			t.Errorf("message %q", o.Message)
		}
		// Whoever goes on for the person goes on with the card that is in.
		done := c.begin(context.Background(), attempt(8, "1", payment.Credit))
		c.present(emulator.Card{Entry: emulator.Insert, Reply: &emulator.Reply{Ending: emulator.Refuse, Message: "do cartão"}})
		serial, _ := c.Waiting()
		c.Proceed(serial)
		if o := c.is(<-done, payment.Declined); o.Message != "do cartão" {
			t.Errorf("message %q", o.Message)
		}
	})
}

func TestPixExpires(t *testing.T) {
	atCounter(t, func(c *counter) {
		began := time.Now()
		done := c.begin(context.Background(), attempt(1, "10", payment.AnyMethod))
		time.Sleep(time.Minute) // choosing takes nothing off its time
		c.act(payment.Action{Kind: payment.ActChoose, Method: payment.Pix})
		p := c.at(payment.StepPix)
		if p.Method != payment.Pix || !strings.HasPrefix(p.BRCode, "000201") || p.ExpiresAt.Sub(began) != 6*time.Minute {
			t.Errorf("pix: %+v", p)
		}
		c.noCard()
		time.Sleep(5*time.Minute - time.Nanosecond)
		if len(done) != 0 {
			t.Fatal("expired too early")
		}
		if o := c.is(<-done, payment.Abandoned); o.Message != "PIX expirado" || o.PaidWith != payment.Pix || time.Since(began) != 6*time.Minute {
			t.Errorf("after %v: %+v", time.Since(began), o)
		}
		if _, waiting := c.Waiting(); waiting {
			t.Error("a person is still waited for")
		}
	})
}

// Each step of a payment, and how to get there.
var ways = map[payment.Step]struct {
	method payment.Method
	walk   func(*counter)
}{
	payment.StepChoose:       {payment.AnyMethod, func(*counter) {}},
	payment.StepInstallments: {payment.AnyMethod, func(c *counter) { c.act(payment.Action{Kind: payment.ActChoose, Method: payment.Credit}) }},
	payment.StepCard:         {payment.Credit, func(*counter) {}},
	payment.StepPIN:          {payment.Debit, func(c *counter) { c.present(emulator.Card{Entry: emulator.Tap}) }},
	payment.StepPix:          {payment.Pix, func(*counter) {}},
}

func TestEveryStepCanBeEnded(t *testing.T) {
	for step, way := range ways {
		for name, end := range map[string]struct {
			do      func(*counter)
			verdict payment.Verdict
		}{
			"the person cancels": {func(c *counter) { c.act(payment.Action{Kind: payment.ActCancel}) }, payment.Abandoned},
			"reset":              {func(c *counter) { c.Reset() }, payment.Abandoned},
			"refused":            {func(c *counter) { _ = c.Decide(emulator.Decision{Forced: &emulator.Reply{Ending: emulator.Refuse}}) }, payment.Declined},
			"paid":               {func(c *counter) { _ = c.Decide(emulator.Decision{}) }, payment.Accepted},
			"the autopilot": {func(c *counter) {
				serial, _ := c.Waiting()
				c.Proceed(serial)
			}, payment.Accepted},
		} {
			atCounter(t, func(c *counter) {
				done := c.begin(context.Background(), attempt(1, "50", way.method))
				serial, _ := c.Waiting()
				way.walk(c)
				c.at(step)
				if now, waiting := c.Waiting(); !waiting || now != serial {
					t.Errorf("%s: waiting %v as %d, at first %d", step, waiting, now, serial)
				}
				end.do(c)
				synctest.Wait()
				select {
				case e := <-done:
					c.is(e, end.verdict)
				default:
					t.Fatalf("%s, %s: still waiting", step, name)
				}
				if err := c.Decide(emulator.Decision{}); !errors.Is(err, emulator.ErrNothingWaiting) {
					t.Errorf("%s, %s: %v", step, name, err)
				}
			})
		}
	}
}

// What was chosen on the screen is not chosen again by whoever settles the payment.
func TestDecidingKeepsWhatWasChosen(t *testing.T) {
	atCounter(t, func(c *counter) {
		done := c.begin(context.Background(), attempt(1, "50", payment.AnyMethod))
		c.act(payment.Action{Kind: payment.ActChoose, Method: payment.Pix})
		_ = c.Decide(emulator.Decision{PaidVia: payment.Credit})
		if o := c.is(<-done, payment.Accepted); o.PaidWith != payment.Pix || o.TxID == "" || o.Installments != 1 {
			t.Errorf("%+v", o)
		}
		done = c.begin(context.Background(), attempt(2, "50", payment.AnyMethod))
		c.act(payment.Action{Kind: payment.ActChoose, Method: payment.Credit})
		c.act(payment.Action{Kind: payment.ActInstallments, Installments: 5})
		_ = c.Decide(emulator.Decision{})
		if o := c.is(<-done, payment.Accepted); o.PaidWith != payment.Credit || o.Installments != 5 {
			t.Errorf("%+v", o)
		}
	})
}

func TestReversalIsConfirmed(t *testing.T) {
	atCounter(t, func(c *counter) {
		tx := attempt(1, "10", payment.Credit)
		c.is(c.proceed(tx), payment.Accepted)
		done := c.begin(context.Background(), giving(tx, 1))
		c.at(payment.StepConfirm)
		c.noCard()
		c.act(payment.Action{Kind: payment.ActCancel})
		c.is(<-done, payment.Abandoned)
		done = c.begin(context.Background(), giving(tx, 2))
		c.at(payment.StepConfirm)
		c.act(payment.Action{Kind: payment.ActConfirm})
		c.is(<-done, payment.Accepted)
	})
}
