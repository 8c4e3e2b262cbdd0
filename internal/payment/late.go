package payment

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// Late is money that came in on a payment after it had ended without any: its caller was told that nothing was paid, so it
// goes back. Zero: none came.
type Late struct {
	EndToEndID string // of the newest payment
	Amount     money.Decimal
	At         time.Time // when it was found
	ReturnedAt time.Time // zero: the shop has it
	// ByHand means that only a person can give it back, at the acquirer's device or, where it is InMenu, in the acquirer's own menu. Both
	// are for whoever tells of it, and not kept.
	ByHand, InMenu bool
}

// Came tells whether any did.
func (l Late) Came() bool { return l.Amount.Sign() > 0 }

// Kept tells that the shop has it.
func (l Late) Kept() bool { return l.Came() && l.ReturnedAt.IsZero() }

// LateReceiver is an Acquirer on whose payments money may come in after they have ended.
type LateReceiver interface {
	// LateMoney looks for what stands at the acquirer of a payment that ended without it. It moves nothing; the zero Late
	// means that nothing stands.
	LateMoney(context.Context, Transaction) (Late, error)
	// ReturnLate gives it back. It may be repeated; nil means that all of it has gone back.
	ReturnLate(context.Context, Transaction) error
}

const (
	// lateDay is for how long an ended payment is looked at again.
	lateDay = 24 * time.Hour
	// latePause is the least between two looks at one payment. Older ones are looked at less often.
	latePause = 15 * time.Second
	// lateGapMost is the most between two looks.
	lateGapMost = time.Hour
	// lateAtOnce is how many payments are looked at in one round: acquirers count requests.
	lateAtOnce = 20
)

// lateWatch looks again at payments that ended without money. What it finds is in the ledger before it is given back, so
// that a start goes on where a kill came between.
type lateWatch struct {
	recorder
	ways  ways
	kept  func(Transaction, error) // may be nil
	ask   func(func(context.Context) error) error
	ended <-chan struct{}

	mu      sync.Mutex
	watched map[int64]*watched
}

type watched struct {
	id            int64
	way           string
	since, looked time.Time
	told          bool // why its money can't be given back
}

func newLateWatch(c Config, r *recovery) *lateWatch {
	return &lateWatch{
		recorder: r.recorder, ways: c.Ways, kept: c.LateKept, ask: r.guarded, ended: r.ctx.Done(), watched: map[int64]*watched{},
	}
}

// needed tells whether any acquirer is one to be looked at again.
func (w *lateWatch) needed() bool {
	return slices.ContainsFunc(w.ways, func(way Way) bool { _, ok := way.Acquirer.(LateReceiver); return ok })
}

func (w *lateWatch) receiver(name string) (LateReceiver, bool) {
	way, _ := w.ways.named(name)
	r, ok := way.Acquirer.(LateReceiver)
	return r, ok
}

// note takes up a payment that has ended without money, or whose late money has not gone back.
func (w *lateWatch) note(t Transaction) {
	if _, ok := w.receiver(t.Acquirer); !ok || !t.endedUnpaid() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watched[t.ID] == nil {
		w.watched[t.ID] = &watched{id: t.ID, way: t.Acquirer, since: t.UpdatedAt, looked: t.UpdatedAt}
	}
}

// endedUnpaid tells of a payment whose end says that nothing was paid.
func (t Transaction) endedUnpaid() bool {
	return t.State == StateCancelled || t.State == StateRefused || t.State == StateUndone
}

// run looks until the desk closes. It begins with what the ledger has of the last day.
func (w *lateWatch) run() {
	for known := false; ; {
		select {
		case <-w.ended:
			return
		case <-time.After(latePause): // a start has more urgent things to do first
		}
		if known = known || w.load() == nil; known {
			w.round()
		}
	}
}

// load takes up what earlier processes left. An attempt may end long after it began.
func (w *lateWatch) load() error {
	return w.ask(func(ctx context.Context) error {
		return w.ledger.List(ctx, Filter{Since: time.Now().Add(-2 * lateDay)}, func(t Transaction) error {
			if time.Since(t.UpdatedAt) < lateDay {
				w.note(t)
			}
			return nil
		})
	})
}

// round looks at the payments whose turn has come, longest waiting first. Of an acquirer that can't be asked the others
// wait too.
func (w *lateWatch) round() {
	down := map[string]bool{}
	for _, p := range w.due() {
		if down[p.way] {
			continue
		}
		if err := w.look(p); err != nil {
			down[p.way] = true
			continue
		}
		p.looked = time.Now()
	}
}

func (w *lateWatch) due() []*watched {
	w.mu.Lock()
	defer w.mu.Unlock()
	var due []*watched
	for id, p := range w.watched {
		switch age := time.Since(p.since); {
		case age >= lateDay:
			delete(w.watched, id)
		case time.Since(p.looked) >= min(max(p.looked.Sub(p.since)/4, latePause), lateGapMost):
			due = append(due, p)
		}
	}
	slices.SortFunc(due, func(a, b *watched) int { return cmp.Or(a.looked.Compare(b.looked), cmp.Compare(a.id, b.id)) })
	return due[:min(len(due), lateAtOnce)]
}

// look asks about one payment, and takes what came a step further. An error means that it could not be asked.
func (w *lateWatch) look(p *watched) error {
	receiver, _ := w.receiver(p.way)
	t, err := w.ledger.Get(p.id)
	if err != nil {
		return err
	}
	a := &attempt{w.recorder, t, context.Background()}
	if !t.Late.Kept() {
		var found Late
		if err := w.ask(func(ctx context.Context) (err error) {
			found, err = receiver.LateMoney(ctx, t)
			return err
		}); err != nil || !found.Came() {
			return err
		}
		if err := a.record(a.receivedLate(found), "pago depois do fim"); err != nil {
			return err
		}
		p.since = time.Now()
	}
	if err := w.ask(func(ctx context.Context) error { return receiver.ReturnLate(ctx, a.Transaction) }); err != nil {
		if !p.told && w.kept != nil {
			w.kept(a.Transaction, err)
		}
		p.told = true
		return nil // its turn comes again
	}
	p.told = false
	return a.record(a.returnedLate(), "devolvido ao pagador")
}

// receivedLate has money that came after the end. More may have come before, and gone back.
func (t Transaction) receivedLate(found Late) Transaction {
	t = t.to(t.State)
	found.Amount, found.At, found.ReturnedAt = t.Late.Amount.Add(found.Amount), t.UpdatedAt, time.Time{}
	t.Late = found
	return t
}

// returnedLate has given it back.
func (t Transaction) returnedLate() Transaction {
	t = t.to(t.State)
	t.Late.ReturnedAt = t.UpdatedAt
	return t
}
