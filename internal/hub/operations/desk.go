package operations

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// Book keeps operations. Any error but ErrNotFound and ErrState means that it can't be read or written now.
type Book interface {
	// Begin writes an operation, or gives the one that has its caller, terminal and key.
	Begin(ctx context.Context, o Operation) (kept Operation, fresh bool, err error)
	// Move changes the state and what the end brings, and the run where one is given, if the state is one of those named. ErrState: it is another.
	Move(ctx context.Context, o Operation, from ...State) error
	Operation(ctx context.Context, id string) (Operation, error)
	// Named is the one that has its caller, terminal and key.
	Named(ctx context.Context, caller, terminal, key string) (Operation, error)
	// Operations are at most limit within a place, newest first, without bodies. With Behind, Before is when that one began.
	Operations(ctx context.Context, within fleet.Place, f Filter, limit int) ([]Operation, error)
	// Unended are those that wait or run, oldest first.
	Unended(ctx context.Context) ([]Operation, error)
	// Orphaned are those of them whose hub's run has no lease that holds.
	Orphaned(ctx context.Context) ([]Operation, error)
	// UnendedOf are those of a run, without bodies.
	UnendedOf(ctx context.Context, run string) ([]Operation, error)
}

// Filter picks operations.
type Filter struct {
	Within   fleet.Place // Tenant and Shop narrow it down
	Terminal string
	State    State
	Before   time.Time // begun before; zero: from the newest on
	Behind   string    // id of one that the list goes on behind, in the place of Before: many may begin in the same moment
}

// Desk is where operations are begun and looked up. Its methods may be called from anywhere.
type Desk struct {
	book Book
	run  func() string // nil: this hub is alone
}

// NewDesk is the desk of a book.
func NewDesk(b Book) *Desk { return &Desk{book: b} }

// Share has the book shared with other hubs. run is that of this one's lease: what it runs is ended by others only when the lease is over.
// To be called before anything is begun.
func (d *Desk) Share(run func() string) { d.run = run }

func (d *Desk) here() string {
	if d.run == nil {
		return ""
	}
	return d.run()
}

// longestKey is what fits into an index of every database, with the caller and the terminal.
const longestKey = 1024

const lengthOfID = 20

// IsID tells whether a text looks like an operation's id. No date does.
func IsID(text string) bool {
	return len(text) == lengthOfID && !strings.ContainsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '2' || r > '7') })
}

// NewID is for an operation that begins.
func NewID() string { return strings.ToLower(rand.Text()[:lengthOfID]) }

// Begin writes an operation down before anything is sent, or finds the one its caller began with the same key; only a fresh one
// is to be sent. After an error it may be written down all the same. ID (by NewID), Place, Terminal, Caller, Key, Reference, Method, Path and Body are the caller's to fill in; without a key,
// each is an operation of its own. ErrOtherRequest: the key was used for another request.
func (d *Desk) Begin(ctx context.Context, o Operation) (kept Operation, fresh bool, err error) {
	if len(o.Key) > longestKey {
		return Operation{}, false, ErrBadKey
	}
	o.State, o.CreatedAt = Waiting, now()
	o.Digest, o.Run = digest(o), d.here()
	if o.Key == "" {
		o.Key = o.ID
	}
	kept, fresh, err = d.book.Begin(ctx, o)
	if err == nil && !slices.Equal(kept.Digest, o.Digest) {
		return Operation{}, false, ErrOtherRequest
	}
	return kept, fresh, err
}

// Repeat is Begin where nothing new may be begun: ErrNotFound then.
func (d *Desk) Repeat(ctx context.Context, o Operation) (kept Operation, fresh bool, err error) {
	switch {
	case len(o.Key) > longestKey:
		return Operation{}, false, ErrBadKey
	case o.Key == "":
		return Operation{}, false, ErrNotFound
	}
	kept, err = d.book.Named(ctx, o.Caller, o.Terminal, o.Key)
	if err == nil && !slices.Equal(kept.Digest, digest(o)) {
		err = ErrOtherRequest
	}
	return kept, false, err
}

// digest is of method, path and body; the lengths keep them apart.
func digest(o Operation) []byte {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(o.Method), []byte(o.Path), o.Body} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part)))) //nolint:errcheck // it never fails
		h.Write(part)                                                  //nolint:errcheck // it never fails
	}
	return h.Sum(nil)
}

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Again has an operation whose answer is lost begin once more; only for what can be sent twice. ErrState: somebody has. After another error
// it may have begun all the same.
func (d *Desk) Again(ctx context.Context, o Operation) (Operation, error) {
	o.State, o.EndedAt, o.Status, o.Run = Waiting, time.Time{}, sentBefore, d.here()
	return o, d.book.Move(ctx, o, Broken)
}

// Send notes that the request is about to leave: from here on nobody sends it again. ErrState: somebody has.
func (d *Desk) Send(ctx context.Context, id string) error {
	return d.book.Move(ctx, Operation{ID: id, State: Running}, Waiting)
}

// Finish notes the answer. One that was never sent may have one, too: that the terminal was absent.
func (d *Desk) Finish(ctx context.Context, id string, status int, headers map[string]string, answer []byte) error {
	return d.book.Move(ctx, Operation{ID: id, State: Done, EndedAt: now(), Status: status, Headers: headers, Answer: answer}, Waiting, Running)
}

// Break notes that the answer is lost.
func (d *Desk) Break(ctx context.Context, id string) error {
	return d.book.Move(ctx, Operation{ID: id, State: Broken, EndedAt: now()}, Running)
}

// Abandon notes the answer of one that waits, and is not to be sent any more. What was sent before stays without one: its answer is lost.
// ErrState: it waits no more.
func (d *Desk) Abandon(ctx context.Context, o Operation, status int, headers map[string]string, answer []byte) error {
	if o.SentBefore() {
		return d.book.Move(ctx, Operation{ID: o.ID, State: Broken, EndedAt: now()}, Waiting)
	}
	return d.book.Move(ctx, Operation{ID: o.ID, State: Done, EndedAt: now(), Status: status, Headers: headers, Answer: answer}, Waiting)
}

// Find is an operation of a terminal that is seen.
func (d *Desk) Find(ctx context.Context, s fleet.Scope, terminal, id string) (Operation, error) {
	o, err := d.book.Operation(ctx, id)
	if err == nil && (o.Terminal != terminal || !s.Holds(o.Place)) {
		err = ErrNotFound
	}
	if err != nil {
		return Operation{}, err
	}
	return o, nil
}

// List are at most limit that are seen and match, newest first, without bodies. ErrNotFound: the one that it is to go on behind is not
// there, or not seen.
func (d *Desk) List(ctx context.Context, s fleet.Scope, f Filter, limit int) ([]Operation, error) {
	within, ok := s.Narrow(f.Within)
	if !ok {
		return nil, nil
	}
	const most = 500
	if limit <= 0 || limit > most {
		limit = most
	}
	if f.Behind != "" {
		last, err := d.book.Operation(ctx, f.Behind)
		if err == nil && !s.Holds(last.Place) {
			err = ErrNotFound
		}
		if err != nil {
			return nil, err
		}
		f.Before = last.CreatedAt
	}
	return d.book.Operations(ctx, within, f, limit)
}

// Unended are those that are on the disk as this hub's, and have no end there; without bodies. Without a lease nothing is its own.
func (d *Desk) Unended(ctx context.Context) ([]Operation, error) {
	run := d.here()
	if d.run != nil && run == "" {
		return nil, nil
	}
	return d.book.UnendedOf(ctx, run)
}

// Recover ends what was running when the hub died: nobody hears its answer. It gives those that were never sent; the caller
// abandons each. A hub that is alone calls it before anything is begun; those that share a book call it again and again, since
// any of them may die.
func (d *Desk) Recover(ctx context.Context) (waiting []Operation, err error) {
	unended := d.book.Unended
	if d.run != nil {
		unended = d.book.Orphaned
	}
	all, err := unended(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range all {
		if o.State == Waiting {
			waiting = append(waiting, o)
			continue
		}
		if err := d.Break(ctx, o.ID); err != nil && !errors.Is(err, ErrState) {
			return nil, err
		}
	}
	return waiting, nil
}
