package payment_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/payment"
)

// reply is how an Ask ended.
type reply struct {
	payment.Action
	err error
}

// asks makes the bank ask one prompt after the other, and notes what comes back.
func (m *terminal) asks(prompts ...payment.Prompt) *[]reply {
	got := &[]reply{}
	m.bank.pay = func(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
		for _, p := range prompts {
			a, err := c.Ask(ctx, p)
			*got = append(*got, reply{a, err})
			if err != nil {
				return payment.Outcome{}, err
			}
			if a.Kind == payment.ActCancel {
				return ending(payment.Abandoned), nil
			}
		}
		return ending(payment.Accepted), nil
	}
	return got
}

func (m *terminal) prompt(step payment.Step) payment.Shown {
	m.t.Helper()
	synctest.Wait()
	s, ok := m.Shown()
	if !ok || s.Prompt.Step != step {
		m.t.Fatalf("shown: %+v, %v; want step %q", s, ok, step)
	}
	return s
}

func (m *terminal) act(serial uint64, a payment.Action, want error) {
	m.t.Helper()
	if err := m.Act(serial, a); !errors.Is(err, want) || (err == nil) != (want == nil) {
		m.t.Fatalf("%+v: %v, want %v", a, err, want)
	}
	synctest.Wait()
}

func TestDialogue(t *testing.T) {
	inFront(t, func(m *terminal) {
		methods := []payment.Method{payment.Credit, payment.Pix}
		got := m.asks(
			payment.Prompt{Step: payment.StepChoose, Methods: methods, Cancellable: true},
			payment.Prompt{Step: payment.StepInstallments, Method: payment.Debit, Installments: []int{1, 3}},
			payment.Prompt{Step: payment.StepPIN, Agreed: 3, Cancellable: true},
			payment.Prompt{Step: payment.StepConfirm},
		)
		h := m.holdPay("r")
		choose := m.prompt(payment.StepChoose)
		if choose.Method != payment.Credit || choose.Installments != 1 {
			t.Errorf("before any choice: %+v", choose)
		}
		m.act(choose.Serial, payment.Action{Kind: payment.ActChoose, Method: payment.Debit}, payment.ErrNotAsked) // not offered
		m.act(choose.Serial, payment.Action{Kind: payment.ActPIN}, payment.ErrNotAsked)
		m.act(choose.Serial+1, payment.Action{Kind: payment.ActCancel}, payment.ErrNotAsked)
		m.act(0, payment.Action{Kind: payment.ActCancel}, payment.ErrNotAsked)
		m.act(choose.Serial, payment.Action{Kind: payment.ActChoose, Method: payment.Pix}, nil)

		plan := m.prompt(payment.StepInstallments)
		if plan.Serial <= choose.Serial || plan.Method != payment.Debit {
			t.Errorf("second prompt: %+v after serial %d", plan, choose.Serial)
		}
		m.act(choose.Serial, payment.Action{Kind: payment.ActChoose, Method: payment.Pix}, payment.ErrNotAsked) // late
		m.act(plan.Serial, payment.Action{Kind: payment.ActInstallments, Installments: 2}, payment.ErrNotAsked)
		m.act(plan.Serial, payment.Action{Kind: payment.ActCancel}, payment.ErrNotAsked) // not cancellable
		m.act(plan.Serial, payment.Action{}, payment.ErrNotAsked)
		m.act(plan.Serial, payment.Action{Kind: payment.ActInstallments, Installments: 3}, nil)

		pin := m.prompt(payment.StepPIN)
		if pin.Method != payment.Debit || pin.Installments != 3 {
			t.Errorf("what was chosen is forgotten: %+v", pin)
		}
		m.act(pin.Serial, payment.Action{Kind: payment.ActPIN}, nil)
		m.act(pin.Serial, payment.Action{Kind: payment.ActPIN}, payment.ErrNotAsked) // twice
		m.act(m.prompt(payment.StepConfirm).Serial, payment.Action{Kind: payment.ActConfirm}, nil)
		<-h.done
		want := []reply{
			{payment.Action{Kind: payment.ActChoose, Method: payment.Pix}, nil},
			{payment.Action{Kind: payment.ActInstallments, Installments: 3}, nil},
			{payment.Action{Kind: payment.ActPIN}, nil},
			{payment.Action{Kind: payment.ActConfirm}, nil},
		}
		if !cmp.Equal(want, *got, cmp.AllowUnexported(reply{})) {
			t.Errorf("the bank heard %+v", *got)
		}
		m.kept(1, payment.Approved)
		m.act(pin.Serial, payment.Action{Kind: payment.ActCancel}, payment.ErrNotAsked) // nothing is shown
	})
}

// A prompt that is only shown takes nothing, and none takes a cancel once the operation is processing.
func TestNobodyCancelsWhatIsProcessing(t *testing.T) {
	inFront(t, func(m *terminal) {
		next := make(chan struct{})
		m.bank.pay = func(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
			c.Show(payment.Prompt{Step: payment.StepCard, Cancellable: true})
			<-next
			c.Show(payment.Prompt{Step: payment.StepProcessing, Cancellable: true})
			<-next
			if a, err := c.Ask(ctx, payment.Prompt{Step: payment.StepConfirm, Cancellable: true}); err != nil || a.Kind != payment.ActConfirm {
				t.Errorf("asked after processing: %+v, %v", a, err)
			}
			return ending(payment.Accepted), nil
		}
		h := m.holdPay("r")
		cancel := payment.Action{Kind: payment.ActCancel}
		m.act(m.prompt(payment.StepCard).Serial, cancel, payment.ErrNotAsked)
		next <- struct{}{}
		m.act(m.prompt(payment.StepProcessing).Serial, cancel, payment.ErrNotAsked)
		next <- struct{}{}
		last := m.prompt(payment.StepConfirm)
		if last.Prompt.Cancellable {
			t.Error("the screen offers to cancel what is processing")
		}
		m.act(last.Serial, cancel, payment.ErrNotAsked)
		m.act(last.Serial, payment.Action{Kind: payment.ActConfirm}, nil)
		<-h.done
		m.kept(1, payment.Approved)
	})
}

func TestAskEndsWithItsContext(t *testing.T) {
	inFront(t, func(m *terminal) {
		m.bank.pay = func(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
			short, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			began := time.Now()
			if _, err := c.Ask(short, payment.Prompt{Step: payment.StepPIN, Cancellable: true}); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
				t.Errorf("ended after %v with %v", time.Since(began), err)
			}
			if _, err := c.Ask(short, payment.Prompt{Step: payment.StepChoose}); err == nil {
				t.Error("asked in a context that had ended")
			}
			<-ctx.Done()
			return payment.Outcome{}, ctx.Err()
		}
		h := m.holdPay("r")
		pin := m.prompt(payment.StepPIN)
		time.Sleep(time.Hour)
		if s := m.prompt(payment.StepPIN); s.Serial != pin.Serial {
			t.Errorf("another prompt is shown: %+v", s)
		}
		m.act(pin.Serial, payment.Action{Kind: payment.ActPIN}, payment.ErrNotAsked) // nobody listens any more
		m.Close()
		<-h.done
	})
}

func TestCloseEndsAQuestion(t *testing.T) {
	inFront(t, func(m *terminal) {
		got := m.asks(payment.Prompt{Step: payment.StepPIN, Cancellable: true})
		h := m.holdPay("r")
		serial := m.prompt(payment.StepPIN).Serial
		m.Close()
		<-h.done
		if !errors.Is(h.err, payment.ErrUnknown) || len(*got) != 1 || !errors.Is((*got)[0].err, context.Canceled) {
			t.Errorf("%v, the bank heard %+v", h.err, *got)
		}
		m.act(serial, payment.Action{Kind: payment.ActPIN}, payment.ErrNotAsked)
	})
}

// Serials go on over a restart: a page that was left open must not act on what it never showed.
func TestSerialsAreNotUsedAgain(t *testing.T) {
	inFront(t, func(m *terminal) {
		var last uint64
		for range 3 {
			m.asks(payment.Prompt{Step: payment.StepPIN})
			h := m.holdPay("")
			s := m.prompt(payment.StepPIN)
			if s.Serial <= last || s.Serial >= 1<<53 {
				t.Errorf("serial %d after %d", s.Serial, last)
			}
			last = s.Serial
			m.act(s.Serial, payment.Action{Kind: payment.ActPIN}, nil)
			<-h.done
			time.Sleep(time.Millisecond)
			m.restart()
		}
	})
}
