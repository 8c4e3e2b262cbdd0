package fleet

import (
	"context"
	"time"
)

// Book keeps the fleet. What is not there is ErrNotFound, what there can be only one of is ErrTaken; any other error means that
// the book can't be read or written now. Each method that takes a Change writes it in the same transaction.
type Book interface {
	PlaceBook
	TerminalBook
	AccessBook
	// Changes are the lines of the audit log within a place, newest first.
	Changes(ctx context.Context, within Place, f AuditFilter) ([]Change, error)
	// LastChange is the number of the newest line.
	LastChange(ctx context.Context) (int64, error)
	// ChangesAfter are at most so many lines of all accounts after a number, oldest first.
	ChangesAfter(ctx context.Context, number int64, most int) ([]Change, error)
}

// PlaceBook keeps accounts, tenants and shops.
type PlaceBook interface {
	// Found writes the first account with all that it begins with. ErrTaken: there is one.
	Found(ctx context.Context, f Founded, c Change) error
	Accounts(ctx context.Context) ([]Named, error)
	AddTenant(ctx context.Context, tenant Named, c Change) error
	AddShop(ctx context.Context, shop Named, c Change) error
	Tenants(ctx context.Context, within Place) ([]Named, error)
	Shops(ctx context.Context, within Place) ([]Named, error)
}

// TerminalBook keeps terminals, and the codes that make them.
type TerminalBook interface {
	AddCode(ctx context.Context, code Code, c Change) error
	// Code is one that is not too old. Reading does not use it up.
	Code(ctx context.Context, hash []byte, now time.Time) (Code, error)
	// Join uses the code up and writes the terminal, or neither: ErrNotFound where somebody else has used it up.
	Join(ctx context.Context, code []byte, now time.Time, t Terminal, c Change) error
	Terminal(ctx context.Context, id string) (Terminal, error)
	// Terminals passes on those within a place, in no order.
	Terminals(ctx context.Context, within Place, each func(Terminal) error) error
	RenameTerminal(ctx context.Context, id, name string, c Change) error
	// MoveTerminal writes where a terminal belongs from the changes' time on, and where it did until then: its records stay where they were made,
	// and its own settings with the customer. Each of both places has its change.
	MoveTerminal(ctx context.Context, id string, to Place, left, came Change) error
	// RevokeTerminal leaves one that is revoked as it is, and writes no change then.
	RevokeTerminal(ctx context.Context, id string, c Change) error
	// Seen writes how terminals are. Those that are unknown are left out.
	Seen(ctx context.Context, sightings []Sighting) error
	// SeenAfter are the terminals of which something was written down for later than a moment, and the latest one.
	SeenAfter(ctx context.Context, at time.Time) (terminals []string, latest time.Time, err error)
}

// AccessBook keeps keys, people and their sessions.
type AccessBook interface {
	AddKey(ctx context.Context, k Key, c Change) error
	Key(ctx context.Context, id string) (Key, error)
	KeyOf(ctx context.Context, hash []byte) (Key, error)
	Keys(ctx context.Context, within Place) ([]Key, error)
	RevokeKey(ctx context.Context, id string, c Change) error
	// KeysUsed writes when keys were used last; what is written already and later stays.
	KeysUsed(ctx context.Context, at map[string]time.Time) error

	AddPerson(ctx context.Context, p Person, c Change) error
	Person(ctx context.Context, id string) (Person, error)
	// PersonNamed is who may sign in by a name; nobody who was revoked.
	PersonNamed(ctx context.Context, name string) (Person, error)
	People(ctx context.Context, within Place) ([]Person, error)
	// RevokePerson, SetPassword and SetFactor end the person's sessions, too.
	RevokePerson(ctx context.Context, id string, c Change) error
	SetPassword(ctx context.Context, id string, hash []byte, c Change) error
	// SetFactor writes a second factor, and the period of the code that was taken already. Nil: there is none any more.
	SetFactor(ctx context.Context, id string, sealed []byte, period int64, c Change) error
	// TryFactor counts a code that will be looked at, from the first one after a moment on. ErrNotFound: as many as may be were.
	TryFactor(ctx context.Context, id string, now, after time.Time, most int) error
	// UseFactor takes the code of a period, which counts no more. ErrNotFound: that one or a later one was taken before.
	UseFactor(ctx context.Context, id string, period int64) error

	// AddSession also forgets those that have expired by now.
	AddSession(ctx context.Context, hash []byte, person string, expires, now time.Time) error
	Session(ctx context.Context, hash []byte) (Session, error)
	EndSession(ctx context.Context, hash []byte) error
}

// Sighting is how a terminal was at a moment.
type Sighting struct {
	Terminal  string
	At        time.Time
	Version   string
	Condition Condition
}

// AuditFilter picks lines of the audit log.
type AuditFilter struct {
	Target string // the id of what was changed; empty: whatever
	Before int64  // lines with a lower number only; 0: from the newest on
	Limit  int
}
