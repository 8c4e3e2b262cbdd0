package store

import (
	"context"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// Fleet keeps whose is what.
type Fleet struct{ db *database }

// change writes something and its line of the audit log. ErrTaken: there can be only one of what was written.
func (f *Fleet) change(ctx context.Context, c fleet.Change, fn func(*tx) error) error {
	return f.db.write(ctx, func(t *tx) error {
		// The line first: from here on whoever changes something waits.
		if err := audit(t, c); err != nil {
			return err
		}
		err := fn(t)
		if taken(err) {
			return fleet.ErrTaken
		}
		return err
	})
}

func audit(t *tx, c fleet.Change) error {
	var number int64
	if err := t.row(`UPDATE change_number SET last = last + 1 RETURNING last`).Scan(&number); err != nil {
		return err
	}
	numbers := newNumbering(t, "changes")
	ofAccount, ofTenant, err := numbers.next(c.Place)
	if err == nil {
		err = numbers.keep()
	}
	if err != nil {
		return err
	}
	return t.insert("changes (number, "+changeColumns+", account_number, tenant_number)", "", [][]any{{number, c.Account, c.Tenant, c.Shop, c.At, c.Who, c.What, c.Target, ofAccount, ofTenant}})
}

// changeColumns are all but the number: which one is meant depends on who asks.
const changeColumns = `account_id, tenant_id, shop_id, at, who, what, target`

func scanChange(r scanner) (c fleet.Change, err error) {
	err = r.Scan(&c.Number, &c.Account, &c.Tenant, &c.Shop, into{&c.At}, &c.Who, &c.What, &c.Target)
	return c, err
}

// Changes are the lines of the audit log within a place, with the numbers of who sees it.
func (f *Fleet) Changes(ctx context.Context, within fleet.Place, filter fleet.AuditFilter) ([]fleet.Change, error) {
	w := inside(within)
	w.equal("target", filter.Target)
	shown := "coalesce(" + numberFor(within) + ", number)" // a hub of an older version, which still runs, knows one number only
	if filter.Before > 0 {
		w.add(shown+" < ?", filter.Before)
	}
	return many(ctx, f.db, scanChange, `SELECT `+shown+`, `+changeColumns+` FROM changes`+w.String()+` ORDER BY number DESC LIMIT ?`, append(w.args, filter.Limit)...)
}

// LastChange is the number of the newest line.
func (f *Fleet) LastChange(ctx context.Context) (int64, error) {
	return one(ctx, f.db, fleet.ErrNotFound, func(r scanner) (n int64, err error) {
		err = r.Scan(&n)
		return n, err
	}, `SELECT last FROM change_number`)
}

// ChangesAfter are lines of all accounts after a number. None comes late: who writes one waits for the one before.
func (f *Fleet) ChangesAfter(ctx context.Context, number int64, most int) ([]fleet.Change, error) {
	return many(ctx, f.db, scanChange, `SELECT number, `+changeColumns+` FROM changes WHERE number > ? ORDER BY number LIMIT ?`, number, most)
}

// Found writes the first account with all that it begins with.
func (f *Fleet) Found(ctx context.Context, made fleet.Founded, c fleet.Change) error {
	return f.change(ctx, c, func(t *tx) error {
		var accounts int
		if err := t.row(`SELECT count(*) FROM accounts`).Scan(&accounts); err != nil {
			return err
		}
		if accounts > 0 {
			return fleet.ErrTaken
		}
		a := made.Account
		if err := t.insert("accounts", "", [][]any{{a.ID, a.Name, a.CreatedAt}}); err != nil {
			return err
		}
		for _, add := range []func() error{
			func() error { return addTenant(t, made.Tenant) }, func() error { return addShop(t, made.Shop) },
			func() error { return addPerson(t, made.Person) }, func() error { return addKey(t, made.Key) },
		} {
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}

func addTenant(t *tx, n fleet.Named) error {
	return t.insert("tenants", "", [][]any{{n.ID, n.Account, n.Name, n.CreatedAt}})
}

func addShop(t *tx, n fleet.Named) error {
	return t.insert("shops", "", [][]any{{n.ID, n.Account, n.Tenant, n.Name, n.CreatedAt}})
}

// AddTenant writes a tenant.
func (f *Fleet) AddTenant(ctx context.Context, n fleet.Named, c fleet.Change) error {
	return f.change(ctx, c, func(t *tx) error { return addTenant(t, n) })
}

// AddShop writes a shop.
func (f *Fleet) AddShop(ctx context.Context, n fleet.Named, c fleet.Change) error {
	return f.change(ctx, c, func(t *tx) error { return addShop(t, n) })
}

func scanNamed(r scanner) (n fleet.Named, err error) {
	err = r.Scan(&n.ID, &n.Account, &n.Tenant, &n.Shop, &n.Name, into{&n.CreatedAt})
	return n, err
}

// Accounts are all there are.
func (f *Fleet) Accounts(ctx context.Context) ([]fleet.Named, error) {
	return many(ctx, f.db, scanNamed, `SELECT id, id, '', '', name, created_at FROM accounts ORDER BY created_at, id`)
}

// Tenants are those within a place, by name.
func (f *Fleet) Tenants(ctx context.Context, within fleet.Place) ([]fleet.Named, error) {
	w := &where{}
	w.add("account_id = ?", within.Account)
	w.equal("id", within.Tenant)
	return many(ctx, f.db, scanNamed, `SELECT id, account_id, id, '', name, created_at FROM tenants`+w.String()+` ORDER BY name, id`, w.args...)
}

// Shops are those within a place, by name.
func (f *Fleet) Shops(ctx context.Context, within fleet.Place) ([]fleet.Named, error) {
	w := inside(fleet.Place{Account: within.Account, Tenant: within.Tenant})
	w.equal("id", within.Shop)
	return many(ctx, f.db, scanNamed, `SELECT id, account_id, tenant_id, id, name, created_at FROM shops`+w.String()+` ORDER BY name, id`, w.args...)
}

// AddCode writes a code, and forgets those that are too old.
func (f *Fleet) AddCode(ctx context.Context, code fleet.Code, c fleet.Change) error {
	return f.change(ctx, c, func(t *tx) error {
		if _, err := t.exec(`DELETE FROM codes WHERE expires_at <= ?`, c.At); err != nil {
			return err
		}
		return t.insert("codes", "", [][]any{{code.Hash, code.Account, code.Tenant, code.Shop, code.Name, code.ExpiresAt}})
	})
}

// Code is one that is not too old.
func (f *Fleet) Code(ctx context.Context, hash []byte, now time.Time) (fleet.Code, error) {
	return one(ctx, f.db, fleet.ErrNotFound, func(r scanner) (c fleet.Code, err error) {
		err = r.Scan(&c.Hash, &c.Account, &c.Tenant, &c.Shop, &c.Name, into{&c.ExpiresAt})
		return c, err
	}, `SELECT hash, account_id, tenant_id, shop_id, name, expires_at FROM codes WHERE hash = ? AND expires_at > ?`, hash, now)
}

// Join uses the code up and writes the terminal.
func (f *Fleet) Join(ctx context.Context, code []byte, now time.Time, t fleet.Terminal, c fleet.Change) error {
	return f.change(ctx, c, func(tx *tx) error {
		n, err := tx.exec(`DELETE FROM codes WHERE hash = ? AND expires_at > ?`, code, now)
		if err != nil {
			return err
		}
		if n == 0 {
			return fleet.ErrNotFound
		}
		return addTerminal(tx, t)
	})
}
