//go:build !race || everything

package payment_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

var errDead = errors.New("the process is dead")

// life is how many more steps a process takes before the power goes. A dead one has no effect on anything.
type life struct {
	mu   sync.Mutex
	left int // negative: for ever
}

// step reports whether the process still lives after this one.
func (l *life) step() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left > 0 {
		l.left--
	}
	return l.left != 0
}

func (l *life) dead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.left == 0
}

func (l *life) set(steps int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left = steps
}

// killable does something that dies with its process, before it is done or just after.
func killable[T any](l *life, do func() (T, error)) (T, error) {
	var none T
	if !l.step() {
		return none, errDead
	}
	v, err := do()
	if !l.step() {
		return none, errDead
	}
	return v, err
}

// killableLedger and killableBank are the real ones, as a process that may die sees them.
type killableLedger struct {
	*store.Ledger
	*life
}

func (m killableLedger) Begin(t payment.Transaction) (int64, error) {
	return killable(m.life, func() (int64, error) { return m.Ledger.Begin(t) })
}

func (m killableLedger) Append(t payment.Transaction, note string) error {
	_, err := killable(m.life, func() (struct{}, error) { return struct{}{}, m.Ledger.Append(t, note) })
	return err
}

func (m killableLedger) Get(id int64) (t payment.Transaction, err error) {
	if m.dead() {
		return t, errDead
	}
	return m.Ledger.Get(id)
}

func (m killableLedger) Unresolved() ([]payment.Transaction, error) {
	if m.dead() {
		return nil, errDead
	}
	return m.Ledger.Unresolved()
}

type killableBank struct {
	*emulator.Acquirer
	*life
}

func (m killableBank) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	return killable(m.life, func() (payment.Outcome, error) { return m.Acquirer.Pay(ctx, c) })
}

func (m killableBank) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	return killable(m.life, func() (payment.Outcome, error) { return m.Acquirer.Reverse(ctx, c) })
}

func (m killableBank) Confirm(ctx context.Context, t payment.Transaction) error {
	_, err := killable(m.life, func() (struct{}, error) { return struct{}{}, m.Acquirer.Confirm(ctx, t) })
	return err
}

func (m killableBank) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	return killable(m.life, func() (payment.Outcome, error) { return m.Acquirer.Settle(ctx, t) })
}

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

// known is how a reference stands; the zero value is one never used.
type known struct {
	status  payment.Status
	request payment.Request
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
	want := known{payment.Status(""), r}
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
		s.set(r.Reference, known{payment.Cancelled, r})
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
		s.known[r.Reference] = known{found.Status(), found.Request}
	default:
		t.Fatalf("%s became %s %s; it was %q, and %q was under way", r.Reference, found.Status(), found.Request.Amount, before.status, want.status)
	}
}

func (s *shop) Reverse(t *rapid.T) {
	reference := rapid.SampledFrom(references[1:]).Draw(t, "reference")
	p := drawPerson(t)
	before := s.known[reference]
	var got payment.ReversalOutcome
	var err error
	answered := s.play(t, p, drawFuse(t), func(ctx context.Context) { got, err = s.desk.Reverse(ctx, reference) })
	wantErr := map[payment.Status]error{
		"": payment.ErrNotFound, payment.Reversed: payment.ErrReversed, payment.Refused: payment.ErrNotReversible, payment.Cancelled: payment.ErrNotReversible,
	}[before.status]
	if wantErr != nil {
		if !errors.Is(err, wantErr) {
			t.Fatalf("reversing what is %q: %v, want %v", before.status, err, wantErr)
		}
		return
	}
	made := p.forced == "" || p.forced == emulator.Approve
	if !answered {
		time.Sleep(settled)
		synctest.Wait()
		found, err := s.ledger.Newest(reference)
		if err != nil || (found.Status() != payment.Approved && (found.Status() != payment.Reversed || !made)) {
			t.Fatalf("a reversal nobody answered left %q, %v", found.Status(), err)
		}
		s.known[reference] = known{found.Status(), found.Request}
		return
	}
	switch p.forced {
	case "", emulator.Approve:
		s.expect(t, got.Transaction, err, payment.Reversed, nil)
		s.known[reference] = known{payment.Reversed, before.request}
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

// bankLine is a line of the bank's own books.
type bankLine struct {
	Operation string `json:"operation"`
	State     string `json:"state"`
	NSU       int64  `json:"nsu"`
}

func bankBooks(t *rapid.T, dir string) map[string]bankLine {
	books := map[string]bankLine{}
	f, err := os.Open(filepath.Join(dir, "emulator-host.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var l bankLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		books[l.Operation] = l
	}
	return books
}

// Check holds the shop's books against the bank's.
func (s *shop) Check(t *rapid.T) {
	books := bankBooks(t, s.dir)
	standing := map[string]int64{} // by reference
	if err := s.ledger.List(context.Background(), payment.Filter{}, func(tx payment.Transaction) error {
		charge := books[fmt.Sprint(tx.ID)]
		delete(books, fmt.Sprint(tx.ID))
		repaid := 0
		for operation, line := range books {
			if strings.HasPrefix(operation, fmt.Sprint(tx.ID, "-r")) {
				if line.State == "repaid" {
					repaid++
				}
				delete(books, operation)
			}
		}
		charged, standsHere := charge.State == "charged", tx.Status() == payment.Approved || tx.Status() == payment.Reversed
		switch {
		case tx.Status() == payment.Pending:
			return fmt.Errorf("attempt %d is still pending", tx.ID)
		case charged != standsHere:
			return fmt.Errorf("attempt %d is %s, but %q at the bank", tx.ID, tx.Status(), charge.State)
		case standsHere && tx.Outcome.NSU != fmt.Sprintf("%09d", charge.NSU):
			return fmt.Errorf("attempt %d has NSU %s, at the bank %d", tx.ID, tx.Outcome.NSU, charge.NSU)
		case (repaid == 1) != (tx.Status() == payment.Reversed) || repaid > 1:
			return fmt.Errorf("attempt %d is %s, and was given back %d times", tx.ID, tx.Status(), repaid)
		}
		if told := s.told[tx.ID]; told != "" && told != tx.Status() && (told != payment.Approved || tx.Status() != payment.Reversed) {
			return fmt.Errorf("the caller was told that attempt %d is %s, but it is %s", tx.ID, told, tx.Status())
		}
		if r := tx.Request.Reference; r != "" && charged {
			if first, twice := standing[r]; twice {
				return fmt.Errorf("%s was charged twice, by %d and %d", r, first, tx.ID)
			}
			standing[r] = tx.ID
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(books) != 0 {
		t.Fatalf("the bank knows what the ledger does not: %v", books)
	}
	for reference, want := range s.known {
		got, err := s.desk.Find(reference)
		if want.status == "" && errors.Is(err, payment.ErrNotFound) {
			continue
		}
		if err != nil || got.Status() != want.status {
			t.Fatalf("%s is %q (%v), want %q", reference, got.Status(), err, want.status)
		}
	}
}

// fewer runs a slow property less often, unless the command line says how often.
func fewer(t *testing.T, checks string) {
	f := flag.Lookup("rapid.checks")
	if f.Value.String() != f.DefValue {
		return
	}
	if err := f.Value.Set(checks); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(f.DefValue) })
}

// However payments, reversals, stops and power cuts follow each other, bank and shop end up with the same books.
func TestBooksAgree(t *testing.T) {
	fewer(t, "20")
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
