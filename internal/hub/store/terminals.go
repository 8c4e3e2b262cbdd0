package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

const terminalColumns = `id, account_id, tenant_id, shop_id, name, public_key, joined_at, revoked_at, version, seen_at, condition`

func addTerminal(t *tx, m fleet.Terminal) error {
	condition, err := json.Marshal(m.Condition)
	if err != nil {
		return err
	}
	return t.insert("terminals", "", [][]any{{m.ID, m.Account, m.Tenant, m.Shop, m.Name, m.PublicKey, m.JoinedAt, m.RevokedAt, m.Version, m.SeenAt, string(condition)}})
}

func scanTerminal(r scanner) (t fleet.Terminal, err error) {
	var condition string
	err = r.Scan(&t.ID, &t.Account, &t.Tenant, &t.Shop, &t.Name, &t.PublicKey, into{&t.JoinedAt}, into{&t.RevokedAt}, &t.Version, into{&t.SeenAt}, &condition)
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal([]byte(condition), &t.Condition); err != nil {
		return t, fmt.Errorf("the condition of terminal %s: %w", t.ID, err)
	}
	return t, nil
}

// Terminal is one of any account.
func (f *Fleet) Terminal(ctx context.Context, id string) (fleet.Terminal, error) {
	return one(ctx, f.db, fleet.ErrNotFound, scanTerminal, `SELECT `+terminalColumns+` FROM terminals WHERE id = ?`, id)
}

// Terminals passes on those within a place.
func (f *Fleet) Terminals(ctx context.Context, within fleet.Place, fn func(fleet.Terminal) error) error {
	w := inside(within)
	return each(ctx, f.db, scanTerminal, fn, `SELECT `+terminalColumns+` FROM terminals`+w.String(), w.args...)
}

// RenameTerminal writes another name.
func (f *Fleet) RenameTerminal(ctx context.Context, id, name string, c fleet.Change) error {
	return f.change(ctx, c, func(t *tx) error {
		return found(t.exec(`UPDATE terminals SET name = ? WHERE id = ?`, name, id))
	})
}

// MoveTerminal writes where a terminal belongs from now on, and where it did.
func (f *Fleet) MoveTerminal(ctx context.Context, id string, to fleet.Place, left, came fleet.Change) error {
	return f.change(ctx, came, func(t *tx) error {
		if err := audit(t, left); err != nil {
			return err
		}
		if _, err := t.exec(`INSERT INTO moves (terminal_id, moved_at, account_id, tenant_id, shop_id)
			SELECT id, ?, account_id, tenant_id, shop_id FROM terminals WHERE id = ? ON CONFLICT (terminal_id, moved_at) DO NOTHING`, came.At, id); err != nil {
			return err
		}
		if err := moveSettings(t, id, to, came); err != nil {
			return err
		}
		return found(t.exec(`UPDATE terminals SET account_id = ?, tenant_id = ?, shop_id = ? WHERE id = ?`, to.Account, to.Tenant, to.Shop, id))
	})
}

// moveSettings takes a terminal's own settings along to another shop. Another customer gets nothing of them, neither to see nor to use: they
// stay where they are, below a version that decides nothing.
func moveSettings(t *tx, id string, to fleet.Place, came fleet.Change) error {
	var from string
	if err := t.row(`SELECT tenant_id FROM terminals WHERE id = ?`, id).Scan(&from); err != nil {
		return err
	}
	if from == to.Tenant {
		_, err := t.exec(`UPDATE settings SET shop_id = ? WHERE terminal_id = ? AND tenant_id = ?`, to.Shop, id, to.Tenant)
		return err
	}
	var newest int64
	if err := t.row(`SELECT coalesce(max(version), 0) FROM settings WHERE terminal_id = ?`, id).Scan(&newest); err != nil || newest == 0 {
		return err
	}
	return t.insert("settings ("+settingsColumns+")", "", [][]any{{id, newest + 1, to.Account, to.Tenant, to.Shop, id, "{}", "{}", "", came.Who, came.At}})
}

// found turns a statement that touched nothing into ErrNotFound.
func found(n int64, err error) error {
	if err == nil && n == 0 {
		return fleet.ErrNotFound
	}
	return err
}

// revoke marks a row of a table as revoked, unless it is.
func (f *Fleet) revoke(ctx context.Context, table, id string, c fleet.Change, also ...func(*tx) error) error {
	return f.db.write(ctx, func(t *tx) error {
		n, err := t.exec(`UPDATE `+table+` SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL`, c.At, id)
		if err != nil {
			return err
		}
		if n == 0 { // unknown, or revoked before
			var known int
			if err := t.row(`SELECT count(*) FROM `+table+` WHERE id = ?`, id).Scan(&known); err != nil {
				return err
			}
			return found(int64(known), nil)
		}
		for _, fn := range also {
			if err := fn(t); err != nil {
				return err
			}
		}
		return audit(t, c)
	})
}

// RevokeTerminal marks it as revoked, for ever.
func (f *Fleet) RevokeTerminal(ctx context.Context, id string, c fleet.Change) error {
	return f.revoke(ctx, "terminals", id, c)
}

// Seen writes how terminals are. What is older than what is known is left out.
func (f *Fleet) Seen(ctx context.Context, sightings []fleet.Sighting) error {
	return f.db.write(ctx, func(t *tx) error {
		for _, s := range sightings {
			condition, err := json.Marshal(s.Condition)
			if err != nil {
				return err
			}
			_, err = t.exec(`UPDATE terminals SET seen_at = ?, version = ?, condition = ? WHERE id = ? AND (seen_at IS NULL OR seen_at <= ?)`,
				s.At, s.Version, string(condition), s.Terminal, s.At)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// SeenAfter are the terminals that were seen after a moment, and the latest one.
func (f *Fleet) SeenAfter(ctx context.Context, at time.Time) (terminals []string, latest time.Time, err error) {
	latest = at
	err = each(ctx, f.db, func(r scanner) (t fleet.Terminal, err error) {
		err = r.Scan(&t.ID, into{&t.SeenAt})
		return t, err
	}, func(t fleet.Terminal) error {
		if terminals = append(terminals, t.ID); t.SeenAt.After(latest) {
			latest = t.SeenAt
		}
		return nil
	}, `SELECT id, seen_at FROM terminals WHERE seen_at > ?`, at)
	return terminals, latest, err
}
