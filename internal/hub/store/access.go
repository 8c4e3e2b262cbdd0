package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

const (
	keyColumns    = `id, account_id, tenant_id, shop_id, role, name, hash, needs_references, created_at, revoked_at, expires_at, used_at`
	personColumns = `id, account_id, tenant_id, shop_id, role, name, hash, created_at, revoked_at, factor`
)

func addKey(t *tx, k fleet.Key) error {
	return t.insert("keys ("+keyColumns+")", "", [][]any{{
		k.ID, k.Account, k.Tenant, k.Shop, string(k.Role), k.Name, k.Hash, k.NeedsReferences, k.CreatedAt, k.RevokedAt, k.ExpiresAt, k.UsedAt,
	}})
}

func scanKey(r scanner) (k fleet.Key, err error) {
	err = r.Scan(&k.ID, &k.Account, &k.Tenant, &k.Shop, &k.Role, &k.Name, &k.Hash, &k.NeedsReferences,
		into{&k.CreatedAt}, into{&k.RevokedAt}, into{&k.ExpiresAt}, into{&k.UsedAt})
	return k, err
}

// AddKey writes a key.
func (f *Fleet) AddKey(ctx context.Context, k fleet.Key, c fleet.Change) error {
	return f.change(ctx, c, func(t *tx) error { return addKey(t, k) })
}

// Key is one of any account.
func (f *Fleet) Key(ctx context.Context, id string) (fleet.Key, error) {
	return one(ctx, f.db, fleet.ErrNotFound, scanKey, `SELECT `+keyColumns+` FROM keys WHERE id = ?`, id)
}

// KeyOf is the one with a secret of this hash.
func (f *Fleet) KeyOf(ctx context.Context, hash []byte) (fleet.Key, error) {
	return one(ctx, f.db, fleet.ErrNotFound, scanKey, `SELECT `+keyColumns+` FROM keys WHERE hash = ?`, hash)
}

// Keys are those within a place, oldest first.
func (f *Fleet) Keys(ctx context.Context, within fleet.Place) ([]fleet.Key, error) {
	w := inside(within)
	return many(ctx, f.db, scanKey, `SELECT `+keyColumns+` FROM keys`+w.String()+` ORDER BY created_at, id`, w.args...)
}

// RevokeKey marks it as revoked, for ever.
func (f *Fleet) RevokeKey(ctx context.Context, id string, c fleet.Change) error {
	return f.revoke(ctx, "keys", id, c)
}

// KeysUsed writes when keys were used last.
func (f *Fleet) KeysUsed(ctx context.Context, at map[string]time.Time) error {
	return f.db.write(ctx, func(t *tx) error {
		for _, id := range slices.Sorted(maps.Keys(at)) { // in one order, or two hubs wait for each other
			if _, err := t.exec(`UPDATE keys SET used_at = ? WHERE id = ? AND (used_at IS NULL OR used_at < ?)`, at[id], id, at[id]); err != nil {
				return err
			}
		}
		return nil
	})
}

func addPerson(t *tx, p fleet.Person) error {
	return t.insert("people ("+personColumns+")", "", [][]any{{p.ID, p.Account, p.Tenant, p.Shop, string(p.Role), p.Name, p.Hash, p.CreatedAt, p.RevokedAt, p.Factor}})
}

func scanPerson(r scanner) (p fleet.Person, err error) {
	err = r.Scan(personFields(&p)...)
	return p, err
}

// personFields are what personColumns are read into.
func personFields(p *fleet.Person) []any {
	return []any{&p.ID, &p.Account, &p.Tenant, &p.Shop, &p.Role, &p.Name, &p.Hash, into{&p.CreatedAt}, into{&p.RevokedAt}, &p.Factor}
}

// AddPerson writes a person.
func (f *Fleet) AddPerson(ctx context.Context, p fleet.Person, c fleet.Change) error {
	return f.change(ctx, c, func(t *tx) error { return addPerson(t, p) })
}

// Person is one of any account.
func (f *Fleet) Person(ctx context.Context, id string) (fleet.Person, error) {
	return one(ctx, f.db, fleet.ErrNotFound, scanPerson, `SELECT `+personColumns+` FROM people WHERE id = ?`, id)
}

// PersonNamed is who may sign in by a name.
func (f *Fleet) PersonNamed(ctx context.Context, name string) (fleet.Person, error) {
	return one(ctx, f.db, fleet.ErrNotFound, scanPerson, `SELECT `+personColumns+` FROM people WHERE name = ? AND revoked_at IS NULL`, name)
}

// People are those within a place, oldest first.
func (f *Fleet) People(ctx context.Context, within fleet.Place) ([]fleet.Person, error) {
	w := inside(within)
	return many(ctx, f.db, scanPerson, `SELECT `+personColumns+` FROM people`+w.String()+` ORDER BY created_at, id`, w.args...)
}

// endSessions signs a person out everywhere.
func endSessions(person string) func(*tx) error {
	return func(t *tx) error {
		_, err := t.exec(`DELETE FROM sessions WHERE person_id = ?`, person)
		return err
	}
}

// RevokePerson marks it as revoked, for ever.
func (f *Fleet) RevokePerson(ctx context.Context, id string, c fleet.Change) error {
	return f.revoke(ctx, "people", id, c, endSessions(id))
}

// SetPassword writes another password.
func (f *Fleet) SetPassword(ctx context.Context, id string, hash []byte, c fleet.Change) error {
	return f.change(ctx, c, func(t *tx) error {
		if err := found(t.exec(`UPDATE people SET hash = ? WHERE id = ? AND revoked_at IS NULL`, hash, id)); err != nil {
			return err
		}
		return endSessions(id)(t)
	})
}

// SetFactor writes another second factor.
func (f *Fleet) SetFactor(ctx context.Context, id string, sealed []byte, period int64, c fleet.Change) error {
	return f.change(ctx, c, func(t *tx) error {
		if err := found(t.exec(`UPDATE people SET factor = ?, factor_used = ?, factor_tries = 0 WHERE id = ? AND revoked_at IS NULL`, sealed, period, id)); err != nil {
			return err
		}
		return endSessions(id)(t)
	})
}

// TryFactor counts a code, at whichever hub.
func (f *Fleet) TryFactor(ctx context.Context, id string, now, after time.Time, most int) error {
	return f.db.write(ctx, func(t *tx) error {
		if _, err := t.exec(`UPDATE people SET factor_tries = 0, factor_tries_since = ? WHERE id = ? AND (factor_tries <= 0 OR factor_tries_since <= ?)`, now, id, after); err != nil {
			return err
		}
		return found(t.exec(`UPDATE people SET factor_tries = factor_tries + 1 WHERE id = ? AND factor_tries < ?`, id, most))
	})
}

// UseFactor takes a code, once at whichever hub.
func (f *Fleet) UseFactor(ctx context.Context, id string, period int64) error {
	return f.db.write(ctx, func(t *tx) error {
		return found(t.exec(`UPDATE people SET factor_used = ?, factor_tries = factor_tries - 1 WHERE id = ? AND factor_used < ?`, period, id, period))
	})
}

// AddSession writes a session, and forgets those that have expired.
func (f *Fleet) AddSession(ctx context.Context, hash []byte, person string, expires, now time.Time) error {
	return f.db.write(ctx, func(t *tx) error {
		if _, err := t.exec(`DELETE FROM sessions WHERE expires_at <= ?`, now); err != nil {
			return err
		}
		return t.insert("sessions", "", [][]any{{hash, person, expires}})
	})
}

// Session is one with its person.
func (f *Fleet) Session(ctx context.Context, hash []byte) (fleet.Session, error) {
	return one(ctx, f.db, fleet.ErrNotFound, func(r scanner) (s fleet.Session, err error) {
		err = r.Scan(append([]any{into{&s.ExpiresAt}}, personFields(&s.Person)...)...)
		return s, err
	}, `SELECT expires_at, `+personColumns+` FROM sessions JOIN people ON id = person_id WHERE token_hash = ?`, hash)
}

// EndSession forgets a session.
func (f *Fleet) EndSession(ctx context.Context, hash []byte) error {
	return f.db.write(ctx, func(t *tx) error {
		_, err := t.exec(`DELETE FROM sessions WHERE token_hash = ?`, hash)
		return err
	})
}
