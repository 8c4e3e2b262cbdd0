package sale

import (
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// Book keeps sales on disk.
type Book interface {
	// Load returns the open sale, nil when there is none, and the number of the newest sale. It sees every
	// change appended before it, and makes the book ready again after a failure.
	Load() (open *Record, newest int64, err error)
	// Append writes the changes after all earlier ones; with none it only waits for those. All is on disk once
	// wait returns nil. After a failure every change fails until Load: later ones may build on one that was lost.
	Append(...Change) (wait func() error)
}

// Record is an open sale as the book gives it back, lines in the order of their numbers.
type Record struct {
	Number    int64
	OpenedAt  time.Time
	Session   Session
	Items     []Line[Item]
	Payments  []Line[Payment]
	Discounts []Line[Adjustment]
	Additions []Line[Adjustment]
}

// Line is a row of a sale with its place.
type Line[T any] struct {
	Seq   int64
	Value T
}

// Change is one thing that happened to a sale.
type Change interface{ change() }

// The changes. Sale is the number of the sale, Seq the place of the line. What was there before is for who listens to
// them; a book needs none of it.
type (
	Opened struct {
		Sale    int64
		At      time.Time
		Session Session
	}
	Edited struct {
		Sale    int64
		Session Session
		Shown   *Mismatch // the total to show came with it, and is another than the reckoned one; nil: not so
	}
	ItemAdded struct {
		Sale, Seq int64
		Item      Item
	}
	ItemChanged struct {
		Sale, Seq int64
		Item      Item
		Before    Item
	}
	ItemRemoved struct {
		Sale, Seq int64
		Item      Item
	}
	PaymentAdded struct {
		Sale, Seq int64
		Payment   Payment
	}
	PaymentChanged PaymentAdded
	PaymentRemoved struct {
		Sale, Seq int64
		Payment   Payment
	}
	AdjustmentAdded struct {
		Sale, Seq  int64
		List       List // Discounts or Additions
		Adjustment Adjustment
	}
	AdjustmentChanged AdjustmentAdded
	AdjustmentRemoved AdjustmentAdded
	Cleared           struct {
		Sale  int64
		Lists []List
		Lines int  // that were there
		Total bool // the total to be shown is gone too
	}
	Closed struct {
		Sale  int64
		State State
		At    time.Time
		Last  View // how it stood at the end
	}
)

// Mismatch is a total to be shown that is not what the sale adds up to.
type Mismatch struct{ Shown, Reckoned money.Decimal }

func (Opened) change()            {}
func (Edited) change()            {}
func (ItemAdded) change()         {}
func (ItemChanged) change()       {}
func (ItemRemoved) change()       {}
func (PaymentAdded) change()      {}
func (PaymentChanged) change()    {}
func (PaymentRemoved) change()    {}
func (AdjustmentAdded) change()   {}
func (AdjustmentChanged) change() {}
func (AdjustmentRemoved) change() {}
func (Cleared) change()           {}
func (Closed) change()            {}
