package records

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/fold"
	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// TransactionFilter picks transactions.
type TransactionFilter struct {
	Within    fleet.Place // Tenant and Shop narrow it down
	Terminal  string
	Since     time.Time // begun then or later
	Until     time.Time // begun before
	Status    string
	Method    string
	Reference string
}

// EntryFilter picks entries of the log.
type EntryFilter struct {
	Within   fleet.Place
	Terminal string
	Since    time.Time
	Until    time.Time
	Level    string
	Source   string
	Words    string // in message or details, as they stand; accents and capitals don't matter
}

// Mark is where a page of a list ended. The zero value is before the newest.
type Mark struct {
	At       time.Time
	Terminal string
	Epoch    string
	Kind     Kind // of gaps
	Number   int64
}

// IsZero tells of a list's beginning.
func (m Mark) IsZero() bool { return m == Mark{} }

// String is the mark as callers pass it on; empty for a list's beginning.
func (m Mark) String() string {
	if m.IsZero() {
		return ""
	}
	text := strings.Join([]string{strconv.FormatInt(m.At.UnixMicro(), 10), m.Terminal, m.Epoch, string(m.Kind), strconv.FormatInt(m.Number, 10)}, " ")
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

// ParseMark reads what String wrote.
func ParseMark(s string) (Mark, error) {
	if s == "" {
		return Mark{}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(s)
	parts := strings.Split(string(text), " ")
	if err != nil || len(parts) != 5 {
		return Mark{}, ErrBadMark
	}
	at, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return Mark{}, ErrBadMark
	}
	number, err := strconv.ParseInt(parts[4], 10, 64)
	if err != nil {
		return Mark{}, ErrBadMark
	}
	return Mark{time.UnixMicro(at).UTC(), parts[1], parts[2], Kind(parts[3]), number}, nil
}

// Mark is where a page ends that ends with the transaction.
func (t Transaction) Mark() Mark { return Mark{t.CreatedAt, t.Terminal, t.Epoch, "", t.Attempt} }

// Mark is where a page ends that ends with the entry.
func (e Entry) Mark() Mark { return Mark{e.At, e.Terminal, e.Epoch, "", e.ID} }

// Mark is where a page ends that ends with the gap.
func (g Gap) Mark() Mark { return Mark{g.FoundAt, g.Terminal, g.Epoch, g.Kind, g.First} }

const (
	pageRows = 500
	// mostLooked is how many entries one search looks at; the mark it ends with says where to go on.
	mostLooked = 100_000
)

// Transactions are at most limit that are seen and match, newest first, behind a mark; next is the mark to go on from, zero when
// there are no more.
func (d *Desk) Transactions(ctx context.Context, s fleet.Scope, f TransactionFilter, after Mark, limit int) (page []Transaction, next Mark, err error) {
	within, ok := s.Narrow(f.Within)
	if !ok {
		return nil, Mark{}, nil
	}
	limit = bound(limit)
	if page, err = d.book.Transactions(ctx, within, f, after, limit+1); err != nil {
		return nil, Mark{}, err
	}
	if len(page) > limit {
		page = page[:limit]
		next = page[limit-1].Mark()
	}
	return page, next, nil
}

func bound(limit int) int {
	if limit <= 0 || limit > pageRows {
		return pageRows
	}
	return limit
}

// EachTransaction passes on all that are seen and match, newest first, for export. It holds nothing of the database while each
// runs: whoever takes the list may be slow.
func (d *Desk) EachTransaction(ctx context.Context, s fleet.Scope, f TransactionFilter, each func(Transaction) error) error {
	for after := (Mark{}); ; {
		page, next, err := d.Transactions(ctx, s, f, after, pageRows)
		if err != nil {
			return err
		}
		for _, t := range page {
			if err := each(t); err != nil {
				return err
			}
		}
		if next.IsZero() {
			return nil
		}
		after = next
	}
}

// Find is a terminal's newest attempt of a reference that is seen, as it was read last. Who sees the terminal need not see what it sold before
// it was moved.
func (d *Desk) Find(ctx context.Context, s fleet.Scope, terminal, reference string) (Transaction, error) {
	return d.book.Newest(ctx, s.Place, terminal, reference)
}

// History is what became of an attempt that is seen, oldest first; wherever its terminal is now.
func (d *Desk) History(ctx context.Context, s fleet.Scope, terminal, epoch string, attempt int64) ([]Step, error) {
	return d.book.Steps(ctx, s.Place, terminal, epoch, attempt)
}

// Entries are at most limit entries of the log that are seen and match, newest first, behind a mark; next is the mark to go on
// from, zero when there are no more. A search for words may give fewer than limit, even none, and a mark to go on from.
func (d *Desk) Entries(ctx context.Context, s fleet.Scope, f EntryFilter, after Mark, limit int) (found []Entry, next Mark, err error) {
	within, ok := s.Narrow(f.Within)
	if !ok {
		return nil, Mark{}, nil
	}
	limit = bound(limit)
	rows := limit + 1
	if f.Words != "" {
		rows = pageRows
	}
	needle := fold.Text(f.Words)
	for looked := 0; looked < mostLooked; {
		page, err := d.book.Entries(ctx, within, f, after, rows)
		if err != nil {
			return nil, Mark{}, err
		}
		for _, e := range page {
			if len(found) == limit {
				return found, after, nil
			}
			after = e.Mark()
			if e.has(needle) {
				found = append(found, e)
			}
		}
		if looked += len(page); len(page) < rows {
			return found, Mark{}, nil
		}
	}
	return found, after, nil
}

func (e Entry) has(needle string) bool {
	return needle == "" || strings.Contains(fold.Text(e.Message), needle) || strings.Contains(fold.Text(e.Details), needle)
}

// EachEntry passes on all that are seen and match, newest first, for export.
func (d *Desk) EachEntry(ctx context.Context, s fleet.Scope, f EntryFilter, each func(Entry) error) error {
	for after := (Mark{}); ; {
		page, next, err := d.Entries(ctx, s, f, after, pageRows)
		if err != nil {
			return err
		}
		for _, e := range page {
			if err := each(e); err != nil {
				return err
			}
		}
		if next.IsZero() {
			return nil
		}
		after = next
	}
}

// Gaps are at most limit that are seen, of one terminal or of all, newest first, behind a mark; next is the mark to go on from, zero
// when there are no more.
func (d *Desk) Gaps(ctx context.Context, s fleet.Scope, terminal string, after Mark, limit int) (page []Gap, next Mark, err error) {
	limit = bound(limit)
	if page, err = d.book.Gaps(ctx, s.Place, terminal, after, limit+1); err != nil {
		return nil, Mark{}, err
	}
	if len(page) > limit {
		page = page[:limit]
		next = page[limit-1].Mark()
	}
	return page, next, nil
}
