package payment_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

func by(reference string) operation.Wish { return operation.Wish{Reference: reference} }

// wish is Cancel, checked.
func (m *terminal) wish(w operation.Wish, want error) {
	m.t.Helper()
	if err := m.Cancel(w); !errors.Is(err, want) || (err == nil) != (want == nil) {
		m.t.Fatalf("Cancel %+v: %v, want %v", w, err, want)
	}
	synctest.Wait()
}

// cancelled checks the answer of a payment that was called off, and its row.
func (m *terminal) cancelled(h *held) {
	m.t.Helper()
	<-h.done
	if h.err != nil || h.tx.Status() != payment.Cancelled {
		m.t.Fatalf("%q, %v", h.tx.Status(), h.err)
	}
	m.idle()
	m.kept(h.tx.ID, payment.Cancelled)
	if found, err := m.Find(h.tx.Request.Reference); err != nil || found.Status() != payment.Cancelled {
		m.t.Fatalf("found as %q, %v", found.Status(), err)
	}
	m.wish(by(h.tx.Request.Reference), operation.ErrNone)
}

func (m *terminal) running(step payment.Step, cancellable bool) payment.Running {
	m.t.Helper()
	synctest.Wait()
	r, ok := m.Running()
	if !ok || r.Prompt.Step != step || r.Cancellable != cancellable || r.Operation == 0 || r.Since.IsZero() {
		m.t.Fatalf("running: %+v, %v; want %q, cancellable %v", r, ok, step, cancellable)
	}
	return r
}

// Who writes down that an operation began may be slow: a wish that comes meanwhile is taken, and answered after that.
func TestWishesComeAfterTheirOperation(t *testing.T) {
	inFront(t, func(m *terminal) {
		writing := make(chan struct{})
		m.began = func(context.Context, payment.Shown) { <-writing }
		m.restart()
		h := m.holdPay("r")
		m.running(payment.StepWaiting, true)
		answered := make(chan error, 1)
		go func() { answered <- m.Cancel(by("r")) }()
		m.running(payment.StepWaiting, false)
		select {
		case err := <-answered:
			t.Fatalf("the wish was answered first: %v", err)
		default:
		}
		close(writing)
		if err := <-answered; err != nil {
			t.Fatal(err)
		}
		m.cancelled(h)
	})
}

// Who writes down that a wish was taken may be slow: the operation ends when it is called off, and tells of that afterwards.
func TestEndsComeAfterTheirWish(t *testing.T) {
	test := func(step payment.Step) func(m *terminal) {
		return func(m *terminal) {
			m.asks(payment.Prompt{Step: payment.StepPIN, Cancellable: true})
			h := m.holdPay("r")
			m.running(step, true)
			writing := make(chan struct{})
			w := by("r")
			w.Taken = func() { <-writing }
			answered := make(chan error, 1)
			go func() { answered <- m.Cancel(w) }()
			synctest.Wait()
			if h.isOver() {
				t.Errorf("%s: it was answered before the wish was written down", step)
			}
			for _, x := range m.ledger.all() {
				if !x.State.Open() {
					t.Errorf("%s: the end was written down first: %s", step, x.State)
				}
			}
			close(writing)
			if err := <-answered; err != nil {
				t.Fatal(err)
			}
			m.cancelled(h)
		}
	}
	inFront(t, test(payment.StepPIN))
	inBubble(t, test(payment.StepWaiting))
}

func TestWishesNameTheirOperation(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.wish(by("r"), operation.ErrNone)
		m.wish(operation.Wish{Unknown: true}, operation.ErrNone)
		m.asks(payment.Prompt{Step: payment.StepPIN, Cancellable: true})
		h := m.holdPay("r")
		id := m.running(payment.StepPIN, true).Operation
		for _, other := range []operation.Wish{
			by("q"), {}, {Unknown: true}, {ID: id + 1}, {Reference: "r", ID: id + 1}, {Reference: "q", ID: id}, {Reference: "r", Unknown: true},
		} {
			m.wish(other, operation.ErrOther)
		}
		if h.isOver() {
			t.Fatal("another's wish ended it")
		}
		m.wish(operation.Wish{Reference: "r", ID: id}, nil)
		m.cancelled(h)
	})
	inFront(t, func(m *terminal) { // one without a reference has no other name
		m.asks(payment.Prompt{Step: payment.StepPIN, Cancellable: true})
		h := m.holdPay("")
		m.wish(operation.Wish{ID: m.running(payment.StepPIN, true).Operation}, nil)
		<-h.done
		m.kept(1, payment.Cancelled)
	})
}

func TestCalledOffWhileWaitingForTheForeground(t *testing.T) {
	inBubble(t, func(m *terminal) {
		h := m.holdPay("r")
		m.running(payment.StepWaiting, true)
		m.wish(by("r"), nil)
		m.cancelled(h)
		m.asked("pay", &m.bank.paid, 0)
	})
}

func TestCalledOffWhileAnEarlierOneIsSettled(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay, m.bank.settle = lineDead, settleDead
		m.pay("earlier", "", payment.ErrUnknown)
		h := m.holdPay("r")
		m.running(payment.StepResolving, true)
		m.wish(by("r"), nil)
		m.cancelled(h)
		m.asked("pay", &m.bank.paid, 1)
	})
	inFront(t, func(m *terminal) { // an attempt of its own reference
		m.bank.pay, m.bank.settle = lineDead, settleDead
		m.pay("r", "", payment.ErrUnknown)
		m.bank.setSettle(func(context.Context, payment.Transaction) (payment.Outcome, error) {
			time.Sleep(8 * time.Second)
			return ending(payment.Abandoned), nil
		})
		m.bank.pay = ends(payment.Accepted)
		h := m.holdPay("r")
		m.running(payment.StepResolving, true)
		m.wish(by("r"), nil)
		m.cancelled(h)
		m.asked("pay", &m.bank.paid, 1)
	})
}

// A driver may be anywhere when the wish comes: nothing leaves after it.
func TestNothingLeavesAfterTheWish(t *testing.T) {
	busy := make(chan struct{})
	slow := func(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
		<-busy
		if err := c.Sending(); err != nil {
			return payment.Outcome{}, err
		}
		return ending(payment.Accepted), nil
	}
	inFront(t, func(m *terminal) {
		busy = make(chan struct{})
		m.bank.unsent, m.bank.pay = true, slow
		h := m.holdPay("r")
		m.wish(by("r"), nil)
		m.wish(by("r"), nil)
		m.running(payment.StepWaiting, false)
		close(busy)
		m.cancelled(h)
		m.asked("settle", &m.bank.settled, 0)
		m.pay("r", payment.Approved, nil) // the same customer, after all
	})
	inFront(t, func(m *terminal) {
		busy = make(chan struct{})
		m.pay("r", payment.Approved, nil)
		m.bank.unsent, m.bank.reverse = true, slow
		h := m.holdReverse("r")
		m.wish(by("r"), nil)
		close(busy)
		<-h.done
		if h.err != nil || h.rev.Outcome.Verdict != payment.Abandoned || h.rev.Transaction.Status() != payment.Approved {
			t.Fatalf("%+v, %v", h.rev, h.err)
		}
		m.kept(1, payment.Approved)
		m.asked("settle", &m.bank.settled, 0)
		m.reverse("r", payment.Accepted, nil)
	})
}

func TestReversalCalledOffBeforeItBegins(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.pay("r", payment.Approved, nil)
		m.front.open = make(chan struct{})
		m.restart()
		h := m.holdReverse("r")
		if r := m.running(payment.StepWaiting, true); r.Kind != payment.Refund || r.Request.Amount.Sign() == 0 {
			t.Errorf("%+v", r)
		}
		m.wish(by("r"), nil)
		<-h.done
		if h.err != nil || h.rev.Outcome.Verdict != payment.Abandoned {
			t.Fatalf("%+v, %v", h.rev, h.err)
		}
		if kept := m.kept(1, payment.Approved); len(kept.Reversals) != 0 {
			t.Errorf("%d reversals begun", len(kept.Reversals))
		}
	})
}

func TestTheWishComesTooLate(t *testing.T) {
	for name, prompt := range map[string]payment.Prompt{
		"processing": {Step: payment.StepProcessing}, "taken up elsewhere": {Step: payment.StepCard, Committed: true},
	} {
		t.Run(name, func(t *testing.T) {
			inFront(t, func(m *terminal) {
				answer := make(chan struct{})
				m.bank.pay = func(_ context.Context, c payment.Charge) (payment.Outcome, error) {
					c.Show(prompt)
					<-answer
					return ending(payment.Accepted), nil
				}
				h := m.holdPay("r")
				m.running(prompt.Step, false)
				m.wish(by("r"), operation.ErrCommitted)
				close(answer)
				<-h.done
				if h.err != nil || h.tx.Status() != payment.Approved {
					t.Fatalf("%q, %v", h.tx.Status(), h.err)
				}
				// The next customer is at the terminal when the wish comes.
				m.asks(payment.Prompt{Step: payment.StepPIN, Cancellable: true})
				next := m.holdPay("next")
				m.wish(by("r"), operation.ErrOther)
				m.act(m.prompt(payment.StepPIN).Serial, payment.Action{Kind: payment.ActPIN}, nil)
				<-next.done
				if next.err != nil || next.tx.Status() != payment.Approved {
					t.Fatalf("%q, %v", next.tx.Status(), next.err)
				}
			})
		})
	}
}

// The acquirer's word is there, and its end is being kept: the caller hears of that, not of a cancellation.
func TestTheWishInTheInstantOfApproval(t *testing.T) {
	inFront(t, func(m *terminal) {
		var said error
		m.ledger.setFail(func(op string, tx payment.Transaction) error {
			if op == "append" && tx.State == payment.StateApproved {
				said = m.Cancel(by("r"))
			}
			return nil
		})
		m.pay("r", payment.Approved, nil)
		if !errors.Is(said, operation.ErrCommitted) {
			t.Errorf("%v", said)
		}
	})
}

// The first wish counts, though its operation can't be called off by then.
func TestTheSameWishAgainIsNoOffence(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay = func(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
			if a, err := c.Ask(ctx, payment.Prompt{Step: payment.StepPix, Cancellable: true}); err != nil || a.Kind != payment.ActCancel {
				t.Errorf("%+v, %v", a, err)
			}
			c.Show(payment.Prompt{Step: payment.StepProcessing}) // it is being withdrawn
			time.Sleep(time.Second)
			return ending(payment.Accepted), nil // and had been paid in that very moment
		}
		h := m.holdPay("r")
		m.wish(by("r"), nil)
		m.running(payment.StepProcessing, false)
		m.wish(by("r"), nil)
		<-h.done
		if h.err != nil || h.tx.Status() != payment.Approved {
			t.Fatalf("%q, %v", h.tx.Status(), h.err)
		}
		m.kept(1, payment.Approved)
	})
}

func TestCalledOffWhileTheServiceStops(t *testing.T) {
	for name, last := range map[string]func(*terminal){
		"the wish first": func(m *terminal) { _ = m.Cancel(by("r")); m.Close() },
		"the stop first": func(m *terminal) { m.Close(); _ = m.Cancel(by("r")) },
		"both at once":   func(m *terminal) { go func() { _ = m.Cancel(by("r")) }(); m.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			inFront(t, func(m *terminal) {
				m.bank.unsent = true
				m.asks(payment.Prompt{Step: payment.StepPIN, Cancellable: true})
				h := m.holdPay("r")
				m.prompt(payment.StepPIN)
				last(m)
				<-h.done
				if !errors.Is(h.err, operation.ErrStopping) && (h.err != nil || h.tx.Status() != payment.Cancelled) {
					t.Errorf("%q, %v", h.tx.Status(), h.err)
				}
				m.kept(1, payment.Cancelled)
				m.start()
				m.kept(1, payment.Cancelled)
				m.asked("settle", &m.bank.settled, 0)
			})
		})
	}
}

func TestTimeout(t *testing.T) {
	within := func(m *terminal, reference string, d time.Duration) *held {
		return m.hold(func(ctx context.Context, h *held) {
			r := request(reference)
			r.Timeout = d
			h.tx, h.err = m.Pay(ctx, r)
		})
	}
	inFront(t, func(m *terminal) {
		m.asks(payment.Prompt{Step: payment.StepPIN, Cancellable: true})
		h := within(m, "r", 10*time.Second)
		m.cancelled(h)
		if h.took != 10*time.Second {
			t.Errorf("after %v", h.took)
		}
	})
	inBubble(t, func(m *terminal) { // nobody brings the terminal to the front
		h := within(m, "r", 10*time.Second)
		m.cancelled(h)
		if h.took != 10*time.Second {
			t.Errorf("after %v", h.took)
		}
	})
	inFront(t, func(m *terminal) { // what is committed takes its time
		m.bank.pay = func(_ context.Context, c payment.Charge) (payment.Outcome, error) {
			c.Show(payment.Prompt{Step: payment.StepProcessing})
			time.Sleep(time.Minute)
			return ending(payment.Accepted), nil
		}
		h := within(m, "r", 10*time.Second)
		<-h.done
		if h.err != nil || h.tx.Status() != payment.Approved {
			t.Errorf("%q, %v", h.tx.Status(), h.err)
		}
	})
	inFront(t, func(m *terminal) { // the time of one that is over is not the next one's
		m.asks(payment.Prompt{Step: payment.StepPIN, Cancellable: true})
		h := within(m, "r", 10*time.Second)
		m.act(m.prompt(payment.StepPIN).Serial, payment.Action{Kind: payment.ActPIN}, nil)
		<-h.done
		next := m.holdPay("next")
		time.Sleep(time.Hour)
		m.act(m.prompt(payment.StepPIN).Serial, payment.Action{Kind: payment.ActPIN}, nil)
		<-next.done
		if next.err != nil || next.tx.Status() != payment.Approved {
			t.Errorf("%q, %v", next.tx.Status(), next.err)
		}
	})
}
