package webhooks

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
)

// eventID is made of what an event tells: the same, read or noticed twice, is one.
func eventID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "msg_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:20]))
}

// OfTransaction is the event that a transaction stands like this; false: nobody wants to be told.
func (d *Desk) OfTransaction(ctx context.Context, t records.Transaction) (records.Notice, bool) {
	n := records.Notice{Place: t.Place, Terminal: t.Terminal, Type: "transaction." + t.Status, At: t.UpdatedAt}
	if !d.wanted(ctx, Event{Place: n.Place, Type: n.Type}) {
		return records.Notice{}, false
	}
	n.ID = eventID(t.Terminal, t.Epoch, strconv.FormatInt(t.Attempt, 10), t.Status, strconv.Itoa(len(t.Returns)))
	var err error
	n.Data, err = json.Marshal(struct {
		Terminal    string      `json:"terminal"`
		Tenant      string      `json:"tenant"`
		Shop        string      `json:"shop"`
		ReferenceID string      `json:"referenceId"`
		Epoch       string      `json:"epoch"`
		Attempt     int64       `json:"attempt"`
		Method      string      `json:"method"`
		Amount      json.Number `json:"amount"`
		Status      string      `json:"status"`
		NSU         string      `json:"nsu"`
		Reversals   int         `json:"reversals"`
	}{t.Terminal, t.Tenant, t.Shop, t.Reference, t.Epoch, t.Attempt, t.Method, json.Number(t.Amount), t.Status, t.NSU, len(t.Returns)})
	return n, err == nil
}

// wanted tells whether any webhook is to be told. While the book is away it is assumed: what is not wanted is told to nobody.
func (d *Desk) wanted(ctx context.Context, e Event) bool {
	live, err := d.Live(ctx)
	return err != nil || slices.ContainsFunc(live, func(h Hook) bool { return h.wants(e) })
}

const onlineType = "terminal.online"

// Condition is how a terminal is, as far as it is told.
type Condition struct {
	Online     bool     `json:"-"`
	Printer    string   `json:"printer"`
	Trouble    []string `json:"trouble"`
	Unresolved int      `json:"unresolved"`
}

// Told is how a terminal was when it was last told.
type Told struct {
	Terminal string
	Condition
	Serial int64 // of the row; 0: there is none
}

// ToldBook keeps how terminals were told to be.
type ToldBook interface {
	Told(ctx context.Context, terminal string) (Told, error)
	// ToldOnline are the terminals that were told to be on-line.
	ToldOnline(ctx context.Context) ([]string, error)
	// Tell writes how a terminal is from now on, with events, if the row is still that of the serial. ErrNotFound: another hub has told.
	Tell(ctx context.Context, t Told, events []Event) error
}

// Observe tells of what has changed at a terminal since it was told last. What is seen for the first time is no change, but for a terminal
// that has joined since somebody wants to know: it has come.
func (d *Desk) Observe(ctx context.Context, t fleet.Terminal, now Condition) error {
	before, err := d.book.Told(ctx, t.ID)
	if err != nil {
		return err
	}
	if now.Online == before.Online && (!now.Online || same(now, before.Condition)) && before.Serial > 0 {
		return nil
	}
	var events []Event
	switch {
	case before.Serial > 0:
		events = d.changes(ctx, t, before, now)
	case now.Online && d.joinedSince(ctx, t):
		events = d.changes(ctx, t, before, Condition{Online: true})
	}
	if !now.Online { // how it is then is not known
		now.Printer, now.Trouble, now.Unresolved = before.Printer, before.Trouble, before.Unresolved
	}
	return d.book.Tell(ctx, Told{Terminal: t.ID, Condition: now, Serial: before.Serial}, events)
}

// joinedSince tells of a terminal that is newer than a webhook that wants to know when it comes.
func (d *Desk) joinedSince(ctx context.Context, t fleet.Terminal) bool {
	live, err := d.Live(ctx)
	return err == nil && slices.ContainsFunc(live, func(h Hook) bool {
		return t.JoinedAt.After(h.CreatedAt) && h.wants(Event{Place: t.Place, Type: onlineType})
	})
}

func same(a, b Condition) bool {
	return a.Printer == b.Printer && slices.Equal(a.Trouble, b.Trouble) && a.Unresolved == b.Unresolved
}

func (d *Desk) changes(ctx context.Context, t fleet.Terminal, before Told, now Condition) (all []Event) {
	add := func(kind string, more map[string]any) {
		e := Event{Place: t.Place, Terminal: t.ID, Type: kind, At: fleet.Now()}
		if !d.wanted(ctx, e) {
			return
		}
		e.ID = eventID(t.ID, kind, strconv.FormatInt(before.Serial, 10))
		data := map[string]any{"terminal": t.ID, "name": t.Name, "tenant": t.Tenant, "shop": t.Shop}
		for k, v := range more {
			data[k] = v
		}
		var err error
		if e.Data, err = json.Marshal(data); err == nil {
			all = append(all, e)
		}
	}
	switch {
	case now.Online && !before.Online:
		add(onlineType, nil)
	case !now.Online && before.Online:
		add("terminal.offline", nil)
	}
	if !now.Online {
		return all
	}
	if now.Printer != before.Printer {
		add("terminal.printer", map[string]any{"printer": now.Printer})
	}
	if !slices.Equal(now.Trouble, before.Trouble) {
		add("terminal.acquirer", map[string]any{"trouble": append([]string{}, now.Trouble...)})
	}
	if now.Unresolved != before.Unresolved {
		add("terminal.unresolved", map[string]any{"unresolved": now.Unresolved})
	}
	return all
}

// ToldOnline are the terminals that were told to be on-line.
func (d *Desk) ToldOnline(ctx context.Context) ([]string, error) { return d.book.ToldOnline(ctx) }

// WantsPresence tells whether anybody wants to be told how terminals are.
func (d *Desk) WantsPresence(ctx context.Context) (bool, error) {
	live, err := d.Live(ctx)
	return slices.ContainsFunc(live, func(h Hook) bool {
		return slices.ContainsFunc(h.Types, func(t string) bool { return strings.HasPrefix(t, "terminal.") })
	}), err
}
