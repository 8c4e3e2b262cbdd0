package payment_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/payment"
)

// history is an attempt's states, in order.
func (m *terminal) history(id int64) string {
	m.ledger.mu.Lock()
	defer m.ledger.mu.Unlock()
	var states []string
	for _, e := range m.ledger.steps[id] {
		states = append(states, string(e.State))
	}
	return strings.Join(states, " ")
}

func (m *terminal) went(id int64, want string) {
	m.t.Helper()
	synctest.Wait()
	if got := m.history(id); got != want {
		m.t.Fatalf("attempt %d went\n%s, want\n%s", id, got, want)
	}
}

func TestEveryStepIsKept(t *testing.T) {
	const paid = "begun sent approved confirmed confirmed"
	for name, c := range map[string]struct {
		prepare func(*bank)
		run     func(*terminal)
		want    string
	}{
		"approved":          {func(b *bank) {}, func(m *terminal) { m.pay("r", payment.Approved, nil) }, paid},
		"refused":           {func(b *bank) { b.pay = ends(payment.Declined) }, func(m *terminal) { m.pay("r", payment.Refused, nil) }, "begun sent refused"},
		"cancelled":         {func(b *bank) { b.pay = ends(payment.Abandoned) }, func(m *terminal) { m.pay("r", payment.Cancelled, nil) }, "begun sent cancelled"},
		"cancelled at once": {func(b *bank) { b.pay, b.unsent = ends(payment.Abandoned), true }, func(m *terminal) { m.pay("r", payment.Cancelled, nil) }, "begun cancelled"},
		"failed unsent":     {func(b *bank) { b.pay, b.unsent = lineDead, true }, func(m *terminal) { m.pay("r", "", errLine) }, "begun cancelled"},
		"accepted unsaid":   {func(b *bank) { b.unsent = true }, func(m *terminal) { m.pay("r", payment.Approved, nil) }, paid},
		"no answer":         {func(b *bank) { b.pay = lineDead }, func(m *terminal) { m.pay("r", payment.Cancelled, nil) }, "begun sent unknown undoing undone"},
		"no answer, refused": {
			func(b *bank) { b.pay, b.settle = lineDead, settles(payment.Declined) }, func(m *terminal) { m.pay("r", payment.Refused, nil) },
			"begun sent unknown undoing refused",
		},
		"no answer, stands": {
			func(b *bank) { b.pay, b.settle = lineDead, settles(payment.Accepted) }, func(m *terminal) { m.pay("r", payment.Approved, nil) },
			"begun sent unknown undoing approved confirmed confirmed",
		},
		"reversed": {func(b *bank) {}, func(m *terminal) {
			m.pay("r", payment.Approved, nil)
			m.reverse("r", payment.Accepted, nil)
		}, paid + " reversing sent reversed reversed"},
		"reversal refused": {func(b *bank) { b.reverse = ends(payment.Declined) }, func(m *terminal) {
			m.pay("r", payment.Approved, nil)
			m.reverse("r", payment.Declined, nil)
		}, paid + " reversing sent confirmed"},
		"reversal failed unsent": {func(b *bank) { b.reverse, b.unsent = lineDead, true }, func(m *terminal) {
			m.pay("r", payment.Approved, nil)
			m.reverse("r", "", errLine)
		}, paid + " reversing confirmed"},
		"reversal without an answer": {func(b *bank) { b.reverse, b.settle = lineDead, settles(payment.Accepted) }, func(m *terminal) {
			m.pay("r", payment.Approved, nil)
			m.reverse("r", payment.Accepted, nil)
		}, paid + " reversing sent unknown reversed reversed"},
	} {
		t.Run(name, func(t *testing.T) {
			inFront(t, func(m *terminal) {
				c.prepare(m.bank)
				c.run(m)
				m.went(1, c.want)
			})
		})
	}
}

// What the process left behind is taken up by the next: what never left did not happen, and nobody is asked.
func TestWhatAStartFinds(t *testing.T) {
	for name, c := range map[string]struct {
		left             payment.Transaction
		want             string
		settled, confirm int
	}{
		"begun":             {payment.Transaction{State: payment.StateBegun}, "begun cancelled", 0, 0},
		"sent":              {payment.Transaction{State: payment.StateSent}, "sent undoing undone", 1, 0},
		"unknown":           {payment.Transaction{State: payment.StateUnknown}, "unknown undoing undone", 1, 0},
		"approved":          {payment.Transaction{State: payment.StateApproved}, "approved undoing undone", 1, 0},
		"undoing":           {payment.Transaction{State: payment.StateUndoing}, "undoing undone", 1, 0},
		"confirmed":         {payment.Transaction{State: payment.StateConfirmed}, "confirmed", 0, 0},
		"unacknowledged":    {payment.Transaction{State: payment.StateConfirmed, Unacknowledged: true}, "confirmed confirmed", 0, 1},
		"reversing":         {payment.Transaction{State: payment.StateReversing, Reversals: toGiveBack(1)}, "reversing confirmed", 0, 0},
		"reversal sent":     {payment.Transaction{State: payment.StateSent, Reversals: toGiveBack(1)}, "sent confirmed", 1, 0},
		"reversal unknown":  {payment.Transaction{State: payment.StateUnknown, Reversals: toGiveBack(2)}, "unknown confirmed", 1, 0},
		"reversed unspoken": {payment.Transaction{State: payment.StateReversed, Reversals: toGiveBack(1), Unacknowledged: true}, "reversed reversed", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			inFront(t, func(m *terminal) {
				m.Close()
				c.left.Acquirer, c.left.Request = "bank", request("r")
				if _, err := m.ledger.Begin(c.left); err != nil {
					t.Fatal(err)
				}
				m.start()
				m.went(1, c.want)
				m.asked("settle", &m.bank.settled, c.settled)
				m.asked("confirm", &m.bank.confirmed, c.confirm)
				if n := m.Unresolved(); n != 0 {
					t.Errorf("%d left", n)
				}
			})
		})
	}
}

func TestConfirmationIsRepeatedUntilItIsAcknowledged(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.confirm = func(context.Context, payment.Transaction) error { return errLine }
		m.pay("r", payment.Approved, nil) // the caller is told all the same: it stands
		m.went(1, "begun sent approved confirmed")
		time.Sleep(11 * time.Second)
		if n := len(m.bank.times(&m.bank.confirmed)); n < 3 {
			t.Errorf("told %d times", n)
		}
		if n := m.Unresolved(); n != 1 {
			t.Errorf("%d left to be resolved, want 1", n)
		}
		// Nothing new goes to an acquirer that has not acknowledged.
		h := m.holdPay("next")
		if s, ok := m.Shown(); !ok || s.Prompt.Step != payment.StepResolving {
			t.Errorf("shown %+v, %v", s.Prompt, ok)
		}
		<-h.done
		if !errors.Is(h.err, payment.ErrUnresolved) || h.took != 4*time.Second { // 15 s after the first was left
			t.Errorf("%v after %v", h.err, h.took)
		}
		h = m.holdPay("next")
		<-h.done
		if !errors.Is(h.err, payment.ErrUnresolved) || h.took != 0 { // the terminal is not held for long for what takes long
			t.Errorf("%v after %v", h.err, h.took)
		}
		m.attempts(1)
		m.bank.mu.Lock()
		m.bank.confirm = nil
		m.bank.mu.Unlock()
		m.pay("next", payment.Approved, nil)
		m.went(1, "begun sent approved confirmed confirmed")
	})
}

func TestUnresolvedIsSettledBeforeTheNext(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay, m.bank.settle = lineDead, settleDead
		m.pay("first", "", payment.ErrUnknown)
		if n := m.Unresolved(); n != 1 {
			t.Errorf("%d left to be resolved, want 1", n)
		}
		m.bank.pay = ends(payment.Accepted)
		h := m.holdPay("second")
		m.attempts(1)
		time.Sleep(3 * time.Second)
		m.bank.setSettle(settles(payment.Abandoned))
		<-h.done
		if h.err != nil || h.tx.Status() != payment.Approved {
			t.Fatalf("%v, %v", h.tx.Status(), h.err)
		}
		m.kept(1, payment.Cancelled)
		if n := m.Unresolved(); n != 0 {
			t.Errorf("%d left to be resolved", n)
		}
		// A caller that goes while it waits has no operation.
		m.bank.pay = lineDead
		m.bank.setSettle(settleDead)
		m.pay("third", "", payment.ErrUnknown)
		h = m.holdPay("fourth")
		h.hangUp()
		<-h.done
		m.idle()
		m.attempts(3)
	})
}

// The wait for what was left behind is our own, whatever time the ledger has it at: the clock may have been set back or on.
func TestTheWallClockDoesNotHoldUpTheNext(t *testing.T) {
	for ahead, want := range map[time.Duration]time.Duration{
		time.Hour: 15 * time.Second, 0: 15 * time.Second, -10 * time.Second: 5 * time.Second, -time.Hour: 0,
	} {
		inFront(t, func(m *terminal) {
			m.bank.pay, m.bank.settle = lineDead, settleDead
			m.pay("first", "", payment.ErrUnknown)
			m.ledger.mu.Lock()
			m.ledger.rows[0].UpdatedAt = time.Now().Add(ahead).Round(0)
			m.ledger.mu.Unlock()
			began := time.Now()
			m.pay("second", "", payment.ErrUnresolved)
			if took := time.Since(began); took != want {
				t.Errorf("stamped %v ahead: the next was held up for %v, want %v", ahead, took, want)
			}
			m.idle()
		})
	}
}

func TestResolvedByHand(t *testing.T) {
	for _, made := range []bool{true, false} {
		for _, state := range payment.States {
			for reversals := range 2 {
				left := payment.Transaction{Acquirer: "bank", Request: request("r"), State: state, Reversals: toGiveBack(reversals), Unacknowledged: !state.Open()}
				if state == payment.StateReversing && reversals == 0 || reversals > 0 && !slices.Contains([]payment.State{
					payment.StateReversing, payment.StateSent, payment.StateUnknown, payment.StateConfirmed, payment.StateReturned, payment.StateReversed,
				}, state) || (state == payment.StateReversed || state == payment.StateReturned) && reversals == 0 || state == payment.StateRefused || state == payment.StateCancelled || state == payment.StateUndone {
					continue // never so
				}
				l := &drawer{}
				id, err := l.Begin(left)
				if err != nil {
					t.Fatal(err)
				}
				got, err := payment.Resolve(l, id, made, "por telefone")
				if err != nil || !got.Resolved() {
					t.Errorf("%s, made %v: %+v, %v", state, made, got.State, err)
				}
				if state.Open() && state != payment.StateBegun && state != payment.StateReversing {
					stands := got.Status() == payment.Approved
					if reversals > 0 {
						stands = got.Status() == payment.Reversed
					}
					if stands != made {
						t.Errorf("%s of %d reversals, made %v: %s", state, reversals, made, got.State)
					}
				}
				if _, err := payment.Resolve(l, id, made, ""); !errors.Is(err, payment.ErrResolved) {
					t.Errorf("again: %v", err)
				}
			}
		}
	}
}

// From wherever an attempt is, its end can be reached, and no way leads back to before it was sent or from refused to
// approved.
func TestStateMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		state, reversals := payment.State(""), 0
		var way []string
		decided := false
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			var next []payment.State
			for _, s := range payment.States {
				if s.MayFollow(state, reversals) {
					next = append(next, s)
				}
			}
			if len(next) == 0 {
				break
			}
			to := rapid.SampledFrom(next).Draw(t, "next")
			if to == payment.StateReversing {
				reversals++
			}
			way = append(way, string(to))
			decided = decided || to == payment.StateConfirmed
			switch {
			case decided && reversals == 0 && to != payment.StateConfirmed:
				t.Fatalf("what counted was taken back: %v", way)
			case decided && reversals > 0 && (to == payment.StateUndoing || to == payment.StateUndone || to == payment.StateRefused || to == payment.StateCancelled):
				t.Fatalf("a reversal became something else: %v", way)
			case to == payment.StateBegun && len(way) > 1:
				t.Fatalf("it began twice: %v", way)
			case to == payment.StateConfirmed && !slices.Contains(way, string(payment.StateApproved)):
				t.Fatalf("it counts without an approval: %v", way)
			case to == payment.StateApproved && !slices.Contains(way, string(payment.StateSent)):
				t.Fatalf("approved without being sent: %v", way)
			}
			state = to
		}
		if state.Open() && !endReachable(state, reversals, 6) {
			t.Fatalf("no end can be reached: %v", way)
		}
	})
}

func endReachable(s payment.State, reversals, steps int) bool {
	if !s.Open() {
		return true
	}
	for _, next := range payment.States {
		if steps > 0 && next.MayFollow(s, reversals) && endReachable(next, reversals, steps-1) {
			return true
		}
	}
	return false
}
