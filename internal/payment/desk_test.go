package payment_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

var exactly = cmp.Comparer(func(a, b money.Decimal) bool { return a.String() == b.String() })

func TestForegroundWait(t *testing.T) {
	inBubble(t, func(m *terminal) {
		h := m.holdPay("r")
		if s, ok := m.Shown(); !ok || s.Kind != payment.Payment || s.Prompt.Step != payment.StepWaiting || s.Request.Reference != "r" {
			t.Fatalf("shown: %+v, %v", s, ok)
		}
		if !m.gate.Busy() {
			t.Error("the wait does not hold the terminal")
		}
		time.Sleep(15*time.Second - time.Nanosecond)
		synctest.Wait()
		if h.isOver() {
			t.Fatalf("ended after %v with %v", h.took, h.err)
		}
		<-h.done
		if !errors.Is(h.err, payment.ErrBackground) || h.took != 15*time.Second {
			t.Fatalf("ended after %v with %v", h.took, h.err)
		}
		m.idle()
		m.attempts(0)
		m.asked("pay", &m.bank.paid, 0)
	})
}

func TestForegroundInTime(t *testing.T) {
	inBubble(t, func(m *terminal) {
		h := m.holdPay("r")
		time.Sleep(15*time.Second - time.Nanosecond)
		close(m.front.open)
		<-h.done
		if h.err != nil || h.tx.Status() != payment.Approved {
			t.Fatalf("%v, %v", h.tx.Status(), h.err)
		}
		m.kept(1, payment.Approved)
	})
}

// Where a window of the acquirer's own, or a device, does the talking nobody has to have the page open. A choice is made on it.
func TestTalkedOverElsewhere(t *testing.T) {
	inBubble(t, func(m *terminal) {
		m.Close()
		m.elsewhere = []payment.Kind{payment.Payment}
		m.start()
		if tx, err := m.Pay(context.Background(), request("r")); err != nil || tx.Status() != payment.Approved {
			t.Fatalf("%v, %v", tx.Status(), err)
		}
		open := request("open")
		open.Method = payment.AnyMethod
		if _, err := m.Pay(context.Background(), open); !errors.Is(err, payment.ErrBackground) {
			t.Errorf("with a choice: %v", err)
		}
		if _, err := m.Reverse(context.Background(), whole("r")); !errors.Is(err, payment.ErrBackground) {
			t.Errorf("a reversal, which is talked over here: %v", err)
		}
		m.Close()
		m.elsewhere = []payment.Kind{payment.Payment, payment.Refund}
		m.start()
		if r, err := m.Reverse(context.Background(), whole("r")); err != nil || r.Outcome.Verdict != payment.Accepted {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestReversalWaitsForTheForegroundToo(t *testing.T) {
	inBubble(t, func(m *terminal) {
		paid := request("r")
		if _, err := m.ledger.Begin(payment.Transaction{Request: paid, Acquirer: "bank", State: payment.StateConfirmed}); err != nil {
			t.Fatal(err)
		}
		h := m.holdReverse("r")
		if s, ok := m.Shown(); !ok || s.Kind != payment.Refund || s.Prompt.Step != payment.StepWaiting {
			t.Fatalf("shown: %+v, %v", s, ok)
		}
		<-h.done
		if !errors.Is(h.err, payment.ErrBackground) || h.took != 15*time.Second {
			t.Fatalf("ended after %v with %v", h.took, h.err)
		}
		m.idle()
		m.kept(1, payment.Approved)
		m.asked("reverse", &m.bank.repaid, 0)
	})
}

func TestHangUpDuringTheWait(t *testing.T) {
	inBubble(t, func(m *terminal) {
		h := m.holdPay("r")
		time.Sleep(7 * time.Second)
		h.hangUp()
		<-h.done
		if !errors.Is(h.err, context.Canceled) || h.took != 7*time.Second {
			t.Fatalf("ended after %v with %v", h.took, h.err)
		}
		m.idle()
		close(m.front.open)
		time.Sleep(time.Minute)
		m.attempts(0)
		m.asked("pay", &m.bank.paid, 0)
	})
}

func TestHangUpAfterTheWait(t *testing.T) {
	inFront(t, func(m *terminal) {
		customer := make(chan struct{})
		m.bank.pay = func(ctx context.Context, _ payment.Charge) (payment.Outcome, error) {
			select {
			case <-customer:
				return ending(payment.Accepted), nil
			case <-ctx.Done():
				return payment.Outcome{}, ctx.Err()
			}
		}
		h := m.holdPay("r")
		m.kept(1, payment.Pending) // before the bank is asked
		h.hangUp()
		<-h.done
		if !errors.Is(h.err, context.Canceled) {
			t.Fatal(h.err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if _, ok := m.Shown(); !ok || !m.gate.Busy() {
			t.Fatal("the payment ended with its caller")
		}
		if _, err := m.Pay(context.Background(), request("other")); !errors.Is(err, operation.ErrBusy) {
			t.Fatalf("a second payment: %v", err)
		}
		close(customer)
		m.idle()
		m.kept(1, payment.Approved)
		m.pay("r", payment.Approved, nil) // the caller comes back for the answer
		m.asked("pay", &m.bank.paid, 1)
	})
}

func TestOneOperationAtATime(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("old", payment.Approved, nil)
		customer := make(chan struct{})
		m.bank.pay = func(context.Context, payment.Charge) (payment.Outcome, error) {
			<-customer
			return ending(payment.Accepted), nil
		}
		h := m.holdPay("r")
		for _, reference := range []string{"r", "other", "old", ""} {
			if _, err := m.Pay(context.Background(), request(reference)); !errors.Is(err, operation.ErrBusy) {
				t.Errorf("Pay %q: %v", reference, err)
			}
		}
		if _, err := m.Reverse(context.Background(), whole("old")); !errors.Is(err, operation.ErrBusy) {
			t.Errorf("Reverse: %v", err)
		}
		if found, err := m.Find("r"); err != nil || found.Status() != payment.Pending {
			t.Errorf("looked at while it runs: %v, %v", found.Status(), err)
		}
		// What is wrong with a request is said before the terminal is looked at.
		if _, err := m.Pay(context.Background(), payment.Request{}); !errors.Is(err, operation.ErrNotPositive) {
			t.Errorf("a bad request while busy: %v", err)
		}
		close(customer)
		<-h.done
		m.idle()
		m.asked("pay", &m.bank.paid, 2)

		leave, err := m.gate.Enter() // a print, say
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Pay(context.Background(), request("late")); !errors.Is(err, operation.ErrBusy) {
			t.Errorf("while the printer has the terminal: %v", err)
		}
		leave()
		m.pay("late", payment.Approved, nil)
	})
}

func TestStepsShow(t *testing.T) {
	inFront(t, func(m *terminal) {
		customer := make(chan struct{})
		m.bank.pay = func(_ context.Context, c payment.Charge) (payment.Outcome, error) {
			for _, step := range []payment.Step{payment.StepPix, payment.StepProcessing} {
				c.Show(payment.Prompt{Step: step, BRCode: "br" + string(step)})
				<-customer
			}
			return ending(payment.Accepted), nil
		}
		h := m.holdPay("r")
		for _, step := range []payment.Step{payment.StepPix, payment.StepProcessing} {
			synctest.Wait()
			want := payment.Shown{
				Kind: payment.Payment, Request: request("r"), Amount: request("r").Amount, Method: payment.Credit, Installments: 1,
				Prompt: payment.Prompt{Step: step, BRCode: "br" + string(step)},
			}
			if s, ok := m.Shown(); !ok || !cmp.Equal(want, s, exactly, cmpopts.IgnoreFields(payment.Shown{}, "Operation", "Since", "Serial")) {
				t.Errorf("shown: %+v, %v", s, ok)
			}
			customer <- struct{}{}
		}
		<-h.done
		m.idle()
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.changes != 4 {
			t.Errorf("the screen was told of %d changes", m.changes)
		}
	})
}

func TestCloseDuringTheWait(t *testing.T) {
	inBubble(t, func(m *terminal) {
		h := m.holdPay("r")
		m.Close()
		<-h.done
		if !errors.Is(h.err, operation.ErrStopping) || h.took != 0 {
			t.Fatalf("ended after %v with %v", h.took, h.err)
		}
		m.attempts(0)
		if _, err := m.Pay(context.Background(), request("late")); !errors.Is(err, operation.ErrStopping) {
			t.Errorf("Pay after Close: %v", err)
		}
		m.idle()
		m.Close() // again is no harm
	})
}

// The bank could settle at once, but the caller is told that nobody knows: the next start has the last word.
func TestCloseDuringAPayment(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay = func(ctx context.Context, _ payment.Charge) (payment.Outcome, error) {
			<-ctx.Done()
			return payment.Outcome{}, ctx.Err()
		}
		h := m.holdPay("r")
		m.Close()
		<-h.done
		if !errors.Is(h.err, payment.ErrUnknown) {
			t.Fatal(h.err)
		}
		m.kept(1, payment.Pending)
		m.idle()
		m.start()
		m.kept(1, payment.Cancelled)
		m.asked("settle", &m.bank.settled, 1)
	})
}

func TestCloseDuringAReversal(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("r", payment.Approved, nil)
		m.bank.reverse = func(ctx context.Context, _ payment.Charge) (payment.Outcome, error) {
			<-ctx.Done()
			return payment.Outcome{}, ctx.Err()
		}
		h := m.holdReverse("r")
		m.Close()
		<-h.done
		if !errors.Is(h.err, payment.ErrUnknown) {
			t.Fatal(h.err)
		}
		m.kept(1, payment.Pending)
		m.bank.setSettle(settles(payment.Accepted))
		m.start()
		if tx := m.kept(1, payment.Reversed); tx.LastReversal().NSU != "7" {
			t.Errorf("reversals %+v", tx.Reversals)
		}
	})
}

// An acquirer that answers just as the desk closes is believed.
func TestAnswerBeatsClose(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay = func(ctx context.Context, _ payment.Charge) (payment.Outcome, error) {
			<-ctx.Done()
			return ending(payment.Accepted), nil
		}
		h := m.holdPay("r")
		m.Close()
		<-h.done
		if h.err != nil || h.tx.Status() != payment.Approved {
			t.Fatalf("%v, %v", h.tx.Status(), h.err)
		}
		m.kept(1, payment.Approved)
	})
}

func TestNoAcquirer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := &operation.Gate{}
		d := payment.NewDesk(payment.Config{Ledger: &drawer{}, Gate: gate, Changed: func() {}})
		defer d.Close()
		if _, err := d.Pay(context.Background(), request("r")); !errors.Is(err, payment.ErrNoAcquirer) {
			t.Errorf("Pay: %v", err)
		}
		if _, err := d.Reverse(context.Background(), whole("r")); !errors.Is(err, payment.ErrNoAcquirer) {
			t.Errorf("Reverse: %v", err)
		}
		if gate.Busy() {
			t.Error("the terminal is taken")
		}
		if _, err := d.Find("r"); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("Find: %v", err)
		}
	})
}

func TestRequestCheck(t *testing.T) {
	with := func(change func(*payment.Request)) payment.Request {
		r := request("r")
		change(&r)
		return r
	}
	amount := func(s string) payment.Request {
		return with(func(r *payment.Request) { r.Amount = money.MustParse(s) })
	}
	for name, c := range map[string]struct {
		request payment.Request
		field   string
		err     error
	}{
		"plain":           {request("r"), "", nil},
		"a cent":          {amount("0.01"), "", nil},
		"the most":        {amount("9999999.99"), "", nil},
		"trailing zeros":  {amount("1.500"), "", nil},
		"nothing":         {amount("0"), "amount", operation.ErrNotPositive},
		"nothing at all":  {amount("0.00"), "amount", operation.ErrNotPositive},
		"negative":        {amount("-1"), "amount", operation.ErrNotPositive},
		"too fine":        {amount("1.001"), "amount", payment.ErrTooFine},
		"too much":        {amount("10000000"), "amount", operation.ErrTooLarge},
		"no instalments":  {with(func(r *payment.Request) { r.Installments = 0 }), "installments", operation.ErrNotPositive},
		"99 instalments":  {with(func(r *payment.Request) { r.Installments = 99 }), "", nil},
		"100 instalments": {with(func(r *payment.Request) { r.Installments = 100 }), "installments", operation.ErrTooLarge},
		"12 and single":   {with(func(r *payment.Request) { r.Installments = 12 }), "", nil},
	} {
		err := c.request.Check()
		var field *operation.FieldError
		switch {
		case c.err == nil && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.err != nil && (!errors.Is(err, c.err) || !errors.As(err, &field) || field.Field != c.field):
			t.Errorf("%s: %v, want %s: %v", name, err, c.field, c.err)
		}
	}
}
