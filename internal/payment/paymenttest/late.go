package paymenttest

import (
	"fmt"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// ConformLate has customers pay when a payment is over, for drivers that fill payment.LateReceiver: the money is booked,
// goes back once, and whoever kills the process on the way changes nothing about that. Pay has the customer of a
// transaction pay now.
func ConformLate(t *testing.T, open func(t *testing.T, dir string) (fixture Fixture, pay func(payment.Transaction))) {
	for _, c := range []struct {
		ending Case
		wait   time.Duration
	}{
		{OperatorCancels, time.Second},
		{CustomerCancels, time.Second},
		{Refuse, time.Second},
		{LostAfter, time.Second},
		{CustomerCancels, time.Hour},
		{OperatorCancels, 22 * time.Hour},
	} {
		t.Run(fmt.Sprintf("%s, %v later", c.ending, c.wait), func(t *testing.T) {
			t.Parallel()
			atLateTerminal(t, open, func(m *terminal, pay func(payment.Transaction)) {
				m.endsUnpaid(Scene{Kind: payment.Payment, Case: c.ending}, "sale")
				time.Sleep(c.wait)
				for range 2 { // nothing keeps a customer from paying once more
					paid := time.Now()
					pay(m.newest("sale"))
					m.cameAndWent("sale", paid)
					time.Sleep(time.Second)
				}
			})
		})
	}
	t.Run("killed at each step", func(t *testing.T) {
		t.Parallel()
		atLateTerminal(t, open, func(m *terminal, pay func(payment.Transaction)) {
			for steps, alive := 1, false; !alive && !m.t.Failed(); steps++ {
				reference := fmt.Sprint("killed at ", steps)
				m.endsUnpaid(Scene{Kind: payment.Payment, Case: OperatorCancels}, reference)
				paid := time.Now()
				pay(m.newest(reference))
				m.process.killAfter(steps)
				time.Sleep(time.Minute)
				if alive = m.process.killAfter(-1); !alive {
					m.stop()
					m.start(-1)
				}
				m.cameAndWent(reference, paid)
				if alive && steps < 8 {
					m.t.Errorf("over after %d steps", steps)
				}
			}
		})
	})
}

func atLateTerminal(t *testing.T, open func(t *testing.T, dir string) (Fixture, func(payment.Transaction)), test func(*terminal, func(payment.Transaction))) {
	t.Helper()
	var pay func(payment.Transaction)
	atTerminal(t, func(t *testing.T, dir string) (f Fixture) {
		f, pay = open(t, dir)
		return f
	}, func(m *terminal) { test(m, pay) })
}

// endsUnpaid plays a payment that ends without money.
func (m *terminal) endsUnpaid(s Scene, reference string) {
	m.t.Helper()
	if s.Case == LostAfter { // its caller is answered by the charge that was found: the person calls that off
		m.fixture.Play(s)
		s.Case = OperatorCancels
	}
	m.must(s, reference, payment.Cancelled, payment.Refused)
	m.compare()
}

func (m *terminal) newest(reference string) payment.Transaction {
	m.t.Helper()
	t, err := m.desk.Find(reference)
	if err != nil {
		m.t.Fatal(err)
	}
	return t.Transaction
}

// cameAndWent waits until what was paid late is booked and back.
func (m *terminal) cameAndWent(reference string, paid time.Time) {
	m.t.Helper()
	const longest = 2 * time.Hour // the oldest are looked at every hour
	for {
		t := m.newest(reference)
		if t.Late.Came() && !t.Late.Kept() && !t.Late.ReturnedAt.Before(paid) {
			if t.Status() == payment.Approved || t.Late.EndToEndID == "" {
				m.t.Errorf("%+v", t)
			}
			break
		}
		if time.Since(paid) > longest {
			m.t.Fatalf("what came late on %s is not back after %v: %+v", reference, longest, t.Late)
		}
		time.Sleep(5 * time.Second)
	}
	m.compare()
}
