package fleet

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Desk is where the fleet is looked up and changed. Its methods may be called from anywhere.
//
// What each request asks for (terminals, keys, sessions) is remembered: requests go on while the database is away.
type Desk struct {
	book      Book
	terminals *memory[Terminal]
	lists     *memory[[]listed] // by place
	listing   chan struct{}     // full while a list is read: who asks meanwhile takes the same one
	keys      *memory[Key]      // by id
	tokens    *memory[Key]      // by the hash of the secret
	sessions  *memory[Session]  // by the hash of the token
	hashing   chan struct{}     // full while a password is hashed: guessing must not take the whole machine
}

// NewDesk is the desk of a book.
func NewDesk(b Book) *Desk {
	return &Desk{
		book: b, terminals: newMemory[Terminal](), lists: newMemory[[]listed](), keys: newMemory[Key](), tokens: newMemory[Key](), sessions: newMemory[Session](),
		listing: make(chan struct{}, 1), hashing: make(chan struct{}, 1),
	}
}

// administers tells why somebody may not change a place: it does not exist for him, or his role is too low.
func (a Actor) administers(p Place) error {
	switch {
	case !a.Holds(p):
		return ErrNotFound
	case !a.May(Administers):
		return ErrForbidden
	}
	return nil
}

func change(a Actor, p Place, target, what string) Change {
	return Change{Place: p, At: now(), Who: a.who(), What: what, Target: target}
}

// now is to the microsecond: that is what books keep.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// newID is short enough to be read out, and nobody guesses one.
func newID() string { return strings.ToLower(rand.Text()[:16]) }

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

const longestName = 100

// cleanName is a name as it is kept: one line of text.
func cleanName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > longestName || strings.ContainsFunc(name, unicode.IsControl) {
		return "", ErrBadName
	}
	return name, nil
}

// Audit is the audit log as far as somebody sees it, newest first. At most 1,000 lines at once.
func (d *Desk) Audit(ctx context.Context, a Actor, f AuditFilter) ([]Change, error) {
	if !a.May(Administers) {
		return nil, ErrForbidden
	}
	const most = 1000
	if f.Limit <= 0 || f.Limit > most {
		f.Limit = most
	}
	return d.book.Changes(ctx, a.Place, f)
}
