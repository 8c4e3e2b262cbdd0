// Package store keeps the hub's records: in a SQLite file under the data folder, or in PostgreSQL. Both have one schema and one set
// of queries, and pass one conformance suite.
//
// A write is answered only when the database has committed it. Rules are not here; rows are.
package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
)

// File is the SQLite file in the data folder.
const File = "hub.db"

var (
	// ErrUnreadable means that the file is damaged, or no database.
	ErrUnreadable = errors.New("data unreadable")
	// ErrNewer means that a newer version of the program has written the data. They are unreadable too.
	ErrNewer = fmt.Errorf("%w: written by a newer version", ErrUnreadable)
)

// Store is an open database.
type Store struct{ db *database }

// Open opens the SQLite file in a folder, making it when missing, or where an address is given PostgreSQL there.
func Open(ctx context.Context, folder, address string) (*Store, error) {
	db, err := openDatabase(folder, address)
	if err != nil {
		return nil, err
	}
	if err := db.migrate(ctx); err != nil {
		return nil, errors.Join(explain(err), db.close())
	}
	return &Store{db}, nil
}

// Close waits for the writes under way.
func (s *Store) Close() error { return s.db.close() }

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return explain(s.db.reader.PingContext(ctx)) }

// The books of the domains.
func (s *Store) Fleet() *Fleet           { return &Fleet{s.db} }
func (s *Store) Records() *Records       { return &Records{s.db} }
func (s *Store) Operations() *Operations { return &Operations{s.db} }
func (s *Store) Webhooks() *Webhooks     { return &Webhooks{s.db} }
func (s *Store) Settings() *Settings     { return &Settings{s.db} }

// Leases are for hubs that share the database. It is called once.
func (s *Store) Leases() *Leases { return &Leases{s.db, s.db.forLeases()} }

var (
	_ fleet.Book      = (*Fleet)(nil)
	_ records.Book    = (*Records)(nil)
	_ operations.Book = (*Operations)(nil)
	_ leases.Book     = (*Leases)(nil)
	_ webhooks.Book   = (*Webhooks)(nil)
	_ settings.Book   = (*Settings)(nil)
)
