//go:build !race || everything

package payment_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/thorough"
)

type alwaysInFront struct{}

func (alwaysInFront) Wait(context.Context) error { return nil }

// shop is a desk on a real ledger with a real emulated bank, and what a bookkeeper knows of both.
type shop struct {
	dir    string
	store  *store.Store
	ledger *store.Ledger
	bank   *emulator.Acquirer
	desk   *payment.Desk
	gate   *operation.Gate
	life   *life

	known map[string]known // by reference
	told  map[int64]payment.Status
}

func (s *shop) open(t *rapid.T) {
	var err error
	if s.store == nil {
		if s.store, err = store.Open(s.dir); err != nil {
			t.Fatal(err)
		}
		if s.ledger, err = s.store.Ledger(); err != nil {
			t.Fatal(err)
		}
	}
	if s.bank, err = emulator.New(s.dir); err != nil {
		t.Fatal(err)
	}
	s.gate, s.life = &operation.Gate{}, &life{left: -1}
	s.desk = payment.NewDesk(payment.Config{
		Ways:   []payment.Way{{Name: "bank", Acquirer: killableBank{s.bank, s.life}, Methods: []payment.Method{payment.Credit, payment.Debit, payment.Pix}}},
		Ledger: killableLedger{s.ledger, s.life}, Gate: s.gate, Foreground: alwaysInFront{}, Changed: func() {},
	})
	synctest.Wait()
}

func (s *shop) close(t *rapid.T) {
	s.desk.Close()
	err := s.bank.Close()
	// Opening the file again takes long and is tested elsewhere: not every time.
	if rapid.IntRange(0, 3).Draw(t, "close the file") == 0 {
		err = errors.Join(err, s.store.Close())
		s.store = nil
	}
	if err != nil {
		t.Fatal(err)
	}
}

// settled is long enough for the emulator's silence to end and the recovery to have asked again.
const settled = 20 * time.Second

// Restart stops and starts the service between operations.
func (s *shop) Restart(t *rapid.T) {
	s.close(t)
	s.open(t)
}

var (
	references = []string{"", "a", "b", "c"}
	endings    = map[string]payment.Status{
		"10.00": payment.Approved, "25": payment.Approved, "0.51": payment.Refused, "0.57": payment.Cancelled, "0.98": payment.Pending,
	}
)

// person is what happens at the terminal once it asks for somebody.
type person struct {
	forced emulator.Ending // empty: does what the screen asks
	closes bool            // the service is stopped first
	hangs  bool            // the caller hangs up first
	off    bool            // it is the caller who cancels
}

func drawPerson(t *rapid.T) person {
	p := person{forced: rapid.SampledFrom([]emulator.Ending{"", "", "", emulator.Approve, emulator.Refuse, emulator.Cancel, emulator.Timeout, emulator.Offline}).Draw(t, "person")}
	switch rapid.IntRange(0, 9).Draw(t, "meanwhile") {
	case 1:
		p.closes = true
	case 2:
		p.hangs = true
	case 3:
		p.forced, p.off = emulator.Cancel, true
	}
	return p
}

// drawFuse is when the power goes in an operation: mostly not at all.
func drawFuse(t *rapid.T) int {
	return rapid.SampledFrom([]int{-1, -1, -1, -1, -1, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}).Draw(t, "fuse")
}

// play runs an operation with a person at the terminal. It returns false when the process died or was stopped
// in it, so that nothing was answered for sure; the service is up again then.
func (s *shop) play(t *rapid.T, p person, fuse int, operate func(context.Context)) (answered bool) {
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	s.life.set(fuse)
	done := make(chan struct{})
	go func() {
		defer close(done)
		operate(ctx)
	}()
	synctest.Wait()
	if _, waiting := s.bank.Waiting(); waiting && !p.closes {
		if p.hangs {
			hangUp()
			synctest.Wait()
		}
		d := emulator.Decision{}
		if p.forced != "" {
			d.Forced = &emulator.Reply{Ending: p.forced}
		}
		decide := func() error { return s.bank.Decide(d) }
		if p.off {
			running, _ := s.desk.Running()
			decide = func() error { return s.desk.Cancel(operation.Wish{ID: running.Operation}) }
		}
		if err := decide(); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Wait()
	stopped := s.life.dead() || p.closes
	if stopped {
		s.close(t)
	}
	<-done
	synctest.Wait()
	if stopped {
		s.open(t)
	} else {
		s.life.set(-1)
	}
	if s.gate.Busy() {
		t.Fatal("the terminal is still taken")
	}
	return !stopped && !p.hangs
}

func (s *shop) Pay(t *rapid.T) {
	amount := rapid.SampledFrom([]string{"10.00", "10.00", "25", "0.51", "0.57", "0.98"}).Draw(t, "amount")
	r := payment.Request{
		Method: rapid.SampledFrom([]payment.Method{payment.Credit, payment.Pix}).Draw(t, "method"), Amount: money.MustParse(amount),
		Reference: rapid.SampledFrom(references).Draw(t, "reference"), Installments: 1, Plan: payment.Single,
	}
	p := drawPerson(t)
	before := s.known[r.Reference]
	if r.Reference == "" {
		before = known{}
	}
	var got payment.Transaction
	var err error
	answered := s.play(t, p, drawFuse(t), func(ctx context.Context) { got, err = s.desk.Pay(ctx, r) })

	// What must come of it, were nothing to fail.
	want := known{request: r}
	switch {
	case before.status == payment.Approved && before.request.Same(r):
		s.expect(t, got, err, payment.Approved, nil)
		return
	case before.status == payment.Approved || before.status == payment.Reversed:
		if !errors.Is(err, payment.ErrReferenceUsed) {
			t.Fatalf("a used reference: %+v, %v", got, err)
		}
		return
	case p.forced != "":
		want.status = map[emulator.Ending]payment.Status{
			emulator.Approve: payment.Approved, emulator.Refuse: payment.Refused, emulator.Offline: payment.Refused,
			emulator.Cancel: payment.Cancelled, emulator.Timeout: payment.Pending,
		}[p.forced]
	default:
		want.status = endings[amount]
	}

	switch {
	case !answered:
		time.Sleep(settled)
		synctest.Wait()
		s.adopt(t, r, before, want)
	case want.status == payment.Pending:
		s.expect(t, got, err, "", payment.ErrUnknown)
		s.silence(t, r)
		s.set(r.Reference, known{status: payment.Cancelled, request: r})
	default:
		s.expect(t, got, err, want.status, nil)
		s.set(r.Reference, want)
	}
}

// silence is the time in which the bank does not say what became of a payment or reversal.
func (s *shop) silence(t *rapid.T, r payment.Request) {
	if r.Reference != "" && rapid.Bool().Draw(t, "impatient") {
		if got, err := s.desk.Pay(context.Background(), r); !errors.Is(err, payment.ErrUnknown) {
			t.Fatalf("paying what is pending: %+v, %v", got, err)
		}
		if found, err := s.desk.Find(r.Reference); err != nil || found.Status() != payment.Pending {
			t.Fatalf("looking at what is pending: %+v, %v", found, err)
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "restart") == 0 {
		s.Restart(t)
	}
	time.Sleep(settled)
	synctest.Wait()
}

func (s *shop) set(reference string, k known) {
	if reference != "" {
		s.known[reference] = k
	}
}

// expect checks an answer, and remembers what the caller now believes.
func (s *shop) expect(t *rapid.T, got payment.Transaction, err error, want payment.Status, wantErr error) {
	t.Helper()
	if !errors.Is(err, wantErr) || (err == nil) != (wantErr == nil) || got.Status() != want {
		t.Fatalf("answered %q, %v; want %q, %v", got.Status(), err, want, wantErr)
	}
	if err == nil {
		s.told[got.ID] = got.Status()
	}
}

// adopt looks at what became of a payment that nobody answered, and takes it if it is one of what may be.
func (s *shop) adopt(t *rapid.T, r payment.Request, before, want known) {
	if r.Reference == "" {
		return // the books are checked anyway
	}
	found, err := s.ledger.Newest(r.Reference)
	switch {
	case errors.Is(err, payment.ErrNotFound) && before.status == "":
		return // it died before the attempt was kept
	case err != nil:
		t.Fatalf("%s: %v", r.Reference, err)
	}
	switch {
	case found.Status() == before.status && found.Request.Same(before.request), // the same
		found.Status() == payment.Cancelled && found.Request.Same(r), // undone
		found.Status() == want.status && want.status != payment.Pending && found.Request.Same(r):
		s.known[r.Reference] = known{found.Status(), found.Request, found.Returned()}
	default:
		t.Fatalf("%s became %s %s; it was %q, and %q was under way", r.Reference, found.Status(), found.Request.Amount, before.status, want.status)
	}
}

func (s *shop) Reverse(t *rapid.T) {
	r := drawRefund(t)
	p := drawPerson(t)
	before := s.known[r.Reference]
	var got payment.ReversalOutcome
	var err error
	answered := s.play(t, p, drawFuse(t), func(ctx context.Context) { got, err = s.desk.Reverse(ctx, r) })
	switch wantErr, again := before.refused(r); {
	case wantErr != nil:
		if !errors.Is(err, wantErr) {
			t.Fatalf("reversing what is %q: %v, want %v", before.status, err, wantErr)
		}
		return
	case again:
		s.expect(t, got.Transaction, err, before.status, nil)
		return
	}
	back := payment.Reversal{ID: r.ID, Amount: before.left()}
	if r.Amount != nil {
		back.Amount = *r.Amount
	}
	made, after := p.forced == "" || p.forced == emulator.Approve, before.after(back)
	if !answered {
		time.Sleep(settled)
		synctest.Wait()
		found, err := s.ledger.Newest(r.Reference)
		switch {
		case err == nil && found.Status() == before.status && found.Left().Cmp(before.left()) == 0:
		case err == nil && found.Status() == after.status && found.Left().Cmp(after.left()) == 0 && made:
			s.known[r.Reference] = after
		default:
			t.Fatalf("a reversal nobody answered left %q with %s, %v", found.Status(), found.Left(), err)
		}
		return
	}
	switch p.forced {
	case "", emulator.Approve:
		s.expect(t, got.Transaction, err, after.status, nil)
		s.known[r.Reference] = after
	case emulator.Timeout:
		s.expect(t, got.Transaction, err, "", payment.ErrUnknown)
		s.silence(t, before.request)
	default:
		s.expect(t, got.Transaction, err, payment.Approved, nil)
		if want := map[emulator.Ending]payment.Verdict{emulator.Cancel: payment.Abandoned}[p.forced]; want != "" && got.Outcome.Verdict != want {
			t.Fatalf("%s: %q", p.forced, got.Outcome.Verdict)
		}
	}
}

// However payments, reversals, stops and power cuts follow each other, bank and shop end up with the same books.
func TestBooksAgree(t *testing.T) {
	thorough.Checks(t, 20)
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		rapid.SyncTest(t, func(t *rapid.T) {
			s := &shop{dir: dir, known: map[string]known{}, told: map[int64]payment.Status{}}
			s.open(t)
			t.Cleanup(func() { // a failed run must leave nothing behind
				s.desk.Close()
				s.bank.Close()
				if s.store != nil {
					s.store.Close()
				}
			})
			t.Repeat(map[string]func(*rapid.T){
				"pay": s.Pay, "pay too": s.Pay, "reverse": s.Reverse, "restart": s.Restart, "": s.Check,
			})
		})
	})
}
