package sale

import (
	"context"
	"time"
)

// Archive has the sales that ended.
type Archive interface {
	// Ended passes on those that fit, newest first.
	Ended(context.Context, Filter, func(Past) error) error
	// Find returns one with the references of the transactions made while it was open, or ErrUnknownSale.
	Find(ctx context.Context, number int64) (Past, []string, error)
}

// Filter says which ended sales are wanted; what is zero does not count.
type Filter struct {
	Since, Until time.Time // when they ended: from the first on, before the second
	State        State
	Limit        int // the newest of them
}

// Past is a sale that ended.
type Past struct {
	View
	State    State
	ClosedAt time.Time
}
