package fleet

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/credentials"
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
	factors   Sealer
	uses      uses
	hashing   credentials.Turnstile // one password at a time: guessing must not take the whole machine, nor shut out who comes from elsewhere
}

// NewDesk is the desk of a book. The secret is the hub's, and not in the book: what must be read again is sealed with a key derived from it.
func NewDesk(b Book, secret []byte) *Desk {
	return &Desk{
		book: b, terminals: newMemory[Terminal](terminalsFresh), lists: newMemory[[]listed](freshFor),
		keys: newMemory[Key](freshFor), tokens: newMemory[Key](freshFor), sessions: newMemory[Session](freshFor),
		listing: make(chan struct{}, 1),
		factors: NewSealer(secret, "second factors"),
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

// NewChange is a line of the audit log, now.
func NewChange(a Actor, p Place, target, what string) Change {
	return Change{Place: p, At: Now(), Who: a.who(), What: what, Target: target}
}

// Now is to the microsecond: that is what books keep.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// NewID is short enough to be read out, and nobody guesses one.
func NewID() string { return strings.ToLower(rand.Text()[:16]) }

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

const longestName = 100

// CleanName is a name as it is kept: one line of text, of signs that can be seen. Two names must not look the same, nor one turn the line around.
func CleanName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > longestName || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }) {
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
