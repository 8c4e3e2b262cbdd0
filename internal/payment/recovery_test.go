package payment_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

func TestLostAnswerIsSettledBeforeTheCallerHears(t *testing.T) {
	for verdict, want := range map[payment.Verdict]payment.Status{
		payment.Accepted: payment.Approved, payment.Declined: payment.Refused, payment.Abandoned: payment.Cancelled,
	} {
		inFront(t, func(m *terminal) {
			m.bank.pay, m.bank.settle = lineDead, settles(verdict)
			m.pay("r", want, nil)
			m.asked("settle", &m.bank.settled, 1)
			time.Sleep(time.Minute)
			m.asked("settle", &m.bank.settled, 1)
		})
	}
}

func TestRecoveryAsksEveryFiveSeconds(t *testing.T) {
	inFront(t, func(m *terminal) {
		began := time.Now()
		m.bank.pay, m.bank.settle = lineDead, settleDead
		m.pay("r", "", payment.ErrUnknown)
		m.kept(1, payment.Pending)
		time.Sleep(22 * time.Second)
		m.bank.setSettle(settles(payment.Abandoned))
		m.kept(1, payment.Pending)
		time.Sleep(3*time.Second - time.Nanosecond)
		m.kept(1, payment.Pending)
		time.Sleep(time.Nanosecond)
		m.kept(1, payment.Cancelled)
		time.Sleep(time.Hour)
		synctest.Wait()

		var at []time.Duration
		for _, a := range m.bank.times(&m.bank.settled) {
			at = append(at, a.at.Sub(began))
		}
		// Once for the caller, once more at the same time if the recovery finds the attempt let go of already.
		at = slices.Compact(at)
		if want := []time.Duration{0, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 25 * time.Second}; !slices.Equal(at, want) {
			t.Fatalf("asked at %v, want %v", at, want)
		}
	})
}

// Whoever waits for a settlement's turn must neither stop the clock nor outlast the desk.
func TestSettlementsTakeTurns(t *testing.T) {
	slow := func(context.Context, payment.Transaction) (payment.Outcome, error) {
		time.Sleep(8 * time.Second) // a driver that does not heed its context
		return ending(payment.Abandoned), nil
	}
	left := func(m *terminal) { // an attempt whose recovery is under way
		m.bank.pay, m.bank.settle = lineDead, settleDead
		m.pay("r", "", payment.ErrUnknown)
		m.bank.setSettle(slow)
		m.bank.pay = ends(payment.Accepted)
		time.Sleep(6 * time.Second)
	}
	inFront(t, func(m *terminal) {
		left(m)
		caller := m.holdPay("r")
		<-caller.done
		if caller.err != nil || caller.tx.Status() != payment.Approved || caller.took > 8*time.Second {
			t.Errorf("%q, %v after %v", caller.tx.Status(), caller.err, caller.took)
		}
	})
	inFront(t, func(m *terminal) {
		left(m)
		caller := m.holdPay("r")
		go m.Close()
		<-caller.done
		if !errors.Is(caller.err, payment.ErrUnknown) || caller.took != 0 {
			t.Errorf("%v after %v", caller.err, caller.took)
		}
	})
}

func TestSettlingHoldsTheCallerTenSeconds(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay = lineDead
		m.bank.settle = func(ctx context.Context, _ payment.Transaction) (payment.Outcome, error) {
			<-ctx.Done()
			return payment.Outcome{}, ctx.Err()
		}
		h := m.holdPay("r")
		<-h.done
		if !errors.Is(h.err, payment.ErrUnknown) || h.took != 10*time.Second {
			t.Fatalf("ended after %v with %v", h.took, h.err)
		}
		m.idle()
	})
}

func TestStartSettlesWhatIsPending(t *testing.T) {
	inFront(t, func(m *terminal) {
		for _, reference := range []string{"a", "b"} { // as two acquirers would leave them
			_, err := m.ledger.Begin(payment.Transaction{Acquirer: "bank", Request: request(reference), State: payment.StateSent})
			if err != nil {
				t.Fatal(err)
			}
		}
		m.Close()
		m.bank.settle = func(_ context.Context, t payment.Transaction) (payment.Outcome, error) {
			if t.Request.Reference == "a" {
				return payment.Outcome{}, errLine // one that can't be settled holds up no other
			}
			return ending(payment.Abandoned), nil
		}
		m.start()
		m.kept(1, payment.Pending)
		m.kept(2, payment.Cancelled)
		m.bank.setSettle(settles(payment.Accepted))
		time.Sleep(5 * time.Second)
		m.kept(1, payment.Approved)
	})
}

func TestLedgerThatCannotListIsAskedAgain(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay, m.bank.settle = lineDead, settleDead
		m.pay("r", "", payment.ErrUnknown)
		m.Close()
		m.bank.settle = settles(payment.Abandoned)
		m.ledger.setFail(func(op string, _ payment.Transaction) error {
			if op == "unresolved" {
				return errDisk
			}
			return nil
		})
		m.start()
		m.kept(1, payment.Pending)
		m.ledger.setFail(nil)
		time.Sleep(5 * time.Second)
		m.kept(1, payment.Cancelled)
	})
}

func TestRecoveryLeavesTheLiveOneAlone(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay, m.bank.settle = lineDead, settleDead
		customer := make(chan struct{})
		m.bank.pay = func(context.Context, payment.Charge) (payment.Outcome, error) {
			<-customer
			return ending(payment.Accepted), nil
		}
		h := m.holdPay("live")
		if _, err := m.ledger.Begin(payment.Transaction{Acquirer: "bank", Request: request("other"), State: payment.StateSent}); err != nil {
			t.Fatal(err)
		}
		m.Wake()
		time.Sleep(20 * time.Second)
		m.bank.setSettle(settles(payment.Abandoned))
		time.Sleep(time.Minute)
		m.kept(1, payment.Pending)
		m.kept(2, payment.Cancelled)
		close(customer)
		<-h.done
		if h.err != nil || h.tx.Status() != payment.Approved {
			t.Fatalf("%v, %v", h.tx.Status(), h.err)
		}
		time.Sleep(time.Minute)
		m.kept(1, payment.Approved)
		for _, a := range m.bank.times(&m.bank.settled) {
			if a.id == 1 {
				t.Fatalf("the live payment was settled at %v", a.at)
			}
		}
	})
}

// The recovery's list may be old by the time it gets to an entry: one that was settled and then taken up again
// by a caller is that caller's.
func TestRecoveryLeavesAloneWhatBecameLive(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("r", payment.Approved, nil)
		m.bank.reverse, m.bank.settle = lineDead, settleDead
		m.reverse("r", "", payment.ErrUnknown)
		m.Close()

		m.bank.settle = settles(payment.Abandoned)
		operator := make(chan struct{})
		m.bank.reverse = func(context.Context, payment.Charge) (payment.Outcome, error) {
			<-operator
			return ending(payment.Accepted), nil
		}
		goOn := make(chan struct{})
		var listed atomic.Bool
		m.ledger.listed = func() {
			if listed.CompareAndSwap(false, true) { // the recovery is first
				<-goOn
			}
		}
		before := len(m.bank.times(&m.bank.settled))
		m.start() // the recovery has its list and sleeps over it
		h := m.holdReverse("r")
		m.asked("settle", &m.bank.settled, before+1) // by the caller
		m.kept(1, payment.Pending)
		close(goOn)
		synctest.Wait()
		time.Sleep(time.Minute)
		m.asked("settle", &m.bank.settled, before+1)
		m.kept(1, payment.Pending)
		close(operator)
		<-h.done
		if h.err != nil || h.rev.Transaction.Status() != payment.Reversed {
			t.Fatalf("%+v, %v", h.rev, h.err)
		}
		m.kept(1, payment.Reversed)
	})
}

func failingOnce(what string) func(string, payment.Transaction) error {
	failed := false
	return func(op string, t payment.Transaction) error {
		if op != what && op+" "+string(t.State) != what || failed {
			return nil
		}
		failed = true
		return errDisk
	}
}

// Nobody may be told of an approval that a power cut could lose, so it is undone.
func TestApprovalThatIsNotKeptIsUndone(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.ledger.setFail(failingOnce("append approved"))
		m.pay("r", "", payment.ErrUnknown)
		time.Sleep(5 * time.Second)
		m.kept(1, payment.Cancelled)
		m.asked("settle", &m.bank.settled, 1)
		m.pay("r", payment.Approved, nil)
		m.attempts(2)
	})
}

func TestReversalThatIsNotKeptIsFoundOut(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("r", payment.Approved, nil)
		m.bank.settle = settles(payment.Accepted)
		saves := 0
		m.ledger.setFail(func(op string, _ payment.Transaction) error {
			if op == "append" {
				if saves++; saves == 3 { // the others keep that the reversal begins, and is sent
					return errDisk
				}
			}
			return nil
		})
		m.reverse("r", "", payment.ErrUnknown)
		time.Sleep(5 * time.Second)
		m.kept(1, payment.Reversed)
	})
}

// A step that the disk would not have is not passed over: what follows on it is not allowed, and the caller hears of the disk.
func TestReversalThatIsNotKeptAsSent(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("r", payment.Approved, nil)
		m.bank.unsent = true
		m.ledger.setFail(failingOnce("append sent"))
		if _, err := m.Reverse(m.t.Context(), whole("r")); !errors.Is(err, payment.ErrUnknown) || !errors.Is(err, errDisk) {
			t.Errorf("the caller hears %v", err)
		}
		m.idle()
	})
}

// Whatever of the disk fails while a lost answer is settled, the caller hears that nobody knows, and the
// recovery finds out.
func TestDiskFailsWhileSettling(t *testing.T) {
	for _, op := range []string{"get", "append undoing", "append undone"} {
		t.Run(op, func(t *testing.T) {
			inFront(t, func(m *terminal) {
				m.bank.pay = lineDead
				m.ledger.setFail(failingOnce(op))
				m.pay("r", "", payment.ErrUnknown)
				time.Sleep(5 * time.Second)
				m.kept(1, payment.Cancelled)
			})
		})
	}
}

func TestPanicInTheAcquirer(t *testing.T) {
	broken := func(context.Context, payment.Charge) (payment.Outcome, error) { panic("driver fault") }
	t.Run("pay", func(t *testing.T) {
		inFront(t, func(m *terminal) {
			m.bank.pay = broken
			m.pay("r", "", payment.ErrUnknown)
			time.Sleep(5 * time.Second)
			m.kept(1, payment.Cancelled)
			m.bank.pay = ends(payment.Accepted)
			m.pay("r", payment.Approved, nil)
		})
	})
	t.Run("reverse", func(t *testing.T) {
		inFront(t, func(m *terminal) {
			m.pay("r", payment.Approved, nil)
			m.bank.reverse = broken
			m.reverse("r", "", payment.ErrUnknown)
			time.Sleep(5 * time.Second)
			m.kept(1, payment.Approved)
			m.bank.reverse = ends(payment.Accepted)
			m.reverse("r", payment.Accepted, nil)
		})
	})
	t.Run("settle", func(t *testing.T) {
		inFront(t, func(m *terminal) {
			m.bank.pay = lineDead
			m.bank.settle = func(context.Context, payment.Transaction) (payment.Outcome, error) { panic("driver fault") }
			m.pay("r", "", payment.ErrUnknown)
			m.pay("r", "", payment.ErrUnknown) // on the caller's own way
			m.reverse("r", "", payment.ErrUnknown)
			m.restart() // and at the start
			m.kept(1, payment.Pending)
			m.bank.setSettle(settles(payment.Abandoned))
			time.Sleep(5 * time.Second)
			m.kept(1, payment.Cancelled)
		})
	})
}
