// Package fleet knows whose is what: accounts (a software house) hold tenants (its customers), these shops, these terminals;
// people and keys see a part of an account and may do what their role says.
//
// Invariants: every record has its account, tenant and shop; what is outside of a scope does not exist for it; a terminal
// that was revoked stays so for ever; secrets are kept as hashes only; each change by a person is in the audit log, in
// the same transaction.
package fleet

import (
	"errors"
	"time"
)

var (
	// ErrNotFound is also what is somebody else's.
	ErrNotFound = errors.New("not in this fleet")
	// ErrTaken is a name or an id that there can be only one of.
	ErrTaken = errors.New("there is one of this name")
	// ErrForbidden is what a role does not allow on what its holder sees.
	ErrForbidden = errors.New("not allowed for this role")
	// ErrBadCode is a code that does not join: wrong, used or too old. Which of them is nobody's to know.
	ErrBadCode = errors.New("the code does not join")
	// ErrRevoked is what was taken back, for ever.
	ErrRevoked = errors.New("revoked for ever")
	// ErrBadName is a name that is empty, too long, or no text of one line.
	ErrBadName = errors.New("not a name")
	// ErrBadRole is none of the roles, or one above that of who gives it.
	ErrBadRole = errors.New("not a role that can be given")
	// ErrBadPassword is one that is too short or too long.
	ErrBadPassword = errors.New("not a password that can be kept")
	// ErrWrongPassword is not the current one.
	ErrWrongPassword = errors.New("not the current password")
	// ErrBadPublicKey is what is no Ed25519 key.
	ErrBadPublicKey = errors.New("not a public key")
	// ErrNeedsFactor means that the password is right, and that a code of the second factor is asked for, too.
	ErrNeedsFactor = errors.New("a code of the second factor is missing")
	// ErrWrongFactor is a code that is wrong, too old, or was taken before.
	ErrWrongFactor = errors.New("the code of the second factor is not good")
	// ErrTooManyCodes means that no further code is looked at for some minutes.
	ErrTooManyCodes = errors.New("too many wrong codes of a second factor")
	// ErrBadFactor is a secret, or a code of it, with which no second factor can begin.
	ErrBadFactor = errors.New("secret and code of the second factor do not fit")
	// ErrBadEnd is an end that has passed already, or will in a lifetime.
	ErrBadEnd = errors.New("the end is not in the future")
	// ErrOtherSecret means that something was sealed by a hub with another key.
	ErrOtherSecret = errors.New("sealed with another key")
	// ErrWhichShop means that several shops could be meant, and none was named.
	ErrWhichShop = errors.New("several shops, and none was named")
)

// Role is what may be done with what is seen.
type Role string

// Each role may do what those before it may.
const (
	Reads       Role = "reads"
	Operates    Role = "operates"    // sales, payments, prints through the hub
	Administers Role = "administers" // joins, revokes, makes keys and people
)

// Place is where something belongs. Tenant and Shop are empty for what belongs to a larger whole. That of an account, a
// tenant or a shop names itself, too.
type Place struct {
	Account string
	Tenant  string
	Shop    string
}

// Stay is where a terminal belonged, and until when; zero: it still does.
type Stay struct {
	Place
	Until time.Time
}

// Scope is what somebody sees, and what he may do there.
type Scope struct {
	Place
	Role Role
}

// Holds tells whether a place lies within.
func (s Scope) Holds(p Place) bool {
	return s.Account == p.Account && (s.Tenant == "" || s.Tenant == p.Tenant) && (s.Shop == "" || s.Shop == p.Shop)
}

// May tells whether a role is enough.
func (s Scope) May(needed Role) bool { return rank[s.Role] >= rank[needed] }

var rank = map[Role]int{Reads: 1, Operates: 2, Administers: 3}

// Named is an account, a tenant or a shop.
type Named struct {
	ID string
	Place
	Name      string
	CreatedAt time.Time
}

// Terminal is one that joined.
type Terminal struct {
	ID string
	Place
	Name      string
	PublicKey []byte // Ed25519
	JoinedAt  time.Time
	RevokedAt time.Time // zero: it may connect

	// As it was told last.
	Version   string
	SeenAt    time.Time
	Condition Condition
}

// Condition is how a terminal was when it was last heard of. Books keep it as JSON, without what is zero: ten thousand are read at once.
type Condition struct {
	Clock      time.Time `json:",omitzero"` // the terminal's own
	ReadAt     time.Time `json:",omitzero"` // when that was, by the hub's
	Busy       bool      `json:",omitzero"`
	Running    string    `json:",omitzero"` // payment, reversal, question, print; empty: nothing
	Foreground bool      `json:",omitzero"`
	Printer    string    `json:",omitzero"` // ok, paperOut, coverOpen, offline, …
	Trouble    []string  `json:",omitzero"` // acquirers that can't be asked
	Unresolved int       `json:",omitzero"` // payments nobody knows the end of
	SaleOpen   bool      `json:",omitzero"`
}

// ClockOff is by how much the terminal's clock is ahead of the hub's, or behind where it is negative.
func (c Condition) ClockOff() time.Duration { return c.Clock.Sub(c.ReadAt) }

// Key is what a program signs in with: its id as the user, its secret as the password or as the bearer token.
type Key struct {
	ID string
	Scope
	Name            string
	Hash            []byte
	NeedsReferences bool // payments without a referenceId are refused instead of given one
	CreatedAt       time.Time
	ExpiresAt       time.Time // zero: never
	RevokedAt       time.Time
	UsedAt          time.Time // zero: never
}

// Person signs in at the page.
type Person struct {
	ID string
	Scope
	Name      string // what they sign in with
	Hash      []byte
	Factor    []byte // the secret of the second factor, sealed; empty: there is none
	CreatedAt time.Time
	RevokedAt time.Time
}

// Code joins one terminal, once, for ten minutes.
type Code struct {
	Hash []byte
	Place
	Name      string // the terminal's, to be
	ExpiresAt time.Time
}

// Change is a line of the audit log.
type Change struct {
	Number int64
	Place
	At     time.Time
	Who    string // the person's or the key's id and name
	What   string // in Portuguese, for people
	Target string // the id of what was changed
}

// Session is a person who has signed in at the page.
type Session struct {
	Token     string // the page's to keep; only its hash is kept here
	Person    Person
	ExpiresAt time.Time
}

// Actor is who asks: a person or a key that has signed in, or the hub's own program.
type Actor struct {
	Scope
	ID       string
	Name     string
	IsPerson bool
	Factor   bool // a person with a second factor
}

func (a Actor) who() string { return a.Name + " (" + a.ID + ")" }

// Actor is the key as who asks.
func (k Key) Actor() Actor { return Actor{Scope: k.Scope, ID: k.ID, Name: k.Name} }

// Actor is the person as who asks.
func (p Person) Actor() Actor {
	return Actor{Scope: p.Scope, ID: p.ID, Name: p.Name, IsPerson: true, Factor: p.HasFactor()}
}
