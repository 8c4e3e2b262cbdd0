package payment_test

import (
	"context"
	"errors"
	"testing"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

func TestApprovedReferenceMovesNoMoneyAgain(t *testing.T) {
	inFront(t, func(m *terminal) {
		first := m.pay("r", payment.Approved, nil)
		again := request("r")
		again.Amount, again.Extra = money.MustParse("10"), []byte(`{"other":1}`) // 10 is 10.00, and the rest is the caller's own
		got, err := m.Pay(context.Background(), again)
		if err != nil || got.ID != first.ID || got.Outcome.NSU != "7" || got.Request.Amount.String() != "10.00" {
			t.Fatalf("%+v, %v", got, err)
		}
		m.idle()
		for name, change := range map[string]func(*payment.Request){
			"amount":       func(r *payment.Request) { r.Amount = money.MustParse("10.01") },
			"method":       func(r *payment.Request) { r.Method = payment.Debit },
			"installments": func(r *payment.Request) { r.Installments = 2 },
			"plan":         func(r *payment.Request) { r.Plan = payment.Buyer },
		} {
			other := request("r")
			change(&other)
			if _, err := m.Pay(context.Background(), other); !errors.Is(err, payment.ErrReferenceUsed) {
				t.Errorf("other %s: %v", name, err)
			}
			m.idle()
		}
		m.attempts(1)
		m.asked("pay", &m.bank.paid, 1)
		m.restart()
		m.pay("r", payment.Approved, nil)
		m.asked("pay", &m.bank.paid, 1)
		m.asked("settle", &m.bank.settled, 0)
	})
}

func TestFailedReferenceMayBeTriedAgain(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay = ends(payment.Declined)
		m.pay("r", payment.Refused, nil)
		m.bank.pay = ends(payment.Abandoned)
		if tx := m.pay("r", payment.Cancelled, nil); tx.ID != 2 {
			t.Errorf("attempt %d", tx.ID)
		}
		m.bank.pay = ends(payment.Accepted)
		other := request("r")
		other.Amount = money.MustParse("99") // failed ones bind to nothing
		if tx, err := m.Pay(context.Background(), other); err != nil || tx.ID != 3 || tx.Status() != payment.Approved {
			t.Fatalf("%+v, %v", tx, err)
		}
		if found, err := m.Find("r"); err != nil || found.ID != 3 {
			t.Errorf("the reference means attempt %d (%v)", found.ID, err)
		}
		m.kept(1, payment.Refused)
		m.kept(2, payment.Cancelled)
	})
}

func TestPaymentsWithoutReferenceAreNeverTheSame(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("", payment.Approved, nil)
		m.pay("", payment.Approved, nil)
		m.attempts(2)
		m.asked("pay", &m.bank.paid, 2)
	})
}

func TestReferenceOfAPendingPayment(t *testing.T) {
	for name, c := range map[string]struct {
		settle   func(context.Context, payment.Transaction) (payment.Outcome, error)
		want     payment.Status
		err      error
		attempts int
	}{
		"turns out approved":  {settles(payment.Accepted), payment.Approved, nil, 1},
		"turns out undone":    {settles(payment.Abandoned), payment.Approved, nil, 2}, // by the new attempt
		"turns out refused":   {settles(payment.Declined), payment.Approved, nil, 2},
		"nobody knows as yet": {settleDead, "", payment.ErrUnknown, 1},
	} {
		t.Run(name, func(t *testing.T) {
			inFront(t, func(m *terminal) {
				m.bank.pay, m.bank.settle = lineDead, settleDead
				m.pay("r", "", payment.ErrUnknown)
				m.bank.pay = ends(payment.Accepted)
				m.bank.setSettle(c.settle)
				m.pay("r", c.want, c.err)
				m.attempts(c.attempts)
				m.asked("pay", &m.bank.paid, c.attempts)
			})
		})
	}
}

func TestReversalRules(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.reverse("unknown", "", payment.ErrNotFound)
		m.reverse("", "", payment.ErrNotFound)
		m.bank.pay = ends(payment.Declined)
		m.pay("refused", payment.Refused, nil)
		m.reverse("refused", "", payment.ErrNotReversible)
		m.bank.pay = ends(payment.Abandoned)
		m.pay("cancelled", payment.Cancelled, nil)
		m.reverse("cancelled", "", payment.ErrNotReversible)
		m.asked("reverse", &m.bank.repaid, 0)

		m.bank.pay = ends(payment.Accepted)
		id := m.pay("r", payment.Approved, nil).ID
		for _, v := range []payment.Verdict{payment.Declined, payment.Abandoned} {
			m.bank.reverse = ends(v)
			m.reverse("r", v, nil)
			m.kept(id, payment.Approved)
		}
		m.bank.reverse = ends(payment.Accepted)
		got := m.reverse("r", payment.Accepted, nil)
		if tx := m.kept(id, payment.Reversed); tx.LastReversal().NSU != "7" || !tx.LastReversal().Made() || got.Transaction.Status() != payment.Reversed {
			t.Errorf("%+v and %+v", tx, got)
		}
		m.reverse("r", "", payment.ErrReversed)
		if _, err := m.Pay(context.Background(), request("r")); !errors.Is(err, payment.ErrReferenceUsed) {
			t.Errorf("paying a reversed reference again: %v", err)
		}
		m.asked("reverse", &m.bank.repaid, 3)

		seen := map[string]bool{}
		for _, a := range append(m.bank.times(&m.bank.repaid), m.bank.times(&m.bank.paid)...) {
			if seen[a.operation] {
				t.Errorf("operation %s was used twice", a.operation)
			}
			seen[a.operation] = true
		}
	})
}

func TestReversalWithoutAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		settle  payment.Verdict
		verdict payment.Verdict
		want    payment.Status
	}{
		"was made":     {payment.Accepted, payment.Accepted, payment.Reversed},
		"was not made": {payment.Abandoned, "", payment.Approved},
	} {
		t.Run(name, func(t *testing.T) {
			inFront(t, func(m *terminal) {
				m.pay("r", payment.Approved, nil)
				m.bank.reverse, m.bank.settle = lineDead, settles(c.settle)
				m.reverse("r", c.verdict, nil)
				m.kept(1, c.want)
			})
		})
		t.Run(name+", known later", func(t *testing.T) {
			inFront(t, func(m *terminal) {
				m.pay("r", payment.Approved, nil)
				m.bank.reverse, m.bank.settle = lineDead, settleDead
				m.reverse("r", "", payment.ErrUnknown)
				m.kept(1, payment.Pending)
				m.reverse("r", "", payment.ErrUnknown) // not again before the first is settled
				m.pay("r", "", payment.ErrUnknown)
				m.asked("reverse", &m.bank.repaid, 1)
				m.attempts(1)

				m.bank.setSettle(settles(c.settle))
				m.bank.reverse = ends(payment.Accepted)
				if c.want == payment.Reversed {
					m.reverse("r", "", payment.ErrReversed)
				} else {
					m.reverse("r", payment.Accepted, nil)
				}
				m.kept(1, payment.Reversed)
			})
		})
	}
}

func TestAttemptThatIsNotKeptIsNotMade(t *testing.T) {
	inFront(t, func(m *terminal) {
		failing := func(what string) {
			m.ledger.setFail(func(op string, _ payment.Transaction) error {
				if op == what {
					return errDisk
				}
				return nil
			})
		}
		failing("begin")
		m.pay("r", "", operation.ErrNotSaved)
		m.attempts(0)
		m.asked("pay", &m.bank.paid, 0)
		failing("")
		m.pay("r", payment.Approved, nil)
		failing("append")
		m.reverse("r", "", operation.ErrNotSaved)
		m.asked("reverse", &m.bank.repaid, 0)
		m.kept(1, payment.Approved)
		failing("newest")
		m.pay("r", "", errDisk)
		m.reverse("r", "", errDisk)
		failing("")
		m.reverse("r", payment.Accepted, nil)
	})
}
