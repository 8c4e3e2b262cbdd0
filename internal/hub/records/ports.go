package records

import (
	"context"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// Book keeps records. Any error but ErrNotFound and ErrBehind means that it can't be read or written now.
type Book interface {
	// Commit writes rows, gaps and cursor in one transaction, or nothing where the cursor is elsewhere, and tells where it is.
	// ErrBehind: under another id of the account more of the epoch was read than the batch was read after.
	Commit(ctx context.Context, b Batch, gaps []Gap, at time.Time) (Cursor, error)
	// Stays are where a terminal belonged, oldest first, and belongs; none: nobody knows it.
	Stays(ctx context.Context, terminal string) ([]fleet.Stay, error)
	// Begun are where those of an epoch's attempts belong that are known already.
	Begun(ctx context.Context, terminal, epoch string, attempts []int64) (map[int64]fleet.Place, error)
	// Cursors are those of a terminal, all epochs.
	Cursors(ctx context.Context, terminal string) ([]Cursor, error)
	// Read are the cursors of epochs, under whatever id terminals of the account had when they were read.
	Read(ctx context.Context, account string, epochs []string) ([]Cursor, error)
	// Line is the newest line of a ledger's epoch that is kept, up to a number, under whatever id.
	Line(ctx context.Context, account, epoch string, upTo int64) (Step, error)
	// Transactions are at most limit that match, newest first, behind a mark.
	Transactions(ctx context.Context, within fleet.Place, f TransactionFilter, after Mark, limit int) ([]Transaction, error)
	// Newest is a terminal's newest attempt of a reference within a place, with what was given back.
	Newest(ctx context.Context, within fleet.Place, terminal, reference string) (Transaction, error)
	// Steps are the history of an attempt that was begun within a place, oldest first.
	Steps(ctx context.Context, within fleet.Place, terminal, epoch string, attempt int64) ([]Step, error)
	// Entries are at most limit that match but for their words, newest first, behind a mark.
	Entries(ctx context.Context, within fleet.Place, f EntryFilter, after Mark, limit int) ([]Entry, error)
	// Gaps are at most limit, newest first, behind a mark.
	Gaps(ctx context.Context, within fleet.Place, terminal string, after Mark, limit int) ([]Gap, error)
	// Paid passes on how often each amount was paid in a period, by where and how; Returned the same of what was given back.
	Paid(ctx context.Context, within fleet.Place, f ClosingFilter, each func(Tally) error) error
	Returned(ctx context.Context, within fleet.Place, f ClosingFilter, each func(Tally) error) error
}

// Tally is how often an amount was moved at a terminal in one way.
type Tally struct {
	fleet.Place
	Terminal string
	Method   string
	Status   string // of the attempt
	Amount   string
	Count    int64
}
