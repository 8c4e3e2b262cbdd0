package sale

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// Ending is how the terminal takes leave of a sale; the zero value of a text means the page's own.
type Ending struct {
	Message         string
	ShowMessage     bool
	ShowCloseButton bool
	ButtonCloseText string
	MessageInterval time.Duration
	UsualInterval   bool // nobody asked for it: the screen may take longer where money is to be handed over
}

// Screen is where the sale shows.
type Screen interface {
	// Changed says that what the sale shows is another now.
	Changed()
	// SaleEnded takes the display's top off and shows the ending of the sale, which was so in the end.
	SaleEnded(State, View, Ending)
}

// Desk is where the caller works on the sale. Its methods return once the change is on disk.
type Desk struct {
	*state
	caller context.Context // for whom changes are made
}

// state is what all who work at a desk share.
type state struct {
	book   Book
	screen Screen

	// Told, if set before the desk is used, hears of each change once it is on disk.
	Told func(context.Context, Change)

	mu     sync.Mutex
	open   *openSale // nil when none is
	newest int64
	rev    uint64 // of the last change in memory; it only ever grows
	stale  bool   // memory may hold a change that the disk has lost: load again before the next one
}

type openSale struct {
	number   int64
	openedAt time.Time
	session  Session
	totals   totals
	since    uint64 // revision at which memory took it up

	items                lines[Item]
	payments             lines[Payment]
	discounts, additions lines[Adjustment]
}

// NewDesk takes up the sale that was open when the service last stopped.
func NewDesk(book Book, screen Screen) (*Desk, error) {
	d := &Desk{&state{book: book, screen: screen}, context.Background()}
	return d, d.load()
}

// For is the same desk for one caller: Told hears of its changes with this context. A change is made whether or not the
// context ends.
func (d *Desk) For(ctx context.Context) *Desk { return &Desk{d.state, ctx} }

func (d *Desk) load() error {
	rec, newest, err := d.book.Load()
	if err != nil {
		return err
	}
	d.open, d.newest, d.stale = nil, newest, false
	if rec == nil {
		return nil
	}
	s := &openSale{number: rec.Number, openedAt: rec.OpenedAt, session: rec.Session, since: d.revise()}
	for _, l := range rec.Items {
		s.items.restore(l.Seq, l.Value.ID, l.Value, d.rev)
	}
	for _, l := range rec.Payments {
		s.payments.restore(l.Seq, l.Value.ID, l.Value, d.rev)
	}
	for _, l := range rec.Discounts {
		s.discounts.restore(l.Seq, l.Value.ID, l.Value, d.rev)
	}
	for _, l := range rec.Additions {
		s.additions.restore(l.Seq, l.Value.ID, l.Value, d.rev)
	}
	s.totals = s.reckon()
	d.open = s
	return nil
}

// revise numbers a change. The lock is held.
func (d *Desk) revise() uint64 {
	d.rev++
	return d.rev
}

// perform applies a change to memory and to the book, in the same order for both, and waits for the disk
// outside the lock, so that changes made meanwhile reach the disk together.
func (d *Desk) perform(apply func() (Change, error)) error {
	var change Change
	err := d.settle(func() (wait func() error, err error) {
		if change, err = apply(); err != nil {
			return nil, err
		}
		return d.book.Append(change), nil
	})
	if err == nil {
		d.screen.Changed()
		if d.Told != nil {
			d.Told(d.caller, change)
		}
	}
	return err
}

// settle runs fn under the lock on a state that the disk knows, then waits for what fn put on its way.
func (d *Desk) settle(fn func() (wait func() error, err error)) error {
	wait, err := d.locked(fn)
	if err != nil {
		return err
	}
	if err := wait(); err != nil {
		d.mu.Lock()
		d.stale = true
		d.mu.Unlock()
		return errors.Join(operation.ErrNotSaved, err)
	}
	return nil
}

func (d *Desk) locked(fn func() (func() error, error)) (func() error, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stale {
		if err := d.load(); err != nil {
			return nil, errors.Join(operation.ErrNotSaved, err)
		}
	}
	return fn()
}

// performOnOpen is perform for changes that need an open sale.
func (d *Desk) performOnOpen(apply func(*openSale) (Change, error)) error {
	return d.perform(func() (Change, error) {
		if d.open == nil {
			return nil, ErrNoneOpen
		}
		return apply(d.open)
	})
}

// Open begins a sale.
func (d *Desk) Open(s Session) error {
	if err := s.Check(); err != nil {
		return err
	}
	return d.perform(func() (Change, error) {
		if d.open != nil {
			return nil, ErrAlreadyOpen
		}
		d.newest++
		d.open = &openSale{number: d.newest, openedAt: time.Now(), session: s, since: d.revise()}
		return Opened{Sale: d.newest, At: d.open.openedAt, Session: s}, nil
	})
}

// Edit changes the session data of the open sale.
func (d *Desk) Edit(p SessionPatch) error {
	if err := p.Check(); err != nil {
		return err
	}
	return d.performOnOpen(func(s *openSale) (Change, error) {
		p.Apply(&s.session)
		change := Edited{Sale: s.number, Session: s.session}
		if p.Total.Given {
			change.Shown = s.session.mismatch(s.summary())
		}
		return change, nil
	})
}

// AddItem puts an item at the end of the cart and returns its id, made here when the caller gave none.
func (d *Desk) AddItem(item Item) (string, error) {
	if err := item.Check(); err != nil {
		return "", err
	}
	err := d.performOnOpen(func(s *openSale) (Change, error) {
		id, err := chooseID(item.ID, s.items.has, ErrItemExists)
		if err != nil {
			return nil, err
		}
		sums, err := s.totals.changeItem(nil, &item)
		if err != nil {
			return nil, err
		}
		item.ID, s.totals = id, sums
		return ItemAdded{Sale: s.number, Seq: s.items.add(item.ID, item, d.revise()), Item: item}, nil
	})
	return item.ID, err
}

// chooseID is the caller's id, or a new one that is not taken.
func chooseID(asked string, taken func(string) bool, ifTaken error) (string, error) {
	if asked != "" {
		if taken(asked) {
			return "", ifTaken
		}
		return asked, nil
	}
	for {
		if id := newID(); !taken(id) {
			return id, nil
		}
	}
}

// EditItem changes an item in place and returns it as it is now.
func (d *Desk) EditItem(id string, p ItemPatch) (Item, error) {
	var item Item
	err := d.performOnOpen(func(s *openSale) (Change, error) {
		row, ok := s.items.find(id)
		if !ok {
			return nil, ErrItemUnknown
		}
		before := row.value
		item = before
		p.Apply(&item)
		if err := item.Check(); err != nil {
			return nil, err
		}
		sums, err := s.totals.changeItem(&row.value, &item)
		if err != nil {
			return nil, err
		}
		s.totals = sums
		row.value, row.rev = item, d.revise()
		return ItemChanged{Sale: s.number, Seq: row.seq, Item: item, Before: before}, nil
	})
	return item, err
}

// CancelItem marks an item as cancelled; it stays in the cart. Again is no error.
func (d *Desk) CancelItem(id string) error {
	_, err := d.EditItem(id, ItemPatch{Canceled: Set(true)})
	return err
}

// RemoveItem takes an item out of the sale for good.
func (d *Desk) RemoveItem(id string) error {
	return d.performOnOpen(func(s *openSale) (Change, error) { return s.removeItem(id, d.revise()) })
}

func (s *openSale) removeItem(id string, rev uint64) (Change, error) {
	row, ok := s.items.find(id)
	if !ok {
		return nil, ErrItemUnknown
	}
	seq, item := row.seq, row.value
	s.totals, _ = s.totals.changeItem(&row.value, nil) // taking away is never refused
	s.items.remove(id, rev)
	return ItemRemoved{Sale: s.number, Seq: seq, Item: item}, nil
}

// AddPayment records a payment and returns its id, made here when the caller gave none.
func (d *Desk) AddPayment(p Payment) (string, error) {
	if err := p.Check(); err != nil {
		return "", err
	}
	err := d.performOnOpen(func(s *openSale) (Change, error) {
		id, err := chooseID(p.ID, s.payments.has, ErrPaymentExists)
		if err != nil {
			return nil, err
		}
		sums, err := s.totals.changePayment(nil, &p)
		if err != nil {
			return nil, err
		}
		p.ID, s.totals = id, sums
		return PaymentAdded{Sale: s.number, Seq: s.payments.add(p.ID, p, d.revise()), Payment: p}, nil
	})
	return p.ID, err
}

// EditPayment changes a payment in place.
func (d *Desk) EditPayment(id string, patch PaymentPatch) error {
	return d.performOnOpen(func(s *openSale) (Change, error) {
		row, ok := s.payments.find(id)
		if !ok {
			return nil, ErrPaymentUnknown
		}
		p := row.value
		patch.Apply(&p)
		if err := p.Check(); err != nil {
			return nil, err
		}
		sums, err := s.totals.changePayment(&row.value, &p)
		if err != nil {
			return nil, err
		}
		s.totals = sums
		row.value, row.rev = p, d.revise()
		return PaymentChanged{Sale: s.number, Seq: row.seq, Payment: p}, nil
	})
}

// RemovePayment takes a payment out of the sale.
func (d *Desk) RemovePayment(id string) error {
	return d.performOnOpen(func(s *openSale) (Change, error) { return s.removePayment(id, d.revise()) })
}

func (s *openSale) removePayment(id string, rev uint64) (Change, error) {
	row, ok := s.payments.find(id)
	if !ok {
		return nil, ErrPaymentUnknown
	}
	seq, payment := row.seq, row.value
	s.totals, _ = s.totals.changePayment(&row.value, nil) // as for items
	s.payments.remove(id, rev)
	return PaymentRemoved{Sale: s.number, Seq: seq, Payment: payment}, nil
}

// Finalize closes the sale as sold and returns what it held.
func (d *Desk) Finalize(e Ending) (View, error) { return d.end(Finalized, e) }

// Cancel closes the sale as not sold and returns what it held.
func (d *Desk) Cancel(e Ending) (View, error) { return d.end(Cancelled, e) }

func (d *Desk) end(state State, e Ending) (View, error) {
	var last View
	err := d.performOnOpen(func(s *openSale) (Change, error) {
		last = s.view()
		d.open = nil
		return Closed{Sale: s.number, State: state, At: time.Now(), Last: last}, nil
	})
	if err == nil {
		d.screen.SaleEnded(state, last, e)
	}
	return last, err
}

// Current returns the open sale. What it shows is on disk: a change still on its way there is waited for.
func (d *Desk) Current() (View, error) {
	var now View
	return now, d.read(func(s *openSale) { now = s.view() })
}

// IsOpen tells whether there is an open sale, without waiting for the disk.
func (d *Desk) IsOpen() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open != nil
}

// read reads the open sale, and returns once what it saw is on disk. If some of it was lost on the way, it looks
// again at what the disk has: who can't write can still read.
func (d *Desk) read(fn func(*openSale)) error {
	err := d.settle(func() (func() error, error) {
		if d.open == nil {
			return nil, ErrNoneOpen
		}
		fn(d.open)
		return d.book.Append(), nil
	})
	if !errors.Is(err, operation.ErrNotSaved) {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return errors.Join(operation.ErrNotSaved, err)
	}
	if d.open == nil {
		return ErrNoneOpen
	}
	fn(d.open)
	return nil
}

func (s *openSale) view() View {
	return View{
		Number: s.number, OpenedAt: s.openedAt, Session: s.session,
		Items: s.items.values(), Payments: s.payments.values(), Discounts: s.discounts.values(), Additions: s.additions.values(),
	}
}

func (s *openSale) summary() Summary {
	return sum(s.items.all(), s.payments.all(), s.discounts.all(), s.additions.all())
}
