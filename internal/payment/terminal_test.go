package payment_test

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
)

var (
	errLine = errors.New("the line is dead")
	errDisk = errors.New("the disk is full")
)

// bank is an acquirer that does as the test says, and notes what it was asked.
type bank struct {
	mu                    sync.Mutex
	pay, reverse          func(context.Context, payment.Charge) (payment.Outcome, error)
	settle                func(context.Context, payment.Transaction) (payment.Outcome, error)
	confirm               func(context.Context, payment.Transaction) error // nil: acknowledges
	unsent                bool                                             // it fails before anything leaves
	wholeOnly             bool                                             // it gives back no parts
	paid, repaid, settled []asked
	confirmed             []asked
}

type asked struct {
	id        int64
	operation string
	at        time.Time
}

func note(b *bank, list *[]asked, t payment.Transaction) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*list = append(*list, asked{t.ID, t.Operation(), time.Now()})
}

func (b *bank) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	note(b, &b.paid, c.Transaction)
	if err := b.send(c); err != nil {
		return payment.Outcome{}, err
	}
	return b.pay(ctx, c)
}

func (b *bank) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	note(b, &b.repaid, c.Transaction)
	if err := b.send(c); err != nil {
		return payment.Outcome{}, err
	}
	return b.reverse(ctx, c)
}

func (b *bank) ReversesParts(payment.Transaction) bool { return !b.wholeOnly }

func (b *bank) send(c payment.Charge) error {
	if b.unsent {
		return nil
	}
	return c.Sending()
}

func (b *bank) Confirm(ctx context.Context, t payment.Transaction) error {
	note(b, &b.confirmed, t)
	b.mu.Lock()
	confirm := b.confirm
	b.mu.Unlock()
	if confirm == nil {
		return nil
	}
	return confirm(ctx, t)
}

func (b *bank) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	note(b, &b.settled, t)
	b.mu.Lock()
	settle := b.settle
	b.mu.Unlock()
	return settle(ctx, t)
}

func (b *bank) setSettle(settle func(context.Context, payment.Transaction) (payment.Outcome, error)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settle = settle
}

func (b *bank) times(list *[]asked) []asked {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(*list)
}

func ending(v payment.Verdict) payment.Outcome { return payment.Outcome{Verdict: v, NSU: "7"} }

func ends(v payment.Verdict) func(context.Context, payment.Charge) (payment.Outcome, error) {
	return func(context.Context, payment.Charge) (payment.Outcome, error) { return ending(v), nil }
}

func lineDead(context.Context, payment.Charge) (payment.Outcome, error) {
	return payment.Outcome{}, errLine
}

func settles(v payment.Verdict) func(context.Context, payment.Transaction) (payment.Outcome, error) {
	return func(context.Context, payment.Transaction) (payment.Outcome, error) { return ending(v), nil }
}

func settleDead(context.Context, payment.Transaction) (payment.Outcome, error) {
	return payment.Outcome{}, errLine
}

// curtain is a foreground that a test opens.
type curtain struct{ open chan struct{} }

func (c curtain) Wait(ctx context.Context) error {
	select {
	case <-c.open:
		return nil
	default:
	}
	select {
	case <-c.open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// terminal is a desk with everything around it.
type terminal struct {
	*payment.Desk
	t         *testing.T
	ledger    *drawer
	bank      *bank
	gate      *operation.Gate
	front     curtain
	elsewhere []payment.Kind
	till      *till // nil: no receipts
	began     func(context.Context, payment.Shown)
	mu        sync.Mutex
	changes   int
}

// inFront runs a test in a bubble on a terminal in the foreground whose bank approves everything and settles
// by undoing.
func inFront(t *testing.T, test func(*terminal)) {
	inBubble(t, func(m *terminal) {
		close(m.front.open)
		test(m)
	})
}

func inBubble(t *testing.T, test func(*terminal)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m := &terminal{
			t: t, ledger: &drawer{}, gate: &operation.Gate{}, front: curtain{make(chan struct{})},
			bank: &bank{pay: ends(payment.Accepted), reverse: ends(payment.Accepted), settle: settles(payment.Abandoned)},
		}
		m.start()
		defer func() { m.Close() }()
		test(m)
	})
}

func (m *terminal) ways() []payment.Way {
	return []payment.Way{{Name: "bank", Acquirer: m.bank, Methods: []payment.Method{payment.Credit, payment.Debit, payment.Pix}, Elsewhere: m.elsewhere}}
}

// start makes a desk on what is there, as the service does when it starts.
func (m *terminal) start() {
	c := payment.Config{Ways: m.ways(), Ledger: m.ledger, Gate: m.gate, Foreground: m.front, Began: m.began, Changed: func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.changes++
	}}
	if m.till != nil {
		c.Receipts, c.Unprinted = m.till, m.till.unprinted
	}
	m.Desk = payment.NewDesk(c)
	synctest.Wait()
}

func (m *terminal) restart() {
	m.Close()
	m.start()
}

func request(reference string) payment.Request {
	return payment.Request{Method: payment.Credit, Amount: money.MustParse("10.00"), Reference: reference, Installments: 1, Plan: payment.Single}
}

func whole(reference string) payment.RefundRequest {
	return payment.RefundRequest{Reference: reference}
}

// part is a request to give back so much, under an id.
func part(reference, amount, id string) payment.RefundRequest {
	d := money.MustParse(amount)
	return payment.RefundRequest{Reference: reference, Amount: &d, ID: id}
}

// toGiveBack are so many reversals that were begun, each of all that request asks for.
func toGiveBack(n int) []payment.Reversal {
	return slices.Repeat([]payment.Reversal{{Amount: request("").Amount}}, n)
}

// held is an operation under way.
type held struct {
	done   chan struct{}
	hangUp context.CancelFunc
	tx     payment.Transaction
	rev    payment.ReversalOutcome
	err    error
	took   time.Duration
}

func (m *terminal) hold(run func(context.Context, *held)) *held {
	ctx, cancel := context.WithCancel(context.Background())
	h := &held{done: make(chan struct{}), hangUp: cancel}
	began := time.Now()
	go func() {
		defer close(h.done)
		run(ctx, h)
		h.took = time.Since(began)
	}()
	synctest.Wait()
	return h
}

func (m *terminal) holdPay(reference string) *held {
	return m.hold(func(ctx context.Context, h *held) { h.tx, h.err = m.Pay(ctx, request(reference)) })
}

func (m *terminal) holdReverse(reference string) *held {
	return m.hold(func(ctx context.Context, h *held) { h.rev, h.err = m.Reverse(ctx, whole(reference)) })
}

func (h *held) isOver() bool {
	select {
	case <-h.done:
		return true
	default:
		return false
	}
}

// pay is Pay, checked.
func (m *terminal) pay(reference string, want payment.Status, wantErr error) payment.Transaction {
	m.t.Helper()
	t, err := m.Pay(context.Background(), request(reference))
	if !errors.Is(err, wantErr) || (err == nil) != (wantErr == nil) || t.Status() != want {
		m.t.Fatalf("Pay: %q, %v; want %q, %v", t.Status(), err, want, wantErr)
	}
	m.idle()
	return t
}

func (m *terminal) reverse(reference string, want payment.Verdict, wantErr error) payment.ReversalOutcome {
	m.t.Helper()
	return m.giveBack(whole(reference), want, wantErr)
}

// giveBack is Reverse, checked.
func (m *terminal) giveBack(request payment.RefundRequest, want payment.Verdict, wantErr error) payment.ReversalOutcome {
	m.t.Helper()
	r, err := m.Reverse(context.Background(), request)
	if !errors.Is(err, wantErr) || (err == nil) != (wantErr == nil) || (err == nil && r.Outcome.Verdict != want) {
		m.t.Fatalf("Reverse: %q, %v; want %q, %v", r.Outcome.Verdict, err, want, wantErr)
	}
	m.idle()
	return r
}

// idle checks that nothing holds the terminal and nothing is shown.
func (m *terminal) idle() {
	m.t.Helper()
	synctest.Wait()
	if m.gate.Busy() {
		m.t.Fatal("the terminal is still taken")
	}
	if s, ok := m.Shown(); ok {
		m.t.Fatalf("still shown: %+v", s)
	}
}

// kept checks how an attempt stands in the ledger.
func (m *terminal) kept(id int64, want payment.Status) payment.Transaction {
	m.t.Helper()
	synctest.Wait()
	all := m.ledger.all()
	if int(id) > len(all) {
		m.t.Fatalf("attempt %d is not kept; %d are", id, len(all))
	}
	t := all[id-1]
	if t.Status() != want {
		m.t.Fatalf("attempt %d is %s (%s), want %s", id, t.Status(), t.State, want)
	}
	return t
}

func (m *terminal) attempts(want int) {
	m.t.Helper()
	if n := len(m.ledger.all()); n != want {
		m.t.Fatalf("%d attempts kept, want %d", n, want)
	}
}

func (m *terminal) asked(what string, list *[]asked, want int) {
	m.t.Helper()
	if n := len(m.bank.times(list)); n != want {
		m.t.Fatalf("the bank was asked to %s %d times, want %d", what, n, want)
	}
}
