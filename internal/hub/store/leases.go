package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/leases"
)

// Leases keeps which hubs run, and where terminals hang.
type Leases struct {
	db     *database
	leases *database // connections of their own: a lease must not be lost because others are at the database
}

// clock is now by the database's clock, in microseconds.
func (db *database) clock() string {
	if db.postgres {
		return `CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`
	}
	return `CAST(unixepoch('subsec') * 1000000 AS BIGINT)`
}

// overFor is how long a lease is over before it is forgotten.
const overFor = time.Hour

// Take writes a lease.
func (s *Leases) Take(ctx context.Context, h leases.Hub, lasts time.Duration) error {
	now := s.leases.clock()
	return s.leases.write(ctx, func(t *tx) error {
		if _, err := t.exec(`DELETE FROM hubs WHERE valid_until < `+now+` - ?`, overFor.Microseconds()); err != nil {
			return err
		}
		if h.Address == "" { // it was killed, and starts again
			if _, err := t.exec(`DELETE FROM hubs WHERE address = '' AND key_hash = ?`, h.KeyHash); err != nil {
				return err
			}
		}
		var others int
		if err := t.row(`SELECT count(*) FROM hubs WHERE (address = '' OR ? = '') AND valid_until > `+now, h.Address).Scan(&others); err != nil {
			return err
		}
		if others > 0 {
			return leases.ErrAlone
		}
		if err := t.row(`SELECT count(*) FROM hubs WHERE identity <> ? AND valid_until > `+now, h.Identity).Scan(&others); err != nil {
			return err
		}
		if others > 0 {
			return leases.ErrOtherIdentity
		}
		_, err := t.exec(`INSERT INTO hubs (run, identity, address, key_hash, valid_until) VALUES (?, ?, ?, ?, `+now+` + ?)`, h.Run, h.Identity, h.Address, h.KeyHash, lasts.Microseconds())
		return err
	})
}

// Renew has a lease hold from now on, unless it is over.
func (s *Leases) Renew(ctx context.Context, run string, lasts time.Duration) (mine []leases.Location, err error) {
	now := s.leases.clock()
	err = s.leases.write(ctx, func(t *tx) error {
		n, err := t.exec(`UPDATE hubs SET valid_until = `+now+` + ? WHERE run = ? AND valid_until > `+now, lasts.Microseconds(), run)
		if err == nil && n == 0 {
			return leases.ErrLost
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return many(ctx, s.leases, func(r scanner) (l leases.Location, err error) {
		err = r.Scan(&l.Terminal, &l.Run, &l.Number)
		return l, err
	}, `SELECT terminal_id, run, number FROM locations WHERE run = ?`, run)
}

// Leave ends a lease.
func (s *Leases) Leave(ctx context.Context, run string) error {
	return s.leases.write(ctx, func(t *tx) error {
		if _, err := t.exec(`UPDATE locations SET run = '', since = `+s.db.clock()+` WHERE run = ?`, run); err != nil {
			return err
		}
		_, err := t.exec(`DELETE FROM hubs WHERE run = ?`, run)
		return err
	})
}

// Draw is a number above all before it. It follows the clock, so that it is higher too where a standby was promoted that lacks the last.
func (s *Leases) Draw(ctx context.Context) (number int64, err error) {
	now := s.db.clock()
	err = s.db.write(ctx, func(t *tx) error {
		return t.row(`UPDATE link_number SET last = CASE WHEN last < ` + now + ` THEN ` + now + ` ELSE last + 1 END RETURNING last`).Scan(&number)
	})
	return number, err
}

// Claim writes where a terminal hangs, unless a newer connection of it is known.
func (s *Leases) Claim(ctx context.Context, l leases.Location) error {
	now := s.db.clock()
	return s.db.write(ctx, func(t *tx) error {
		var holds int
		if err := t.row(`SELECT count(*) FROM hubs WHERE run = ? AND valid_until > `+now, l.Run).Scan(&holds); err != nil {
			return err
		}
		if holds == 0 {
			return leases.ErrLost
		}
		n, err := t.exec(`INSERT INTO locations (terminal_id, run, number, since) VALUES (?, ?, ?, `+now+`) ON CONFLICT (terminal_id)
			DO UPDATE SET run = excluded.run, number = excluded.number, since = excluded.since WHERE locations.number < excluded.number`, l.Terminal, l.Run, l.Number)
		if err == nil && n == 0 {
			return leases.ErrSuperseded
		}
		return err
	})
}

// Release writes that terminals hang there no more.
func (s *Leases) Release(ctx context.Context, all []leases.Location) error {
	all = slices.Clone(all) // in one order, so that no two hubs wait for one another
	slices.SortFunc(all, func(a, b leases.Location) int { return strings.Compare(a.Terminal, b.Terminal) })
	return s.leases.write(ctx, func(t *tx) error {
		for _, l := range all {
			if _, err := t.exec(`UPDATE locations SET run = '', since = `+s.db.clock()+` WHERE terminal_id = ? AND run = ? AND number = ?`, l.Terminal, l.Run, l.Number); err != nil {
				return err
			}
		}
		return nil
	})
}

// HubsRun tells how many hubs share the database now.
func (s *Store) HubsRun(ctx context.Context) (int, error) {
	return one(ctx, s.db, leases.ErrNowhere, func(r scanner) (n int, err error) {
		err = r.Scan(&n)
		return n, err
	}, `SELECT count(*) FROM hubs WHERE valid_until > `+s.db.clock())
}

// Locate is where a terminal hangs, at a hub that runs.
func (s *Leases) Locate(ctx context.Context, terminal string) (l leases.Location, h leases.Hub, err error) {
	l.Terminal = terminal
	h, err = one(ctx, s.db, leases.ErrNowhere, func(r scanner) (h leases.Hub, err error) {
		err = r.Scan(&l.Number, &h.Run, &h.Identity, &h.Address, &h.KeyHash)
		return h, err
	}, `SELECT number, hubs.run, identity, address, key_hash FROM locations JOIN hubs ON hubs.run = locations.run WHERE terminal_id = ? AND valid_until > `+s.db.clock(), terminal)
	l.Run = h.Run
	return l, h, err
}

// Elsewhere are the terminals that hang at other hubs that run.
func (s *Leases) Elsewhere(ctx context.Context, run string) (map[string]time.Time, error) {
	type place struct {
		terminal string
		since    time.Time
	}
	found := map[string]time.Time{}
	err := each(ctx, s.db, func(r scanner) (p place, err error) {
		err = r.Scan(&p.terminal, into{&p.since})
		return p, err
	}, func(p place) error {
		found[p.terminal] = p.since
		return nil
	}, `SELECT terminal_id, since FROM locations JOIN hubs ON hubs.run = locations.run WHERE locations.run <> ? AND valid_until > `+s.db.clock(), run)
	return found, err
}

// Known tells whether a hub that runs has this key.
func (s *Leases) Known(ctx context.Context, keyHash []byte) error {
	_, err := one(ctx, s.db, leases.ErrStranger, func(r scanner) (run string, err error) {
		err = r.Scan(&run)
		return run, err
	}, `SELECT run FROM hubs WHERE key_hash = ? AND valid_until > `+s.db.clock()+` LIMIT 1`, keyHash)
	return err
}
