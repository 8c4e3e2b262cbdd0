package payment

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	// foregroundWait is how long a payment or a reversal waits for the app to come back.
	foregroundWait = 15 * time.Second
	// settleWait is how long a caller is kept waiting while a lost answer is looked into.
	settleWait = 5 * time.Second
)

// Desk is where the caller asks for payments and reversals.
type Desk struct {
	acquirer   Acquirer // nil: this terminal has none
	ledger     Ledger
	gate       Gate
	foreground Foreground
	changed    func()
	recovered  func(Transaction)
	receipts   Receipts // nil: none is printed
	unprinted  func(Slip, error)

	ctx     context.Context // ends with the desk, not with a caller
	stop    context.CancelFunc
	running sync.WaitGroup
	recover chan struct{} // something may be pending

	mu         sync.Mutex
	closed     bool
	serial     uint64      // of the last prompt shown
	shown      *Shown      // nil when no operation is under way
	person     chan Action // takes what the shown prompt asks for; nil when it asks for nothing
	ended      *Ended      // nil when no end is shown
	endedTimer *time.Timer

	live     liveAttempt
	settling sync.Mutex // one settlement at a time
}

// Config is what a desk is made of. Changed is called after every change of what is shown.
type Config struct {
	Acquirer   Acquirer
	Ledger     Ledger
	Gate       Gate
	Foreground Foreground
	Changed    func()
	Recovered  func(Transaction) // told of each attempt that the recovery has settled; may be nil
	Receipts   Receipts          // nil: none is printed
	Unprinted  func(Slip, error) // told of each copy that could not be printed; may be nil
}

// NewDesk starts with settling what the last run left pending, in the background.
func NewDesk(c Config) *Desk {
	d := &Desk{
		acquirer: c.Acquirer, ledger: c.Ledger, gate: c.Gate, foreground: c.Foreground, changed: c.Changed, recovered: c.Recovered,
		receipts: c.Receipts, unprinted: c.Unprinted,
		recover: make(chan struct{}, 1),
		// A page left open over a restart must not act, by a serial it remembers, on a prompt it never showed.
		// Microseconds stay exact in a page's numbers.
		serial: uint64(time.Now().UnixMicro()),
	}
	d.ctx, d.stop = context.WithCancel(context.Background())
	if d.acquirer != nil {
		d.running.Go(d.recovery)
		d.wakeRecovery()
	}
	return d
}

// Close ends the operation under way; its caller gets ErrUnknown and the next start settles it.
func (d *Desk) Close() {
	d.mu.Lock()
	d.closed = true
	d.dropEnded()
	d.mu.Unlock()
	d.stop()
	d.running.Wait()
}

// Pay charges the customer. A refusal or a cancellation is a Transaction too. A reference that was approved
// before is answered from the ledger, and no money moves.
func (d *Desk) Pay(ctx context.Context, r Request) (Transaction, error) {
	if err := r.Check(); err != nil {
		return Transaction{}, err
	}
	leave, err := d.enter()
	if err != nil {
		return Transaction{}, err
	}
	if r.Reference != "" {
		known, found, err := d.known(r)
		if found || err != nil {
			leave()
			return known, err
		}
	}
	shown := Shown{Kind: Payment, Request: r, Method: r.Method, Installments: r.Installments}
	return operate(ctx, d, leave, shown, func(g *dialogue) (Transaction, error) {
		return d.pay(r, g)
	})
}

// known answers for a reference that was used before; not found means a new attempt may be made.
func (d *Desk) known(r Request) (t Transaction, found bool, err error) {
	t, err = d.newest(r.Reference)
	switch {
	case errors.Is(err, ErrNotFound):
		return Transaction{}, false, nil
	case err != nil:
		return Transaction{}, false, err
	case t.Status == Refused || t.Status == Cancelled:
		return Transaction{}, false, nil
	case !r.Same(t.Request) || t.Status == Reversed:
		return Transaction{}, false, ErrReferenceUsed
	}
	return t, true, nil
}

// newest is the reference's newest attempt, settled first if it is pending.
func (d *Desk) newest(reference string) (Transaction, error) {
	t, err := d.ledger.Newest(reference)
	if err != nil || t.Status != Pending {
		return t, err
	}
	return d.settle(t)
}

func (d *Desk) pay(r Request, g *dialogue) (Transaction, error) {
	t := begin(r)
	err := d.live.enter(func() (id int64, err error) {
		t.ID, err = d.ledger.Begin(t)
		return t.ID, err
	})
	if err != nil {
		return Transaction{}, errors.Join(ErrNotSaved, err)
	}
	defer d.live.leave()
	outcome, err := d.acquirer.Pay(d.ctx, Charge{Transaction: t, Show: g.show, Ask: g.ask})
	if err != nil {
		return d.settle(t)
	}
	return d.save(t.settle(outcome))
}

// save keeps an outcome. If the disk will not have it, nobody may be told: the attempt stays pending and the
// recovery undoes it.
func (d *Desk) save(t Transaction) (Transaction, error) {
	if err := d.ledger.Save(t); err != nil {
		d.wakeRecovery()
		return Transaction{}, fmt.Errorf("%w: saving the outcome: %w", ErrUnknown, err)
	}
	return t, nil
}

// ReversalOutcome is how a reversal ended: the transaction as it stands now and the acquirer's word on the reversal.
type ReversalOutcome struct {
	Transaction Transaction
	Outcome     Outcome
}

// Reverse gives back the payment of a reference. A refused reversal leaves the transaction approved.
func (d *Desk) Reverse(ctx context.Context, reference string) (ReversalOutcome, error) {
	leave, err := d.enter()
	if err != nil {
		return ReversalOutcome{}, err
	}
	t, err := d.reversible(reference)
	if err != nil {
		leave()
		return ReversalOutcome{}, err
	}
	shown := Shown{Kind: Refund, Request: t.Request, Method: t.Method(), Installments: t.Installments()}
	return operate(ctx, d, leave, shown, func(g *dialogue) (ReversalOutcome, error) {
		return d.reverse(t, g)
	})
}

func (d *Desk) reversible(reference string) (Transaction, error) {
	t, err := d.newest(reference)
	switch {
	case err != nil:
		return Transaction{}, err
	case t.Status == Reversed:
		return Transaction{}, ErrReversed
	case t.Status != Approved:
		return Transaction{}, ErrNotReversible
	}
	return t, nil
}

func (d *Desk) reverse(t Transaction, g *dialogue) (ReversalOutcome, error) {
	t = t.reversing()
	if err := d.live.enter(func() (int64, error) { return t.ID, d.ledger.Save(t) }); err != nil {
		return ReversalOutcome{}, errors.Join(ErrNotSaved, err)
	}
	defer d.live.leave()
	outcome, err := d.acquirer.Reverse(d.ctx, Charge{Transaction: t, Show: g.show, Ask: g.ask})
	if err != nil {
		t, err = d.settle(t)
		if t.Status == Reversed {
			outcome = Outcome{Verdict: Accepted}
		}
		return ReversalOutcome{t, outcome}, err
	}
	t, err = d.save(t.settleReversal(outcome))
	return ReversalOutcome{t, outcome}, err
}

// enter takes the terminal for an operation that needs an acquirer.
func (d *Desk) enter() (leave func(), err error) {
	if d.acquirer == nil {
		return nil, ErrNoAcquirer
	}
	return d.gate.Enter()
}

// Find returns the newest attempt of a reference as it stands, pending ones included.
func (d *Desk) Find(reference string) (Transaction, error) { return d.ledger.Newest(reference) }

// List passes on the transactions that match, oldest first.
func (d *Desk) List(ctx context.Context, f Filter, each func(Transaction) error) error {
	return d.ledger.List(ctx, f, each)
}
