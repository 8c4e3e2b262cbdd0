package payment_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

func (m *terminal) shows(want *payment.Ended) {
	m.t.Helper()
	synctest.Wait()
	e, ok := m.Ended()
	if want != nil {
		want.Amount = want.Request.Amount
		want.Installments = want.Request.Installments
	}
	if ok != (want != nil) || (ok && !cmp.Equal(*want, e, exactly)) {
		m.t.Fatalf("the end shown: %+v, %v; want %+v", e, ok, want)
	}
}

func TestEndsAreShown(t *testing.T) {
	inFront(t, func(m *terminal) {
		r := request("r")
		m.shows(nil)
		m.bank.pay = func(context.Context, payment.Charge) (payment.Outcome, error) {
			return payment.Outcome{Verdict: payment.Declined, Message: "não", PaidWith: payment.Debit}, nil
		}
		m.pay("r", payment.Refused, nil)
		m.shows(&payment.Ended{Kind: payment.Payment, Request: r, Verdict: payment.Declined, Message: "não", Method: payment.Debit})
		m.bank.pay = ends(payment.Accepted)
		m.pay("r", payment.Approved, nil)
		m.shows(&payment.Ended{Kind: payment.Payment, Request: r, Verdict: payment.Accepted, Method: payment.Credit})
		m.DismissEnded()
		m.shows(nil)
		m.DismissEnded() // again is no harm
		m.pay("r", payment.Approved, nil)
		m.shows(nil) // nothing was done: the answer is from the ledger
		m.bank.reverse = ends(payment.Abandoned)
		m.reverse("r", payment.Abandoned, nil)
		m.shows(&payment.Ended{Kind: payment.Refund, Request: r, Verdict: payment.Abandoned, Method: payment.Credit})
		m.bank.reverse = lineDead // and settled as given up
		if _, err := m.Reverse(context.Background(), whole("r")); err != nil {
			t.Fatal(err)
		}
		m.shows(&payment.Ended{Kind: payment.Refund, Request: r, Verdict: payment.Abandoned, Method: payment.Credit})
		m.bank.pay = lineDead
		m.bank.setSettle(settleDead)
		m.pay("lost", "", payment.ErrUnknown)
		m.shows(&payment.Ended{Kind: payment.Payment, Request: request("lost"), Unknown: true, Method: payment.Credit})
	})
}

func TestEndsLastThreeSeconds(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("r", payment.Approved, nil)
		time.Sleep(2 * time.Second)
		m.pay("s", payment.Approved, nil)
		time.Sleep(3*time.Second - time.Nanosecond) // the first one's time does not count for the second
		m.shows(&payment.Ended{Kind: payment.Payment, Request: request("s"), Verdict: payment.Accepted, Method: payment.Credit})
		m.mu.Lock()
		before := m.changes
		m.mu.Unlock()
		time.Sleep(time.Nanosecond)
		m.shows(nil)
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.changes != before+1 {
			t.Errorf("the screen was told of %d changes", m.changes-before)
		}
	})
}

// Whoever looked away from an end that nobody knows must find it there, and then how it came out.
func TestUnknownEndsStayUntilSomebodyTakesNote(t *testing.T) {
	inFront(t, func(m *terminal) {
		lose := func(reference string) {
			m.bank.pay = lineDead
			m.bank.setSettle(settleDead)
			m.pay(reference, "", payment.ErrUnknown)
		}
		lose("lost")
		time.Sleep(time.Hour)
		unknown := payment.Ended{Kind: payment.Payment, Request: request("lost"), Unknown: true, Method: payment.Credit}
		m.shows(&unknown)
		m.YieldEnded() // a question does not take it away
		m.shows(&unknown)
		m.bank.setSettle(settles(payment.Abandoned))
		time.Sleep(time.Minute)
		unknown.Unknown, unknown.Settled, unknown.Verdict = false, true, payment.Abandoned
		m.shows(&unknown)
		if s, ok := m.Settled(); ok {
			t.Errorf("told a second time: %+v", s)
		}
		m.DismissEnded()
		m.shows(nil)

		lose("again")
		m.DismissEnded()
		m.bank.setSettle(settles(payment.Abandoned))
		time.Sleep(time.Minute)
		m.shows(nil)
		s, ok := m.Settled()
		if !ok || s.Reference != "again" || s.Made || s.Kind != payment.Payment || s.Amount.Cmp(request("again").Amount) != 0 {
			t.Fatalf("how it came out: %+v, %v", s, ok)
		}
		m.DismissSettled(s.ID + 1)
		if _, ok := m.Settled(); !ok {
			t.Error("another was meant")
		}
		m.DismissSettled(s.ID)
		if s, ok := m.Settled(); ok {
			t.Errorf("still there: %+v", s)
		}
	})
}

func TestTheNextOperationCoversAnEnd(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("r", payment.Approved, nil)
		m.bank.pay = func(ctx context.Context, _ payment.Charge) (payment.Outcome, error) {
			<-ctx.Done()
			return payment.Outcome{}, ctx.Err()
		}
		h := m.holdPay("s")
		m.shows(nil)
		m.Close()
		<-h.done
		m.shows(nil) // a desk that is closed shows nothing
	})
}

func TestWhatNeverBeganHasNoEnd(t *testing.T) {
	inBubble(t, func(m *terminal) {
		<-m.holdPay("r").done // in the background
		m.shows(nil)
		close(m.front.open)
		m.ledger.setFail(func(op string, _ payment.Transaction) error {
			if op == "begin" {
				return errDisk
			}
			return nil
		})
		m.pay("r", "", operation.ErrNotSaved)
		m.shows(nil)
	})
}
