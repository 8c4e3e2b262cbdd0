package store

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/settings"
)

// Settings keeps what is decided of terminals' settings.
type Settings struct{ db *database }

const settingsColumns = `id, version, account_id, tenant_id, shop_id, terminal_id, body, secrets, comment, who, at`

func scanSet(r scanner) (s settings.Set, err error) {
	var values, secrets string
	if err := r.Scan(&s.ID, &s.Version, &s.Account, &s.Tenant, &s.Shop, &s.Terminal, &values, &secrets, &s.Comment, &s.Who, into{&s.At}); err != nil {
		return s, err
	}
	return s, errors.Join(json.Unmarshal([]byte(values), &s.Values), json.Unmarshal([]byte(secrets), &s.Secrets))
}

// AddVersion writes a version.
func (b *Settings) AddVersion(ctx context.Context, s settings.Set, c fleet.Change) error {
	values, err := json.Marshal(s.Values)
	secrets, failed := json.Marshal(s.Secrets)
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	err = (&Fleet{b.db}).change(ctx, c, func(t *tx) error {
		if s.Terminal != "" { // it may have been moved since it was looked up, and another customer's must not get this
			var there int64
			err := t.row(`SELECT count(*) FROM terminals WHERE id = ? AND account_id = ? AND tenant_id = ? AND shop_id = ?`, s.Terminal, s.Account, s.Tenant, s.Shop).Scan(&there)
			if err := found(there, err); err != nil {
				return err
			}
		}
		return t.insert("settings ("+settingsColumns+")", "", [][]any{{s.ID, s.Version, s.Account, s.Tenant, s.Shop, s.Terminal, string(values), string(secrets), s.Comment, s.Who, s.At}})
	})
	if errors.Is(err, fleet.ErrTaken) {
		return settings.ErrStale
	}
	return err
}

// Version is one of a set; 0: the newest.
func (b *Settings) Version(ctx context.Context, id string, number int64) (settings.Set, error) {
	if number == 0 {
		return one(ctx, b.db, settings.ErrNotFound, scanSet, `SELECT `+settingsColumns+` FROM settings WHERE id = ? ORDER BY version DESC LIMIT 1`, id)
	}
	return one(ctx, b.db, settings.ErrNotFound, scanSet, `SELECT `+settingsColumns+` FROM settings WHERE id = ? AND version = ?`, id, number)
}

// Versions are those of a set within a place, newest first.
func (b *Settings) Versions(ctx context.Context, within fleet.Place, id string, before int64, limit int) ([]settings.Set, error) {
	of := inside(within)
	of.add("id = ?", id)
	if before > 0 {
		of.add("version < ?", before)
	}
	return many(ctx, b.db, scanSet, `SELECT `+settingsColumns+` FROM settings`+of.String()+` ORDER BY version DESC LIMIT ?`, append(of.args, limit)...)
}

const isNewest = `version = (SELECT max(n.version) FROM settings n WHERE n.id = settings.id)`

// Newest are the newest versions within a place.
func (b *Settings) Newest(ctx context.Context, within fleet.Place) ([]settings.Set, error) {
	place := inside(within)
	place.add(isNewest)
	return many(ctx, b.db, scanSet, `SELECT `+settingsColumns+` FROM settings`+place.String()+` ORDER BY id`, place.args...)
}

// All are the newest versions of all accounts.
func (b *Settings) All(ctx context.Context) ([]settings.Set, error) {
	return many(ctx, b.db, scanSet, `SELECT `+settingsColumns+` FROM settings WHERE `+isNewest+` ORDER BY id`)
}

const reportColumns = `r.terminal_id, r.mark, r.layers, r.refused, r.at, r.trouble`

func scanReport(r scanner) (p settings.Report, err error) {
	var layers, refused string
	if err := r.Scan(&p.Terminal, &p.Mark, &layers, &refused, into{&p.At}, &p.Trouble); err != nil {
		return p, err
	}
	return p, errors.Join(json.Unmarshal([]byte(layers), &p.Layers), json.Unmarshal([]byte(refused), &p.Refused))
}

// Reports are those of the terminals within a place.
func (b *Settings) Reports(ctx context.Context, within fleet.Place) ([]settings.Report, error) {
	place := inside(within)
	return many(ctx, b.db, scanReport, `SELECT `+reportColumns+` FROM settings_reports r JOIN terminals t ON t.id = r.terminal_id`+place.String(), place.args...)
}

// Report is a terminal's last.
func (b *Settings) Report(ctx context.Context, terminal string) (settings.Report, error) {
	r, err := one(ctx, b.db, settings.ErrNotFound, scanReport, `SELECT `+reportColumns+` FROM settings_reports r WHERE r.terminal_id = ?`, terminal)
	if errors.Is(err, settings.ErrNotFound) {
		return settings.Report{Terminal: terminal}, nil
	}
	return r, err
}

// SetReport writes a terminal's last.
func (b *Settings) SetReport(ctx context.Context, r settings.Report) error {
	layers, err := json.Marshal(r.Layers)
	refused, failed := json.Marshal(r.Refused)
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	return b.db.write(ctx, func(t *tx) error {
		return t.insert("settings_reports (terminal_id, mark, layers, refused, at, trouble)",
			`ON CONFLICT (terminal_id) DO UPDATE SET mark = excluded.mark, layers = excluded.layers, refused = excluded.refused, at = excluded.at, trouble = excluded.trouble`,
			[][]any{{r.Terminal, r.Mark, string(layers), string(refused), r.At, r.Trouble}})
	})
}
