package paymenttest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// terminal is a desk on a real ledger with the driver as its only way, and the people around it.
type terminal struct {
	t       *testing.T
	fixture Fixture
	ledger  *store.Ledger

	process *Process
	desk    *payment.Desk
	stop    func()

	mu       sync.Mutex
	scene    Scene
	told     map[int64]payment.Status
	toldBack map[int64]money.Decimal // how much went back
	caller   *caller                 // who calls the operation off; nil: nobody does
}

// atTerminal runs a test in a bubble, in no time.
func atTerminal(t *testing.T, open func(t *testing.T, dir string) Fixture, test func(*terminal)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		files, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer files.Close()
		m := &terminal{t: t, stop: func() {}, told: map[int64]payment.Status{}, toldBack: map[int64]money.Decimal{}}
		if m.ledger, err = files.Ledger(); err != nil {
			t.Fatal(err)
		}
		m.fixture = open(t, dir)
		defer m.fixture.Close()
		defer func() { m.stop() }()
		m.start(-1)
		test(m)
	})
}

type alwaysInFront struct{}

func (alwaysInFront) Wait(context.Context) error { return nil }

// start is the service starting, to be killed after so many steps; negative: never.
func (m *terminal) start(steps int) {
	m.process = newProcess(steps)
	ledger := book{m.ledger, m.process, m}
	driver, stopDriver := m.fixture.Start(m.process, ledger)
	changed, gone := make(chan struct{}, 1), make(chan struct{})
	desk := payment.NewDesk(payment.Config{
		Ways:   []payment.Way{{Name: Name, Acquirer: repeated{driver, m.process, m}, Methods: m.fixture.Methods}},
		Ledger: ledger, Gate: &operation.Gate{}, Foreground: alwaysInFront{},
		Changed: func() {
			select {
			case changed <- struct{}{}:
			default:
			}
		},
	})
	var people sync.WaitGroup
	people.Go(func() { m.attend(desk, changed, gone) })
	m.desk = desk
	m.stop = func() {
		desk.Close()
		stopDriver()
		close(gone)
		people.Wait()
		m.stop = func() {}
	}
}

// attend has the people do what they do about each prompt.
func (m *terminal) attend(desk *payment.Desk, changed, gone <-chan struct{}) {
	for last := uint64(0); ; {
		select {
		case <-changed:
		case <-gone:
			return
		}
		shown, ok := desk.Shown()
		if !ok || shown.Serial == last || m.fixture.Person == nil {
			continue
		}
		last = shown.Serial
		m.mu.Lock()
		scene, caller := m.scene, m.caller
		m.mu.Unlock()
		if caller != nil && caller.sees() {
			continue
		}
		m.fixture.Person(scene, shown, func(a payment.Action) {
			if err := desk.Act(shown.Serial, a); err != nil && caller == nil { // who is called off meanwhile is not heard
				m.t.Errorf("%s at %s: %v", a.Kind, shown.Prompt.Step, err)
			}
		})
	}
}

// What is paid, and what part of it goes back.
var wholeAmount, partAmount = money.MustParse("10.00"), money.MustParse("4.00")

// answer is what the caller got.
type answer struct {
	status payment.Status
	err    error
	ended  bool // false: the process was killed, or waits for ever, and nobody was told
}

// operate plays a scene on a reference. If nothing came of it the terminal is off when it returns.
func (m *terminal) operate(s Scene, reference string) answer {
	m.mu.Lock()
	m.scene = s
	m.mu.Unlock()
	m.fixture.Play(s)
	defer m.fixture.Behave()
	done := make(chan answer, 1)
	var caller sync.WaitGroup
	caller.Go(func() {
		t, err := m.ask(s, reference)
		if err == nil && m.process.Alive() == nil {
			m.mu.Lock()
			m.told[t.ID], m.toldBack[t.ID] = t.Status(), t.GivenBack()
			m.mu.Unlock()
		}
		done <- answer{s.status(t), err, m.process.Alive() == nil}
	})
	select {
	case a := <-done:
		if a.ended {
			return a
		}
	case <-m.process.died:
	case <-time.After(Patience):
		m.t.Log("no answer: the terminal is switched off and on")
	}
	m.stop()
	caller.Wait() // it is told nothing, and must not see the next start
	return answer{}
}

func (m *terminal) ask(s Scene, reference string) (payment.Transaction, error) {
	if s.Kind == payment.Menu {
		return m.openMenu(reference)
	}
	if s.Kind == payment.Refund {
		r := payment.RefundRequest{Reference: reference}
		if s.Part {
			r.Amount, r.ID = &partAmount, "part"
		}
		o, err := m.desk.Reverse(context.Background(), r)
		return o.Transaction, err
	}
	method := m.fixture.Methods[0]
	if s.Case == OperatorCancels {
		method = payment.AnyMethod // there may be no other prompt to cancel
	}
	return m.desk.Pay(context.Background(), payment.Request{
		Method: method, Amount: wholeAmount, Reference: reference, Installments: 1, Plan: payment.Single,
	})
}

// openMenu has the operator do something about a sale in the acquirer's own menu.
func (m *terminal) openMenu(reference string) (t payment.Transaction, err error) {
	end, err := m.desk.OpenMenu(context.Background())
	if err != nil {
		return t, err
	}
	if e := <-end; e.Err != nil {
		return t, e.Err
	}
	return m.ledger.Newest(reference)
}

// unresolved is how much is left to be done.
func (m *terminal) unresolved() (int, error) {
	left, err := m.ledger.Unresolved()
	if err != nil {
		return 0, err
	}
	menus, err := m.ledger.OpenAdministrations()
	return len(left) + len(menus), err
}

// settled waits until nothing is unresolved; false: the process died before.
func (m *terminal) settled() bool {
	m.t.Helper()
	for began := time.Now(); time.Since(began) < 10*time.Minute; time.Sleep(time.Second) {
		synctest.Wait()
		if m.process.Alive() != nil {
			m.stop()
			return false
		}
		left, err := m.unresolved()
		if err != nil {
			m.t.Fatal(err)
		}
		if left == 0 {
			return true
		}
	}
	left, _ := m.ledger.Unresolved()
	menus, _ := m.ledger.OpenAdministrations()
	m.t.Fatalf("never resolved: %+v, %+v", left, menus)
	return false
}

func (m *terminal) all() []payment.Transaction {
	m.t.Helper()
	var all []payment.Transaction
	if err := m.ledger.List(context.Background(), payment.Filter{}, func(t payment.Transaction) error {
		all = append(all, t)
		return nil
	}); err != nil {
		m.t.Fatal(err)
	}
	return all
}

// stands is how the newest attempt of a reference stands, as the scene sees it; empty: there is none.
func (m *terminal) stands(scene Scene, reference string) payment.Status {
	m.t.Helper()
	t, err := m.desk.Find(reference)
	if err != nil && !errors.Is(err, payment.ErrNotFound) {
		m.t.Fatal(err)
	}
	return scene.status(t.Transaction)
}

// must plays a scene that nothing keeps from its end.
func (m *terminal) must(s Scene, reference string, want ...payment.Status) payment.Status {
	m.t.Helper()
	a := m.operate(s, reference)
	if !a.ended || a.err != nil || !slices.Contains(want, a.status) {
		m.t.Fatalf("%s of %s: %q, %v, ended %v; want %q", s.name(), reference, a.status, a.err, a.ended, want)
	}
	if !m.settled() {
		m.t.Fatal("died")
	}
	return a.status
}
