package payment_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

// returned are the amounts that went back, in order.
func returned(t payment.Transaction) (amounts []string) {
	for _, r := range t.Returned() {
		amounts = append(amounts, r.ID+" "+r.Amount.Cents())
	}
	return amounts
}

// stands checks what went back of an attempt, and what is left of it.
func (m *terminal) stands(id int64, want payment.Status, left string, back ...string) {
	m.t.Helper()
	tx := m.kept(id, want)
	if got := returned(tx); !slices.Equal(got, back) || tx.Left().Cents() != left {
		m.t.Fatalf("%q went back and %s is left; want %q and %s", got, tx.Left().Cents(), back, left)
	}
}

func TestPartsOfAPayment(t *testing.T) {
	inFront(t, func(m *terminal) {
		var asked []string
		m.bank.reverse = func(_ context.Context, c payment.Charge) (payment.Outcome, error) {
			asked = append(asked, c.Operation()+" "+c.LastReversal().Amount.Cents())
			return ending(payment.Accepted), nil
		}
		id := m.pay("r", payment.Approved, nil).ID
		m.giveBack(part("r", "10.01", "a"), "", payment.ErrAboveLeft)
		m.stands(id, payment.Approved, "10.00")

		got := m.giveBack(part("r", "2.50", "a"), payment.Accepted, nil)
		if got.Transaction.State != payment.StateReturned || got.Transaction.Status() != payment.Approved || got.Outcome.NSU != "7" {
			t.Errorf("%+v", got)
		}
		m.giveBack(part("r", "2.50", ""), payment.Accepted, nil) // without an id each is another
		m.stands(id, payment.Approved, "5.00", "a 2.50", " 2.50")
		m.giveBack(part("r", "5.01", "b"), "", payment.ErrAboveLeft)

		// The same again is the stored result, with or without its amount; another amount is another reversal's.
		for _, again := range []payment.RefundRequest{part("r", "2.5", "a"), {Reference: "r", ID: "a"}} {
			if got := m.giveBack(again, payment.Accepted, nil); got.Outcome.NSU != "7" || got.Transaction.Left().Cents() != "5.00" {
				t.Errorf("again: %+v", got)
			}
		}
		m.giveBack(part("r", "5.00", "a"), "", payment.ErrReversalUsed)
		m.pay("r", payment.Approved, nil) // what is left still pays

		// A whole reversal is all that is left.
		if got := m.giveBack(payment.RefundRequest{Reference: "r", ID: "c"}, payment.Accepted, nil); got.Transaction.Status() != payment.Reversed {
			t.Errorf("%+v", got)
		}
		m.stands(id, payment.Reversed, "0.00", "a 2.50", " 2.50", "c 5.00")
		m.giveBack(part("r", "0.01", "d"), "", payment.ErrReversed)
		m.reverse("r", "", payment.ErrReversed)
		m.giveBack(part("r", "2.50", "a"), payment.Accepted, nil)
		m.giveBack(payment.RefundRequest{Reference: "r", ID: "c"}, payment.Accepted, nil)
		if want := []string{"1-r1 2.50", "1-r2 2.50", "1-r3 5.00"}; !slices.Equal(asked, want) {
			t.Errorf("the bank was asked %q, want %q", asked, want)
		}
		m.went(1, "begun sent approved confirmed confirmed reversing sent returned returned reversing sent returned returned reversing sent reversed reversed")
	})
}

func TestAPartThatIsRefusedMayBeAskedForAgain(t *testing.T) {
	inFront(t, func(m *terminal) {
		id := m.pay("r", payment.Approved, nil).ID
		m.giveBack(part("r", "4", "a"), payment.Accepted, nil)
		for _, v := range []payment.Verdict{payment.Declined, payment.Abandoned} {
			m.bank.reverse = ends(v)
			m.giveBack(part("r", "3", "b"), v, nil)
			m.stands(id, payment.Approved, "6.00", "a 4.00")
		}
		m.bank.reverse = ends(payment.Accepted)
		m.giveBack(part("r", "2", "b"), payment.Accepted, nil)
		m.stands(id, payment.Approved, "4.00", "a 4.00", "b 2.00")
	})
}

func TestWhatCantBeGivenBackInPart(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.wholeOnly = true
		m.pay("r", payment.Approved, nil)
		m.giveBack(part("r", "9.99", "a"), "", payment.ErrWholeOnly)
		m.giveBack(part("r", "10.01", "a"), "", payment.ErrAboveLeft)
		for _, amount := range []string{"0", "-1", "1.001", "10000000"} {
			if err := part("r", amount, "a").Check(); err == nil {
				t.Errorf("%s may be asked for", amount)
			}
		}
		m.giveBack(part("nobody", "1", "a"), "", payment.ErrNotFound)
		m.giveBack(part("r", "0", "a"), "", operation.ErrNotPositive)
		m.asked("reverse", &m.bank.repaid, 0)
		m.giveBack(part("r", "10", "a"), payment.Accepted, nil) // all of it is no part
		m.kept(1, payment.Reversed)
	})
}

// A part that ended without an answer is settled like a whole reversal: by the caller's own repetition, and at the next start.
func TestAPartWithoutAnAnswer(t *testing.T) {
	for name, made := range map[string]payment.Verdict{"made": payment.Accepted, "not made": payment.Abandoned} {
		t.Run(name, func(t *testing.T) {
			inFront(t, func(m *terminal) {
				id := m.pay("r", payment.Approved, nil).ID
				m.giveBack(part("r", "1", "first"), payment.Accepted, nil)
				m.bank.reverse = lineDead
				m.bank.setSettle(settleDead)
				m.giveBack(part("r", "4", "a"), "", payment.ErrUnknown)
				m.giveBack(part("r", "4", "a"), "", payment.ErrUnknown)
				m.giveBack(part("r", "1", "first"), payment.Accepted, nil) // one that was made is known, whatever is pending
				m.restart()
				m.kept(id, payment.Pending)
				m.bank.setSettle(settles(made))
				m.bank.reverse = ends(payment.Accepted)
				time.Sleep(time.Minute)
				if made == payment.Accepted {
					m.stands(id, payment.Approved, "5.00", "first 1.00", "a 4.00")
				} else {
					m.stands(id, payment.Approved, "9.00", "first 1.00")
				}
				m.giveBack(part("r", "4", "a"), payment.Accepted, nil)
				m.stands(id, payment.Approved, "5.00", "first 1.00", "a 4.00")
			})
		})
	}
}

// The person and whoever asks see what moves, not what was paid.
func TestThePartIsShown(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("r", payment.Approved, nil)
		m.bank.reverse = func(_ context.Context, c payment.Charge) (payment.Outcome, error) {
			c.Show(payment.Prompt{Step: payment.StepConfirm})
			shown, _ := m.Shown()
			running, _ := m.Running()
			if want := money.MustParse("2.5"); shown.Amount.Cmp(want) != 0 || running.Amount.Cmp(want) != 0 || shown.Request.Amount.Cents() != "10.00" {
				t.Errorf("shown %+v, running %+v", shown, running)
			}
			return ending(payment.Accepted), nil
		}
		m.giveBack(part("r", "2.5", ""), payment.Accepted, nil)
		if e, ok := m.Ended(); !ok || e.Amount.Cents() != "2.50" {
			t.Errorf("ended %+v, %v", e, ok)
		}
	})
}
