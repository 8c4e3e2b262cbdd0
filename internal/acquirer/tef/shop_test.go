package tef_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var _ payment.Acquirer = (*tef.Acquirer)(nil)

// shop is a manager, a driver and the ledger between them, as small as it can be.
type shop struct {
	*tef.Acquirer
	t       *testing.T
	profile string
	config  tefsim.Config
	stop    func() // the manager
	shown   []payment.Prompt
	action  payment.Action
	ledger  map[int64]payment.Transaction // what is on disk …
	owed    []string                      // … and this too
}

func atShop(t *testing.T, profile string, change func(*tefsim.Config), test func(*testing.T, *shop)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &shop{t: t, profile: profile, ledger: map[int64]payment.Transaction{}, action: payment.Action{Kind: payment.ActChoose, Method: payment.Debit}}
		s.config = tefsim.Config{Dir: dir, As: profile, Ledger: filepath.Join(dir, "ledger.jsonl")}
		if change != nil {
			change(&s.config)
		}
		s.startManager()
		defer func() { s.stop() }()
		s.startDriver()
		test(t, s)
	})
}

func (s *shop) startManager() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- tefsim.Run(ctx, s.config) }()
	s.stop = func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Error(err)
		}
		s.stop = func() {}
	}
	synctest.Wait() // its folders are there
}

// startDriver is the service starting anew on the same folders.
func (s *shop) startDriver() {
	s.t.Helper()
	profile, ok := tef.ProfileNamed(s.profile)
	if !ok {
		s.t.Fatalf("no profile %s", s.profile)
	}
	var err error
	s.Acquirer, err = tef.New(tef.Config{Profile: profile, Dir: s.config.Dir, Debts: s, Decided: s.decided})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) Owe(_, what string) error {
	if !slices.Contains(s.owed, what) {
		s.owed = append(s.owed, what)
	}
	return nil
}

func (s *shop) Paid(_, what string) error {
	s.owed = slices.DeleteFunc(s.owed, func(owed string) bool { return owed == what })
	return nil
}

func (s *shop) Owed(string) ([]string, error) { return slices.Clone(s.owed), nil }

func (s *shop) decided(o tef.Operation) (bool, error) {
	id, reversal := o.Number/100, int(o.Number%100) // the attempts here have no numbers of their own
	for _, t := range s.ledger {
		switch {
		case o.Number != 0 && (t.ID != id || reversal > len(t.Reversals)):
		case o.Number != 0 && reversal > 0:
			return t.State == payment.StateReversed && len(t.Reversals) == reversal, nil
		case o.Number != 0:
			return decided(t.State), nil
		case t.Outcome.Token != "" && o.Is(t.Outcome.Token):
			return decided(t.State), nil
		}
	}
	return false, nil
}

func attempt(id int64, amount string, method payment.Method) payment.Transaction {
	return payment.Transaction{
		ID: id, State: payment.StateSent,
		Request: payment.Request{Method: method, Amount: money.MustParse(amount), Installments: 1, Plan: payment.Single},
	}
}

func (s *shop) charge(t payment.Transaction) payment.Charge {
	return payment.Charge{
		Transaction: t, Sending: func() error { return nil },
		Show: func(p payment.Prompt) { s.shown = append(s.shown, p) },
		Ask: func(_ context.Context, p payment.Prompt) (payment.Action, error) {
			s.shown = append(s.shown, p)
			return s.action, nil
		},
	}
}

// within is a context for an operation that may never be answered.
func within(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), d)
}

// keep is the ledger taking the acquirer's word on what is under way.
func (s *shop) keep(t payment.Transaction, o payment.Outcome) payment.Transaction {
	accepted := o.Verdict == payment.Accepted
	switch {
	case t.Reversing() && accepted:
		last := t.LastReversal()
		last.NSU, last.Token, last.At = o.NSU, o.Token, time.Now()
		t.State, t.Reversals = payment.StateReversed, append(t.Reversals[:len(t.Reversals)-1:len(t.Reversals)-1], last)
	case t.Reversing():
		t.State = payment.StateConfirmed
	case accepted:
		t.State, t.Outcome = payment.StateConfirmed, o
	default:
		t.State, t.Outcome = payment.StateRefused, o
	}
	s.ledger[t.ID] = t
	return t
}

// sell pays as the desk does: what has no answer within the time is settled.
func (s *shop) sell(t payment.Transaction, wait time.Duration) (payment.Transaction, payment.Outcome) {
	s.t.Helper()
	s.ledger[t.ID] = t
	ctx, cancel := within(wait)
	defer cancel()
	var o payment.Outcome
	var err error
	if t.Reversing() {
		o, err = s.Reverse(ctx, s.charge(t))
	} else {
		o, err = s.Pay(ctx, s.charge(t))
	}
	if err != nil {
		o = s.settles(t)
	}
	t = s.keep(t, o)
	if o.Verdict == payment.Accepted {
		s.confirms(t)
	}
	return t, o
}

func giving(t payment.Transaction) payment.Transaction {
	t.State = payment.StateReversing
	t.Reversals = append(slices.Clip(t.Reversals), payment.Reversal{Amount: t.Request.Amount})
	return t
}

var errGaveUp = errors.New("not within many tries")

func (s *shop) settles(t payment.Transaction) payment.Outcome {
	s.t.Helper()
	for range 20 {
		ctx, cancel := within(5 * time.Second) // as the desk
		o, err := s.Settle(ctx, t)
		cancel()
		if err == nil {
			return o
		}
		time.Sleep(5 * time.Second)
	}
	s.t.Fatal(t.Operation(), errGaveUp)
	return payment.Outcome{}
}

func (s *shop) confirms(t payment.Transaction) {
	s.t.Helper()
	for range 20 {
		ctx, cancel := within(10 * time.Second)
		err := s.Confirm(ctx, t)
		cancel()
		if err == nil {
			return
		}
		time.Sleep(5 * time.Second)
	}
	s.t.Fatal(t.Operation(), errGaveUp)
}

func is(t *testing.T, o payment.Outcome, v payment.Verdict) {
	t.Helper()
	if o.Verdict != v {
		t.Fatalf("%+v, want %s", o, v)
	}
}

// balanced compares both ledgers: what the shop was told is what the customers have paid, and nothing is open.
func (s *shop) balanced() {
	s.t.Helper()
	b, err := tefsim.ReadBalance(s.config.Ledger)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, p := range b.Protests {
		s.t.Errorf("protest: %+v", p)
	}
	standing := map[string]int{}
	for _, a := range b.Accounts {
		if a.Open {
			s.t.Errorf("left open: %+v", a)
		}
		if a.Standing() {
			standing[a.ID]++
		}
	}
	for id, t := range s.ledger {
		want := 0
		if t.State == payment.StateConfirmed {
			want = 1
		}
		key := fmt.Sprint(id * 100)
		if standing[key] != want {
			s.t.Errorf("%d is %s (%s) and stands %d times", id, t.State, t.Outcome.Verdict, standing[key])
		}
		delete(standing, key)
	}
	if len(standing) > 0 {
		s.t.Errorf("standing and unknown to the shop: %v", standing)
	}
}

// decided tells that the ledger holds the decision that the payment counts.
func decided(s payment.State) bool {
	return s == payment.StateConfirmed || s == payment.StateReversing || s == payment.StateReversed
}
