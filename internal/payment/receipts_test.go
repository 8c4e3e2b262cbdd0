package payment_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

var errJam = errors.New("the paper is jammed")

// till is a printer of receipts that does as the test says, and notes what it was given.
type till struct {
	mu     sync.Mutex
	mode   payment.ReceiptMode
	print  func(context.Context, payment.Slip) error // nil: at once
	paper  []payment.Slip
	failed []payment.Slip
	why    error
}

func (r *till) Mode() payment.ReceiptMode {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mode
}

func (r *till) Print(ctx context.Context, s payment.Slip) error {
	if r.print != nil {
		if err := r.print(ctx, s); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paper = append(r.paper, s)
	return nil
}

func (r *till) unprinted(s payment.Slip, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed, r.why = append(r.failed, s), err
}

// slow prints nothing in a lifetime.
func slow(ctx context.Context, _ payment.Slip) error {
	<-ctx.Done()
	return ctx.Err()
}

var slips = payment.Receipt{Customer: "para o cliente", Merchant: "para a loja"}

// withTill runs a test on a terminal whose bank gives receipts.
func withTill(t *testing.T, mode payment.ReceiptMode, test func(*terminal)) {
	t.Helper()
	inFront(t, func(m *terminal) {
		accept := func(context.Context, payment.Charge) (payment.Outcome, error) {
			return payment.Outcome{Verdict: payment.Accepted, NSU: "7", Receipt: slips}, nil
		}
		m.bank.pay, m.bank.reverse = accept, accept
		m.till = &till{mode: mode}
		m.restart()
		test(m)
	})
}

// prints checks which copies came out, and takes them.
func (m *terminal) prints(want ...payment.Slip) {
	m.t.Helper()
	m.till.mu.Lock()
	defer m.till.mu.Unlock()
	if !slices.Equal(m.till.paper, want) {
		m.t.Fatalf("printed %+v, want %+v", m.till.paper, want)
	}
	m.till.paper = nil
}

// result is the end on the screen, as far as it is about the receipt.
func (m *terminal) result() payment.Paper {
	m.t.Helper()
	synctest.Wait()
	e, ok := m.Ended()
	if !ok {
		m.t.Fatal("no end is shown")
	}
	return e.Paper
}

func customerCopy(reference string) payment.Slip {
	return payment.Slip{Kind: payment.Payment, Reference: reference, Copy: payment.CustomerCopy, Text: slips.Customer}
}

func merchantCopy(reference string) payment.Slip {
	return payment.Slip{Kind: payment.Payment, Reference: reference, Copy: payment.MerchantCopy, Text: slips.Merchant}
}

func TestReceiptsByMode(t *testing.T) {
	for mode, want := range map[payment.ReceiptMode][]payment.Slip{
		payment.ReceiptNone: nil, payment.ReceiptAsk: nil, payment.ReceiptCustomer: {customerCopy("r")}, payment.ReceiptBoth: {merchantCopy("r"), customerCopy("r")},
	} {
		withTill(t, mode, func(m *terminal) {
			m.pay("r", payment.Approved, nil)
			m.prints(want...)
			if p := m.result(); p.Ask != (mode == payment.ReceiptAsk) || p.Printing || p.Failed || len(p.Printed) != len(want) {
				t.Errorf("%s: the screen has %+v", mode, p)
			}
			m.pay("r", payment.Approved, nil) // from the ledger
			m.prints()
			m.bank.reverse = func(context.Context, payment.Charge) (payment.Outcome, error) {
				return payment.Outcome{Verdict: payment.Accepted, Receipt: payment.Receipt{Merchant: "devolvido"}}, nil
			}
			m.reverse("r", payment.Accepted, nil)
			if mode == payment.ReceiptBoth { // there is no copy for the customer
				m.prints(payment.Slip{Kind: payment.Refund, Reference: "r", Copy: payment.MerchantCopy, Text: "devolvido"})
			} else {
				m.prints()
			}
			m.bank.pay = func(context.Context, payment.Charge) (payment.Outcome, error) {
				return payment.Outcome{Verdict: payment.Declined, Receipt: slips}, nil
			}
			m.pay("s", payment.Refused, nil)
			m.prints()
			if p := m.result(); p.Ask || p.Printing || p.Failed || p.Printed != nil {
				t.Errorf("%s: after a refusal the screen has %+v", mode, p)
			}
		})
	}
}

// The ledger has the outcome before paper moves; the caller is answered after it has, and finds the terminal free.
func TestReceiptsPrintBetweenTheLedgerAndTheAnswer(t *testing.T) {
	withTill(t, payment.ReceiptBoth, func(m *terminal) {
		m.till.print = func(context.Context, payment.Slip) error {
			if kept := m.ledger.all(); kept[0].Status() != payment.Approved {
				t.Errorf("printing while the ledger has %+v", kept)
			}
			if e, ok := m.Ended(); !ok || !e.Paper.Printing || !m.gate.Busy() {
				t.Errorf("while it prints the screen has %+v; busy %v", e, m.gate.Busy())
			}
			time.Sleep(time.Second)
			return nil
		}
		h := m.holdPay("r")
		time.Sleep(1500 * time.Millisecond)
		if h.isOver() {
			t.Error("answered before the second copy")
		}
		<-h.done
		if h.err != nil || h.tx.Status() != payment.Approved || h.took != 2*time.Second {
			t.Errorf("%+v, %v after %v", h.tx, h.err, h.took)
		}
		if m.gate.Busy() {
			t.Error("answered while the terminal is busy")
		}
		m.prints(merchantCopy("r"), customerCopy("r"))
		time.Sleep(3*time.Second - time.Nanosecond) // its time on the screen begins when all is printed
		m.result()
		time.Sleep(time.Nanosecond)
		m.shows(nil)
	})
}

func TestReceiptsThatDoNotPrintChangeNothing(t *testing.T) {
	for name, fail := range map[string]struct {
		print func(context.Context, payment.Slip) error
		took  time.Duration
		why   error
	}{
		"jammed": {func(context.Context, payment.Slip) error { return errJam }, 0, errJam},
		"slow":   {slow, 5 * time.Second, context.DeadlineExceeded},
		"slow second copy": {func(ctx context.Context, s payment.Slip) error {
			if s.Copy == payment.CustomerCopy {
				return slow(ctx, s)
			}
			time.Sleep(4 * time.Second)
			return nil
		}, 5 * time.Second, context.DeadlineExceeded},
		"panics": {func(context.Context, payment.Slip) error { panic("a driver's fault") }, 0, nil},
	} {
		withTill(t, payment.ReceiptBoth, func(m *terminal) {
			m.till.print = fail.print
			h := m.holdPay("r")
			<-h.done
			if h.err != nil || h.tx.Status() != payment.Approved || h.took != fail.took {
				t.Errorf("%s: %+v, %v after %v", name, h.tx, h.err, h.took)
			}
			m.idle()
			m.kept(1, payment.Approved)
			if len(m.till.failed) != 1 || m.till.failed[0].Reference != "r" || !errors.Is(m.till.why, fail.why) && fail.why != nil {
				t.Errorf("%s: told of %+v, %v", name, m.till.failed, m.till.why)
			}
			if p := m.result(); !p.Failed || !p.Ask || p.Printing {
				t.Errorf("%s: the screen has %+v", name, p)
			}
			m.till.print = nil // somebody has put paper in
			if err := m.PrintCopy(payment.CustomerCopy); err != nil {
				t.Errorf("%s: once more: %v", name, err)
			}
			if p := m.result(); p.Failed || !slices.Contains(p.Printed, payment.CustomerCopy) {
				t.Errorf("%s: once more, the screen has %+v", name, p)
			}
		})
	}
}

func TestReceiptsDismissedWhilePrinting(t *testing.T) {
	for _, err := range []error{nil, errJam} {
		withTill(t, payment.ReceiptCustomer, func(m *terminal) {
			m.till.print = func(context.Context, payment.Slip) error {
				time.Sleep(time.Second)
				return err
			}
			h := m.holdPay("r")
			m.DismissEnded()
			m.shows(nil)
			<-h.done
			if _, shown := m.Ended(); shown != (err != nil) {
				t.Errorf("after %v: shown %v", err, shown)
			}
		})
	}
}

func TestReceiptsOutliveTheCallerAndTheService(t *testing.T) {
	withTill(t, payment.ReceiptCustomer, func(m *terminal) {
		m.till.print = func(ctx context.Context, _ payment.Slip) error {
			select {
			case <-time.After(time.Second):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		h := m.holdPay("gone")
		h.hangUp()
		<-h.done
		m.kept(1, payment.Approved)
		time.Sleep(time.Second)
		m.idle()
		m.prints(customerCopy("gone"))

		h = m.holdPay("stopped")
		m.Close()
		<-h.done
		if h.err != nil || h.tx.Status() != payment.Approved || h.took != time.Second {
			t.Errorf("stopped: %+v, %v after %v", h.tx, h.err, h.took)
		}
		m.prints(customerCopy("stopped"))
		m.start()

		m.till.print = slow
		h = m.holdPay("slow")
		m.Close()
		<-h.done
		if h.err != nil || h.tx.Status() != payment.Approved || h.took != 2*time.Second {
			t.Errorf("stopped with a slow printer: %+v, %v after %v", h.tx, h.err, h.took)
		}
		m.start()
		m.kept(3, payment.Approved)
		if err := m.PrintCopy(payment.CustomerCopy); !errors.Is(err, payment.ErrNotAsked) {
			t.Errorf("after a restart: %v", err)
		}
	})
}

func TestReceiptsOnRequest(t *testing.T) {
	withTill(t, payment.ReceiptAsk, func(m *terminal) {
		want := func(c payment.Copy, err error) {
			t.Helper()
			if got := m.PrintCopy(c); !errors.Is(got, err) || (got == nil) != (err == nil) {
				t.Fatalf("%s copy: %v, want %v", c, got, err)
			}
		}
		want(payment.CustomerCopy, payment.ErrNotAsked) // nothing is shown
		m.till.print = func(context.Context, payment.Slip) error {
			if e, ok := m.Ended(); !ok || !e.Paper.Printing || !m.gate.Busy() {
				t.Error("printing, and nobody can tell")
			}
			time.Sleep(2 * time.Second)
			return nil
		}
		began := time.Now()
		m.pay("r", payment.Approved, nil)
		if d := time.Since(began); d != 0 {
			t.Errorf("the caller waited %v", d)
		}
		want("third", payment.ErrNotAsked)
		want(payment.CustomerCopy, nil)
		want(payment.CustomerCopy, nil)
		want(payment.MerchantCopy, nil)
		m.prints(customerCopy("r"), customerCopy("r"), merchantCopy("r"))
		if p := m.result(); !slices.Equal(p.Printed, []payment.Copy{payment.CustomerCopy, payment.MerchantCopy}) || !p.Ask {
			t.Errorf("the screen has %+v", p)
		}

		leave, err := m.gate.Enter()
		if err != nil {
			t.Fatal(err)
		}
		want(payment.CustomerCopy, operation.ErrBusy)
		leave()
		m.till.print = func(context.Context, payment.Slip) error { return errJam }
		want(payment.CustomerCopy, payment.ErrNotPrinted)
		if p := m.result(); !p.Failed || !p.Ask || len(m.till.failed) != 1 {
			t.Errorf("jammed, the screen has %+v", p)
		}
		m.till.print = nil
		time.Sleep(10*time.Second - time.Nanosecond)
		want(payment.CustomerCopy, nil)
		m.prints(customerCopy("r"))
		time.Sleep(10*time.Second - time.Nanosecond) // each copy begins its time anew
		m.result()
		time.Sleep(time.Nanosecond)
		m.shows(nil)
		want(payment.CustomerCopy, payment.ErrNotAsked)

		m.pay("s", payment.Approved, nil)
		m.DismissEnded()
		want(payment.CustomerCopy, payment.ErrNotAsked)
		m.pay("t", payment.Approved, nil)
		m.till.print = slow
		held := make(chan error, 1)
		go func() { held <- m.PrintCopy(payment.MerchantCopy) }()
		synctest.Wait()
		m.Close()
		if err := <-held; !errors.Is(err, payment.ErrNotPrinted) || m.gate.Busy() {
			t.Errorf("at the end: %v, busy %v", err, m.gate.Busy())
		}
	})
}
