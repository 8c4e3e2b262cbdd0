package emulator_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/payment"
)

// What payment.Acquirer promises, whoever fills it: the desk's rules stand on these.

func TestUnansweredChargeIsUndoneForGood(t *testing.T) {
	atCounter(t, func(c *counter) {
		tx := attempt(1, "10", payment.Credit)
		c.is(c.proceed(tx), payment.Accepted)
		c.settles(tx, payment.Abandoned) // the answer was lost on its way
		c.settles(tx, payment.Abandoned)
		c.reopen()
		c.settles(tx, payment.Abandoned)
		c.is(c.proceed(tx), payment.Abandoned) // a late one charges nothing
		c.settles(tx, payment.Abandoned)
	})
}

func TestSettlingRulesALateChargeOut(t *testing.T) {
	atCounter(t, func(c *counter) {
		tx := attempt(1, "10", payment.Credit)
		late := c.begin(context.Background(), tx)
		c.settles(tx, payment.Abandoned)
		if err := c.Decide(emulator.Decision{}); err != nil {
			t.Fatal(err)
		}
		c.is(<-late, payment.Abandoned)
		c.is(c.proceed(attempt(2, "10", payment.Credit)), payment.Accepted) // others are not concerned
	})
}

func TestUnansweredReversalStandsIfItWasMade(t *testing.T) {
	atCounter(t, func(c *counter) {
		tx := attempt(1, "10", payment.Credit)
		c.is(c.proceed(tx), payment.Accepted)
		back := giving(tx, 1)
		made := c.is(c.proceed(back), payment.Accepted)
		for range 2 {
			if o := c.settles(back, payment.Accepted); o.NSU != made.NSU || o.NSU == "" {
				t.Errorf("settled with NSU %q, made with %q", o.NSU, made.NSU)
			}
			c.reopen()
		}
	})
}

func TestReversalGivenUpMayBeMadeAnew(t *testing.T) {
	atCounter(t, func(c *counter) {
		tx := attempt(1, "10", payment.Credit)
		c.is(c.proceed(tx), payment.Accepted)
		first := giving(tx, 1)
		late := c.begin(context.Background(), first)
		c.settles(first, payment.Abandoned)
		if err := c.Decide(emulator.Decision{}); err != nil {
			t.Fatal(err)
		}
		c.is(<-late, payment.Abandoned)
		c.settles(first, payment.Abandoned)
		c.is(c.proceed(giving(tx, 2)), payment.Accepted)
		c.reopen()
		c.settles(first, payment.Abandoned)
		c.settles(giving(tx, 2), payment.Accepted)
	})
}

func TestCancelledContextEndsTheWait(t *testing.T) {
	atCounter(t, func(c *counter) {
		for id, stage := range []string{"person", "host"} {
			tx := attempt(int64(id+1), "10", payment.Credit)
			ctx, cancel := context.WithCancel(context.Background())
			done := c.begin(ctx, tx)
			if stage == "host" {
				if err := c.Decide(emulator.Decision{Forced: &emulator.Reply{Ending: emulator.Approve, Delay: time.Hour}}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
			}
			cancel()
			synctest.Wait()
			select {
			case e := <-done:
				if !errors.Is(e.err, context.Canceled) {
					t.Errorf("%s: %v", stage, e.err)
				}
			default:
				t.Fatalf("%s: still waiting", stage)
			}
			if _, waiting := c.Waiting(); waiting {
				t.Errorf("%s: a person is still waited for", stage)
			}
			if err := c.Decide(emulator.Decision{}); !errors.Is(err, emulator.ErrNothingWaiting) {
				t.Errorf("%s: %v", stage, err)
			}
			c.settles(tx, payment.Abandoned)
		}
	})
}

func TestNSUsAreNeverUsedTwice(t *testing.T) {
	atCounter(t, func(c *counter) {
		last := ""
		for id := int64(1); id <= 6; id++ {
			tx := attempt(id, "10", payment.Debit)
			for _, op := range []payment.Transaction{tx, giving(tx, 1)} {
				o := c.is(c.proceed(op), payment.Accepted)
				if len(o.NSU) != 9 || o.NSU <= last {
					t.Fatalf("NSU %q after %q", o.NSU, last)
				}
				last = o.NSU
			}
			c.reopen()
		}
	})
}

// What is the emulator's own.

func TestMagicAmounts(t *testing.T) {
	atCounter(t, func(c *counter) {
		for id, want := range []struct {
			amount  string
			verdict payment.Verdict
			message string
		}{
			{"0.51", payment.Declined, "Saldo insuficiente"},
			{"0.54", payment.Declined, "Cartão vencido"},
			{"0.55", payment.Declined, "Senha inválida"},
			{"0.57", payment.Abandoned, ""},
			{"0.91", payment.Declined, "Emissor fora do ar"},
			{"0.510", payment.Declined, "Saldo insuficiente"},
			{"0.50", payment.Accepted, ""},
			{"1.51", payment.Accepted, ""},
			{"51", payment.Accepted, ""},
			{"0.98", "", ""},
		} {
			tx := attempt(int64(id+1), want.amount, payment.Credit)
			e := c.proceed(tx)
			if want.verdict == "" {
				if e.err == nil {
					t.Errorf("%s: %+v, want silence", want.amount, e)
				}
				continue
			}
			if o := c.is(e, want.verdict); o.Message != want.message {
				t.Errorf("%s: %q", want.amount, o.Message)
			}
			// A reversal goes by no magic: the amount is the payment's.
			c.is(c.proceed(giving(tx, 1)), payment.Accepted)
		}
	})
}

func TestSilenceLastsTenSeconds(t *testing.T) {
	atCounter(t, func(c *counter) {
		tx := attempt(1, "0.98", payment.Credit)
		if e := c.proceed(tx); e.err == nil {
			t.Fatalf("%+v", e)
		}
		for range 10 {
			if o, err := c.Settle(context.Background(), tx); err == nil {
				t.Fatalf("spoke too early: %+v", o)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(time.Nanosecond)
		c.settles(tx, payment.Abandoned)

		second := attempt(2, "0.98", payment.Credit)
		c.proceed(second)
		c.Reset()
		c.settles(second, payment.Abandoned)
	})
}

func TestScript(t *testing.T) {
	atCounter(t, func(c *counter) {
		c.Script(emulator.Reply{Ending: emulator.Refuse, Message: "não"}, 2)
		c.Script(emulator.Reply{Ending: emulator.Offline}, 1)
		c.Script(emulator.Reply{Ending: emulator.Approve, Delay: 3 * time.Second}, 1)
		c.Script(emulator.Reply{Ending: emulator.Refuse}, 1)
		for id := range int64(2) {
			if o := c.is(c.proceed(attempt(id+1, "10", payment.Credit)), payment.Declined); o.Message != "não" {
				t.Errorf("message %q", o.Message)
			}
		}
		// What is forced goes by no script, and uses none up.
		c.is(c.decide(attempt(3, "10", payment.Credit), emulator.Decision{Forced: &emulator.Reply{Ending: emulator.Cancel}}), payment.Abandoned)
		if o := c.is(c.proceed(attempt(4, "10", payment.Credit)), payment.Declined); o.Message != "Adquirente fora do ar" {
			t.Errorf("offline: %q", o.Message)
		}
		began := time.Now()
		c.is(c.proceed(attempt(5, "0.51", payment.Credit)), payment.Accepted) // the script outdoes the amount
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("took %v", took)
		}
		c.Reset()
		c.is(c.proceed(attempt(6, "10", payment.Credit)), payment.Accepted)
	})
}

func TestResetCancelsWhatWaits(t *testing.T) {
	atCounter(t, func(c *counter) {
		c.Reset() // with nothing there
		done := c.begin(context.Background(), attempt(1, "10", payment.Credit))
		c.Reset()
		c.is(<-done, payment.Abandoned)
	})
}

func TestProceedMeansOneOperation(t *testing.T) {
	atCounter(t, func(c *counter) {
		if serial, waiting := c.Waiting(); waiting {
			t.Fatalf("%d waits", serial)
		}
		first := c.begin(context.Background(), attempt(1, "10", payment.Credit))
		serial, waiting := c.Waiting()
		if !waiting {
			t.Fatal("nobody is waited for")
		}
		c.Proceed(serial + 1)
		if _, waiting := c.Waiting(); !waiting {
			t.Fatal("a number of another operation settled this one")
		}
		c.Proceed(serial)
		c.Proceed(serial)
		c.is(<-first, payment.Accepted)
		second := c.begin(context.Background(), attempt(2, "10", payment.Credit))
		c.Proceed(serial) // late
		synctest.Wait()
		next, waiting := c.Waiting()
		if !waiting || next == serial {
			t.Fatalf("serial %d again, waiting %v", next, waiting)
		}
		c.Proceed(next)
		c.is(<-second, payment.Accepted)
	})
}

func TestOutcomesByMethod(t *testing.T) {
	atCounter(t, func(c *counter) {
		card := c.is(c.proceed(attempt(1, "1234.5", payment.Credit)), payment.Accepted)
		if card.PaidWith != payment.Credit || card.Authorization == "" || card.Brand == "" || len(card.AcquirerCNPJ) != 14 || card.TxID != "" || card.EndToEndID != "" {
			t.Errorf("card: %+v", card)
		}
		for _, slip := range []string{card.Receipt.Customer, card.Receipt.Merchant} {
			if !strings.Contains(slip, "1234,50") || !strings.Contains(slip, card.NSU) || !strings.Contains(slip, "SEM VALOR") {
				t.Errorf("slip:\n%s", slip)
			}
		}
		pix := c.is(c.proceed(attempt(2, "10", payment.Pix)), payment.Accepted)
		if pix.PaidWith != payment.Pix || pix.Authorization != "" || pix.Brand != "" ||
			!regexp.MustCompile(`^[A-Za-z0-9]{26,35}$`).MatchString(pix.TxID) || !regexp.MustCompile(`^E\d{8}\d{12}[A-Z0-9]{11}$`).MatchString(pix.EndToEndID) {
			t.Errorf("pix: %+v", pix)
		}
		chosen := c.is(c.decide(attempt(3, "10", payment.AnyMethod), emulator.Decision{PaidVia: payment.Pix}), payment.Accepted)
		if chosen.PaidWith != payment.Pix || chosen.TxID == "" || chosen.TxID == pix.TxID {
			t.Errorf("chosen: %+v", chosen)
		}
		if o := c.is(c.proceed(attempt(4, "10", payment.AnyMethod)), payment.Accepted); o.PaidWith != payment.Credit {
			t.Errorf("not chosen: %+v", o)
		}
		if o := c.is(c.decide(attempt(5, "10", payment.Debit), emulator.Decision{PaidVia: payment.Pix}), payment.Accepted); o.PaidWith != payment.Debit {
			t.Errorf("the caller's choice was not kept: %+v", o)
		}
	})
}

func TestPrompts(t *testing.T) {
	for method, step := range map[payment.Method]payment.Step{
		payment.Credit: payment.StepCard, payment.Debit: payment.StepCard, payment.Pix: payment.StepPix, payment.AnyMethod: payment.StepChoose,
	} {
		atCounter(t, func(c *counter) {
			tx := attempt(1, "10", method)
			c.is(c.proceed(tx), payment.Accepted)
			if len(c.shown) != 2 || c.shown[0].Step != step || c.shown[1].Step != payment.StepProcessing {
				t.Fatalf("%s: shown %+v", method, c.shown)
			}
			if code := c.shown[0].BRCode; (method == payment.Pix) != strings.HasPrefix(code, "000201") {
				t.Errorf("%s: BR Code %q", method, code)
			}
			c.shown = nil
			back := c.is(c.proceed(giving(tx, 1)), payment.Accepted)
			if len(c.shown) != 2 || c.shown[0].Step != payment.StepConfirm {
				t.Errorf("reversal: shown %+v", c.shown)
			}
			for side, slip := range map[string]string{"VIA DO CLIENTE": back.Receipt.Customer, "VIA DO ESTABELECIMENTO": back.Receipt.Merchant} {
				if !strings.Contains(slip, side) || !strings.Contains(slip, "COMPROVANTE DE ESTORNO") || !strings.Contains(slip, back.NSU) {
					t.Errorf("slip of the reversal:\n%s", slip)
				}
			}
		})
	}
}
