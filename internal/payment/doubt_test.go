package payment_test

import (
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// What was open when data were lost is left to a person: nobody ends it, and it holds up nobody but its own reference.
func TestWhatIsInDoubtWaitsForAPerson(t *testing.T) {
	for _, state := range []payment.State{
		payment.StateBegun, payment.StateSent, payment.StateApproved, payment.StateUnknown, payment.StateUndoing,
	} {
		t.Run(string(state), func(t *testing.T) {
			inFront(t, func(m *terminal) {
				left, ok := payment.Transaction{Acquirer: "bank", Request: request("r"), State: state}.Doubted()
				if !ok || left.Status() != payment.Pending {
					t.Fatalf("%+v", left)
				}
				if _, again := left.Doubted(); again {
					t.Error("doubted twice")
				}
				id, err := m.ledger.Begin(left)
				if err != nil {
					t.Fatal(err)
				}
				m.restart()
				time.Sleep(time.Minute)
				m.kept(id, payment.Pending)
				m.pay("r", "", payment.ErrUnknown) // it may have been paid
				m.pay("other", payment.Approved, nil)
				m.kept(id, payment.Pending)
				if m.Unresolved() != 1 {
					t.Errorf("the screen tells of %d", m.Unresolved())
				}
				if done, err := payment.Resolve(m.ledger, id, true, "extrato"); err != nil || done.Status() != payment.Approved || done.InDoubt {
					t.Errorf("by a person's word: %+v, %v", done, err)
				}
				m.pay("r", payment.Approved, nil)
				m.attempts(2)
			})
		})
	}
	if _, ok := (payment.Transaction{State: payment.StateConfirmed}).Doubted(); ok {
		t.Error("what has ended is in no doubt")
	}
}

// Numbers only ever rise, whatever the clock does and however often the terminal starts.
func TestNumbersRise(t *testing.T) {
	inFront(t, func(m *terminal) {
		var last int64
		for i := range 30 {
			if i == 15 {
				m.restart()
			}
			paid := m.pay("r"+string(rune('a'+i)), payment.Approved, nil)
			if paid.Number <= last {
				t.Fatalf("%d after %d", paid.Number, last)
			}
			given := m.reverse(paid.Request.Reference, payment.Accepted, nil).Transaction
			if last = given.LastReversal().Number; given.Number != paid.Number || last <= paid.Number {
				t.Fatalf("%d and %d after %d", given.Number, last, paid.Number)
			}
		}
	})
}
