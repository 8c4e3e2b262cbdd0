package store

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/maquininha/maquininha/internal/hub/webhooks"
)

func scanTold(r scanner) (told webhooks.Told, err error) {
	var condition string
	if err := r.Scan(&told.Terminal, &told.Online, &condition, &told.Serial); err != nil {
		return told, err
	}
	return told, json.Unmarshal([]byte(condition), &told.Condition)
}

// Told is how a terminal was when it was last told; with the serial 0 where it never was.
func (w *Webhooks) Told(ctx context.Context, terminal string) (webhooks.Told, error) {
	told, err := one(ctx, w.db, webhooks.ErrNotFound, scanTold, `SELECT terminal_id, online, condition, serial FROM told WHERE terminal_id = ?`, terminal)
	if errors.Is(err, webhooks.ErrNotFound) {
		return webhooks.Told{Terminal: terminal}, nil
	}
	return told, err
}

// ToldOnline are the terminals that were told to be on-line.
func (w *Webhooks) ToldOnline(ctx context.Context) ([]string, error) {
	return many(ctx, w.db, scanText, `SELECT terminal_id FROM told WHERE online = ?`, true)
}

// Tell writes how a terminal is from now on, with events, unless another hub has.
func (w *Webhooks) Tell(ctx context.Context, told webhooks.Told, events []webhooks.Event) error {
	condition, err := json.Marshal(told.Condition)
	if err != nil {
		return err
	}
	return w.db.write(ctx, func(t *tx) error {
		var n int64
		if told.Serial == 0 {
			n, err = t.exec(`INSERT INTO told (terminal_id, online, condition, serial) VALUES (?, ?, ?, 1) ON CONFLICT (terminal_id) DO NOTHING`, told.Terminal, told.Online, string(condition))
		} else {
			n, err = t.exec(`UPDATE told SET online = ?, condition = ?, serial = serial + 1 WHERE terminal_id = ? AND serial = ?`, told.Online, string(condition), told.Terminal, told.Serial)
		}
		switch {
		case err != nil:
			return err
		case n == 0:
			return webhooks.ErrNotFound
		}
		return addEvents(t, events)
	})
}
