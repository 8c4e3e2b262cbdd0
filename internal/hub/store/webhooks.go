package store

import (
	"context"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
)

// Webhooks keeps who wants to be told, and what became of it.
type Webhooks struct{ db *database }

const hookColumns = `id, account_id, tenant_id, shop_id, name, url, secret, types, created_at, revoked_at`

func scanHook(r scanner) (h webhooks.Hook, err error) {
	var types string
	err = r.Scan(&h.ID, &h.Account, &h.Tenant, &h.Shop, &h.Name, &h.URL, &h.Secret, &types, into{&h.CreatedAt}, into{&h.RevokedAt})
	h.Types = strings.Fields(types)
	return h, err
}

// AddHook writes a webhook.
func (w *Webhooks) AddHook(ctx context.Context, h webhooks.Hook, c fleet.Change) error {
	return (&Fleet{w.db}).change(ctx, c, func(t *tx) error {
		return t.insert("webhooks ("+hookColumns+")", "", [][]any{{h.ID, h.Account, h.Tenant, h.Shop, h.Name, h.URL, h.Secret, strings.Join(h.Types, " "), h.CreatedAt, h.RevokedAt}})
	})
}

// Hook is one of any account.
func (w *Webhooks) Hook(ctx context.Context, id string) (webhooks.Hook, error) {
	return one(ctx, w.db, webhooks.ErrNotFound, scanHook, `SELECT `+hookColumns+` FROM webhooks WHERE id = ?`, id)
}

// Hooks are those within a place, oldest first.
func (w *Webhooks) Hooks(ctx context.Context, within fleet.Place) ([]webhooks.Hook, error) {
	place := inside(within)
	return many(ctx, w.db, scanHook, `SELECT `+hookColumns+` FROM webhooks`+place.String()+` ORDER BY created_at, id`, place.args...)
}

const liveHooks = `SELECT ` + hookColumns + ` FROM webhooks WHERE revoked_at IS NULL ORDER BY id`

// Live are all that are not revoked.
func (w *Webhooks) Live(ctx context.Context) ([]webhooks.Hook, error) {
	return many(ctx, w.db, scanHook, liveHooks)
}

// RevokeHook marks it as revoked, for ever, and ends what is pending.
func (w *Webhooks) RevokeHook(ctx context.Context, id string, c fleet.Change) error {
	return (&Fleet{w.db}).revoke(ctx, "webhooks", id, c, func(t *tx) error {
		_, err := t.exec(`UPDATE deliveries SET state = ?, due_at = NULL WHERE webhook_id = ? AND state = ?`, string(webhooks.Failed), id, string(webhooks.Pending))
		return err
	})
}

// eventColumns have the number in {}: which one is meant depends on who asks.
const eventColumns = `id, {}, account_id, tenant_id, shop_id, terminal_id, type, at, body`

func eventsNumbered(column string) string { return strings.ReplaceAll(eventColumns, "{}", column) }

// eventFields are what eventColumns are read into; the number of a new one is NULL.
func eventFields(e *webhooks.Event, number *nullNumber, body *string) []any {
	return []any{&e.ID, number, &e.Account, &e.Tenant, &e.Shop, &e.Terminal, &e.Type, into{&e.At}, body}
}

// nullNumber reads NULL as 0.
type nullNumber int64

func (n *nullNumber) Scan(v any) error {
	number, _ := v.(int64)
	*n = nullNumber(number)
	return nil
}

func scanEvent(r scanner) (e webhooks.Event, err error) {
	var number nullNumber
	var body string
	err = r.Scan(eventFields(&e, &number, &body)...)
	e.Number, e.Data = int64(number), []byte(body)
	return e, err
}

func addEvents(t *tx, all []webhooks.Event) error {
	rows := make([][]any, 0, len(all))
	for _, e := range all {
		rows = append(rows, []any{e.ID, nil, e.Account, e.Tenant, e.Shop, e.Terminal, e.Type, e.At, string(e.Data), time.Now()})
	}
	return t.insert("events ("+eventsNumbered("number")+", kept_at)", "ON CONFLICT (id) DO NOTHING", rows)
}

// AddEvents writes events without a number.
func (w *Webhooks) AddEvents(ctx context.Context, all []webhooks.Event) error {
	return w.db.write(ctx, func(t *tx) error { return addEvents(t, all) })
}

// NumberEvents numbers some events in a row: whoever else would waits for the commit.
func (w *Webhooks) NumberEvents(ctx context.Context, most int, now time.Time, wanted func(webhooks.Event, []webhooks.Hook) []string) (n int, err error) {
	// Most of the time there is nothing, and then nobody is to wait for this.
	fresh, err := many(ctx, w.db, scanText, `SELECT id FROM events WHERE number IS NULL LIMIT 1`)
	if err != nil || len(fresh) == 0 {
		return 0, err
	}
	err = w.db.write(ctx, func(t *tx) error {
		var last int64
		if err := t.row(`UPDATE event_number SET last = last + 0 RETURNING last`).Scan(&last); err != nil {
			return err
		}
		all, err := read(t, scanEvent, `SELECT `+eventsNumbered("number")+` FROM events WHERE number IS NULL ORDER BY at, id LIMIT ?`, most)
		if err != nil {
			return err
		}
		live, err := read(t, scanHook, liveHooks) // after the events: a webhook made before one of them is there
		if err != nil {
			return err
		}
		var rows [][]any
		numbers := newNumbering(t, "events")
		for _, e := range all {
			last++
			ofAccount, ofTenant, err := numbers.next(e.Place)
			if err != nil {
				return err
			}
			if _, err := t.exec(`UPDATE events SET number = ?, account_number = ?, tenant_number = ? WHERE id = ?`, last, ofAccount, ofTenant, e.ID); err != nil {
				return err
			}
			for _, hook := range wanted(e, live) {
				rows = append(rows, []any{hook, last, string(webhooks.Pending), 0, now, nil, 0, ""})
			}
		}
		if err := t.insert("deliveries ("+deliveryColumns+")", "", rows); err != nil {
			return err
		}
		if err := numbers.keep(); err != nil {
			return err
		}
		n = len(all)
		_, err = t.exec(`UPDATE event_number SET last = ?`, last)
		return err
	})
	return n, err
}

// Events are numbered ones within a place after a number of who sees it.
func (w *Webhooks) Events(ctx context.Context, within fleet.Place, after int64, limit int) ([]webhooks.Event, error) {
	place, shown := inside(within), numberFor(within)
	place.add(shown+" > ?", after)
	place.add("type <> ?", webhooks.TestType)
	return many(ctx, w.db, scanEvent, `SELECT `+eventsNumbered(shown)+` FROM events`+place.String()+` ORDER BY `+shown+` LIMIT ?`, append(place.args, limit)...)
}

const deliveryColumns = `webhook_id, number, state, attempts, due_at, tried_at, status, trouble`

// shownToHook is an event's number as the webhook sees it.
const shownToHook = `CASE WHEN w.tenant_id = '' THEN e.account_number ELSE e.tenant_number END`

// whole are a delivery's columns with its event's.
const whole = `SELECT d.webhook_id, d.state, d.attempts, d.due_at, d.tried_at, d.status, d.trouble, e.id, ` + shownToHook + `, e.account_id, e.tenant_id, e.shop_id, e.terminal_id, e.type, e.at, e.body
	FROM deliveries d JOIN events e ON e.number = d.number JOIN webhooks w ON w.id = d.webhook_id`

// byEvent finds the delivery of an event.
const byEvent = ` WHERE webhook_id = ? AND number = (SELECT number FROM events WHERE id = ?)`

func scanDelivery(r scanner) (d webhooks.Delivery, err error) {
	var number nullNumber
	var body string
	fields := append([]any{&d.Hook, &d.State, &d.Attempts, into{&d.DueAt}, into{&d.TriedAt}, &d.Status, &d.Trouble}, eventFields(&d.Event, &number, &body)...)
	err = r.Scan(fields...)
	d.Event.Number, d.Event.Data = int64(number), []byte(body)
	return d, err
}

// DueHooks are the webhooks that have something to be tried.
func (w *Webhooks) DueHooks(ctx context.Context, now time.Time) ([]string, error) {
	return many(ctx, w.db, scanText, `SELECT DISTINCT webhook_id FROM deliveries WHERE due_at <= ?`, now)
}

func scanText(r scanner) (text string, err error) {
	err = r.Scan(&text)
	return text, err
}

// Due are deliveries to be tried, each taken until a moment by putting off its next attempt.
func (w *Webhooks) Due(ctx context.Context, hook string, now, until time.Time, most int) (taken []webhooks.Delivery, err error) {
	due, err := many(ctx, w.db, scanDelivery, whole+` WHERE d.webhook_id = ? AND d.due_at <= ? ORDER BY d.due_at, d.number LIMIT ?`, hook, now, most)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	err = w.db.write(ctx, func(t *tx) error {
		taken = nil
		for _, d := range due {
			n, err := t.exec(`UPDATE deliveries SET due_at = ?`+byEvent+` AND due_at = ?`, until, d.Hook, d.Event.ID, d.DueAt)
			if err != nil {
				return err
			}
			if n == 1 {
				taken = append(taken, d)
			}
		}
		return nil
	})
	return taken, err
}

// Tried writes what became of an attempt, unless the webhook was revoked meanwhile.
func (w *Webhooks) Tried(ctx context.Context, d webhooks.Delivery) error {
	return w.db.write(ctx, func(t *tx) error {
		_, err := t.exec(`UPDATE deliveries SET state = ?, attempts = ?, due_at = ?, tried_at = ?, status = ?, trouble = ?`+byEvent+` AND due_at IS NOT NULL`,
			string(d.State), d.Attempts, d.DueAt, d.TriedAt, d.Status, d.Trouble, d.Hook, d.Event.ID)
		return err
	})
}

// Backlog counts what is pending. Events are numbered as they are written down, so the lowest number is the oldest.
func (w *Webhooks) Backlog(ctx context.Context) (pending int, oldest time.Time, err error) {
	_, err = one(ctx, w.db, webhooks.ErrNotFound, func(r scanner) (_ struct{}, err error) {
		return struct{}{}, r.Scan(&pending, into{&oldest})
	}, `SELECT p.pending, (SELECT kept_at FROM events WHERE number = p.lowest) FROM (SELECT count(*) AS pending, min(number) AS lowest FROM deliveries WHERE due_at IS NOT NULL) AS p`)
	return pending, oldest, err
}

// Deliveries are those of a webhook, newest first.
func (w *Webhooks) Deliveries(ctx context.Context, hook string, state webhooks.State, before int64, limit int) ([]webhooks.Delivery, error) {
	of := &where{}
	of.add("d.webhook_id = ?", hook)
	of.equal("d.state", string(state))
	if before > 0 {
		of.add(shownToHook+" < ?", before)
	}
	return many(ctx, w.db, scanDelivery, whole+of.String()+` ORDER BY d.number DESC LIMIT ?`, append(of.args, limit)...)
}

// Again makes a delivery due.
func (w *Webhooks) Again(ctx context.Context, hook string, number int64, at time.Time) error {
	return w.db.write(ctx, func(t *tx) error {
		n, err := t.exec(`UPDATE deliveries SET state = ?, due_at = ?, attempts = 0 WHERE webhook_id = ? AND number = (SELECT d.number
			FROM deliveries d JOIN events e ON e.number = d.number JOIN webhooks w ON w.id = d.webhook_id WHERE d.webhook_id = ? AND `+shownToHook+` = ?)`, string(webhooks.Pending), at, hook, hook, number)
		if err == nil && n == 0 {
			err = webhooks.ErrNotFound
		}
		return err
	})
}

// ForgetEvents drops old ones, with their deliveries, some at a time.
func (w *Webhooks) ForgetEvents(ctx context.Context, before time.Time) (int, error) {
	const some = 1000
	for all := 0; ; {
		var n int64
		err := w.db.write(ctx, func(t *tx) (err error) {
			const old = `(SELECT number FROM events WHERE kept_at < ? AND number IS NOT NULL ORDER BY number LIMIT ?)`
			if _, err := t.exec(`DELETE FROM deliveries WHERE number IN `+old, before, some); err != nil {
				return err
			}
			n, err = t.exec(`DELETE FROM events WHERE number IN `+old, before, some)
			return err
		})
		all += int(n)
		if err != nil || n < some {
			return all, err
		}
	}
}

// addNotices writes what is to be told of records beside them.
func addNotices(t *tx, all []records.Notice) error {
	events := make([]webhooks.Event, 0, len(all))
	for _, n := range all {
		events = append(events, webhooks.Event{ID: n.ID, Place: n.Place, Terminal: n.Terminal, Type: n.Type, At: n.At, Data: n.Data})
	}
	return addEvents(t, events)
}
