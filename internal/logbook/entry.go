// Package logbook keeps the terminal's log: what happened, searchable for weeks
// and followable live.
//
// Invariants:
//   - ids ascend in the order entries were added, and so do the positions every
//     reader sees; a gap means entries were dropped because the storage failed,
//     and an entry of its own says so;
//   - every entry is in memory or in storage, so no follower can miss one;
//   - adding never waits for the disk unless the disk is tens of thousands of
//     entries behind;
//   - a card number never gets past [Book.Add].
package logbook

import (
	"context"
	"errors"
	"time"
)

// ErrClosed means the book was closed.
var ErrClosed = errors.New("logbook closed")

// Level is how grave an entry is.
type Level string

// The levels, gravest first.
const (
	Fatal   Level = "fatal"
	Error   Level = "error"
	Warning Level = "warning"
	Info    Level = "info"
	Trace   Level = "trace"
	Path    Level = "path"
	Debug   Level = "debug"
)

// Known reports whether l is one of the levels.
func (l Level) Known() bool {
	switch l {
	case Fatal, Error, Warning, Info, Trace, Path, Debug:
		return true
	}
	return false
}

// Source is the part of the service an entry comes from.
type Source string

// The sources.
const (
	App    Source = "app"
	Router Source = "router"
	HTTP   Source = "http"
)

// Known reports whether s is one of the sources.
func (s Source) Known() bool {
	switch s {
	case App, Router, HTTP:
		return true
	}
	return false
}

// Entry is one thing that happened.
type Entry struct {
	ID      int64
	Level   Level
	Source  Source
	Message string
	Details string    // "" when there are none
	At      time.Time // to the millisecond, the same live as from storage
}

// Query says which entries to find. The zero value finds them all, newest first.
type Query struct {
	Level  Level  // "" for any
	Source Source // "" for any

	// From is included, To is not; zero leaves that end open.
	From, To time.Time

	// Search is looked for in the message and in the details, each on its own,
	// as [Fold] sees them; no character has a special meaning. A card number is found where it is masked.
	Search string

	FromID      int64 // only entries of this id and above
	Limit       int   // 0 or less: no limit
	OldestFirst bool
}

// Storage is where entries are kept.
type Storage interface {
	// Append keeps entries, whose ids ascend and follow those in storage.
	// They are durable when it returns nil; after an error none of them is kept.
	Append([]Entry) error

	// Find calls fn with what the query asks for, of what was appended before
	// the call. An error of fn ends it and is returned.
	Find(ctx context.Context, q Query, fn func(Entry) error) error

	// After gives up to limit entries whose ids are above id, ascending.
	After(ctx context.Context, id int64, limit int) ([]Entry, error)

	// Last is the highest id kept, 0 when there was never one.
	Last() (int64, error)

	// Trim forgets entries older than before (when it is not zero) and all but
	// about the newest keep (when it is above 0). The newest entry always stays,
	// so that ids go on ascending.
	Trim(ctx context.Context, before time.Time, keep int) error
}
