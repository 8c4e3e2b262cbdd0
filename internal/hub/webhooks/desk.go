package webhooks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// Book keeps webhooks, events and deliveries. What is not there is ErrNotFound; any other error means that the book can't be read or
// written now.
type Book interface {
	AddHook(ctx context.Context, h Hook, c fleet.Change) error
	Hook(ctx context.Context, id string) (Hook, error)
	// Hooks are those within a place, revoked ones too, oldest first.
	Hooks(ctx context.Context, within fleet.Place) ([]Hook, error)
	// Live are all that are not revoked, of all accounts.
	Live(ctx context.Context) ([]Hook, error)
	// RevokeHook ends what is pending, too.
	RevokeHook(ctx context.Context, id string, c fleet.Change) error

	// AddEvents writes events without a number. One that is there already stays as it is.
	AddEvents(ctx context.Context, all []Event) error
	// NumberEvents numbers some events, and writes a delivery for each webhook that is named for one, of all that were made before it. It
	// tells how many events they were.
	NumberEvents(ctx context.Context, most int, now time.Time, wanted func(Event, []Hook) []string) (int, error)
	// Events are numbered ones within a place after a number, oldest first.
	Events(ctx context.Context, within fleet.Place, after int64, limit int) ([]Event, error)
	// DueHooks are the webhooks that have something to be tried by now.
	DueHooks(ctx context.Context, now time.Time) ([]string, error)
	// Due are deliveries of a webhook to be tried by now, each taken until a moment: nobody else is given it before.
	Due(ctx context.Context, hook string, now, until time.Time, most int) ([]Delivery, error)
	// Tried writes what became of an attempt.
	Tried(ctx context.Context, d Delivery) error
	// Backlog is how many deliveries are pending, and when the oldest of their events was written down.
	Backlog(ctx context.Context) (pending int, oldest time.Time, err error)
	// Deliveries are those of a webhook, newest first, below a number where one is given.
	Deliveries(ctx context.Context, hook string, state State, before int64, limit int) ([]Delivery, error)
	// Again makes a delivery due. ErrNotFound: there is none.
	Again(ctx context.Context, hook string, number int64, at time.Time) error
	// ForgetEvents drops events that are older, with their deliveries.
	ForgetEvents(ctx context.Context, before time.Time) (int, error)

	ToldBook
}

// Desk is where webhooks are made and looked up, and events handed in. Its methods may be called from anywhere.
type Desk struct {
	book    Book
	secrets fleet.Sealer
	plain   bool // addresses without TLS are taken

	mu    sync.Mutex
	live  []Hook
	until time.Time // live is taken as it is
}

// Config is what a desk stands on.
type Config struct {
	Book   Book
	Secret []byte // the hub's: what must be read again is sealed with a key derived from it
	Plain  bool   // addresses without TLS are taken: some networks are allowed
}

// NewDesk is the desk of a book.
func NewDesk(c Config) *Desk {
	return &Desk{book: c.Book, secrets: fleet.NewSealer(c.Secret, "webhooks"), plain: c.Plain}
}

// Wanted is a webhook to be made.
type Wanted struct {
	fleet.Place // within that of who makes it
	Name        string
	URL         string
	Types       []string // none: all
}

const (
	longestURL  = 2000
	secretBytes = 32
)

// Make makes a webhook within what its maker sees. The secret is told once.
func (d *Desk) Make(ctx context.Context, a fleet.Actor, w Wanted) (h Hook, secret string, err error) {
	switch {
	case !a.May(fleet.Administers):
		return h, "", fleet.ErrForbidden
	case !a.Holds(w.Place):
		return h, "", fleet.ErrNotFound
	}
	name, err := fleet.CleanName(w.Name)
	if err != nil {
		return h, "", err
	}
	if err := d.checkURL(w.URL); err != nil {
		return h, "", err
	}
	if len(w.Types) == 0 {
		w.Types = Types
	}
	for _, t := range w.Types {
		if !slices.Contains(Types, t) {
			return h, "", fmt.Errorf("%w: %s", ErrBadType, t)
		}
	}
	if err := d.hasRoom(ctx, w.Place); err != nil {
		return h, "", err
	}
	key := make([]byte, secretBytes)
	rand.Read(key) //nolint:errcheck // it never fails
	h = Hook{ID: fleet.NewID(), Place: w.Place, Name: name, URL: w.URL, Types: slices.Compact(slices.Sorted(slices.Values(w.Types))), CreatedAt: fleet.Now()}
	h.Secret = d.secrets.Seal(key, h.ID)
	defer d.forgetLive()
	return h, SecretText(key), d.book.AddHook(ctx, h, fleet.NewChange(a, h.Place, h.ID, fmt.Sprintf("Webhook %q criado", h.Name)))
}

// mostHooks is how many webhooks a customer may have, and an account of its own: each event is written down for each of them.
const mostHooks = 20

func (d *Desk) hasRoom(ctx context.Context, p fleet.Place) error {
	all, err := d.book.Hooks(ctx, fleet.Place{Account: p.Account, Tenant: p.Tenant})
	n := 0
	for _, h := range all {
		if h.Tenant == p.Tenant && h.RevokedAt.IsZero() {
			n++
		}
	}
	if err == nil && n >= mostHooks {
		err = ErrTooMany
	}
	return err
}

func (d *Desk) checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || len(text) > longestURL || u.Hostname() == "" || !goodPort(u.Port()) || u.User != nil || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !d.plain) {
		return ErrBadURL
	}
	return nil
}

// goodPort tells of a port that there is; none is that of the scheme.
func goodPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && n > 0
}

// Hooks are those that an administrator sees, revoked ones too.
func (d *Desk) Hooks(ctx context.Context, a fleet.Actor) ([]Hook, error) {
	if !a.May(fleet.Administers) {
		return nil, fleet.ErrForbidden
	}
	return d.book.Hooks(ctx, a.Place)
}

// hook is one that an administrator sees.
func (d *Desk) hook(ctx context.Context, a fleet.Actor, id string) (Hook, error) {
	h, err := d.book.Hook(ctx, id)
	switch {
	case err != nil:
		return Hook{}, err
	case !a.Holds(h.Place):
		return Hook{}, ErrNotFound
	case !a.May(fleet.Administers):
		return Hook{}, fleet.ErrForbidden
	}
	return h, nil
}

// liveHook is one that an administrator sees, and that was not revoked.
func (d *Desk) liveHook(ctx context.Context, a fleet.Actor, id string) (Hook, error) {
	h, err := d.hook(ctx, a, id)
	if err == nil && !h.RevokedAt.IsZero() {
		err = ErrNotFound
	}
	return h, err
}

// Revoke ends a webhook for ever: nothing more is sent.
func (d *Desk) Revoke(ctx context.Context, a fleet.Actor, id string) error {
	h, err := d.hook(ctx, a, id)
	if err != nil {
		return err
	}
	defer d.forgetLive()
	return d.book.RevokeHook(ctx, id, fleet.NewChange(a, h.Place, id, fmt.Sprintf("Webhook %q revogado", h.Name)))
}

// Deliveries are what became of telling a webhook, newest first.
func (d *Desk) Deliveries(ctx context.Context, a fleet.Actor, id string, state State, before int64, limit int) ([]Delivery, error) {
	if _, err := d.hook(ctx, a, id); err != nil {
		return nil, err
	}
	return d.book.Deliveries(ctx, id, state, before, limit)
}

// Again sends an event to a webhook once more, now.
func (d *Desk) Again(ctx context.Context, a fleet.Actor, id string, number int64) error {
	if _, err := d.liveHook(ctx, a, id); err != nil {
		return err
	}
	return d.book.Again(ctx, id, number, fleet.Now())
}

// Test has an event sent that says nothing, to this webhook only.
func (d *Desk) Test(ctx context.Context, a fleet.Actor, id string) error {
	h, err := d.liveHook(ctx, a, id)
	if err != nil {
		return err
	}
	data, err := json.Marshal(map[string]string{"webhook": h.ID, "name": h.Name})
	if err != nil {
		return err
	}
	return d.book.AddEvents(ctx, []Event{{ID: eventID(TestType, h.ID, rand.Text()), Place: h.Place, Type: TestType, At: fleet.Now(), Data: data}})
}

// Events are those that somebody sees after a number, oldest first: the list behind the webhooks, of which none is ever lost on the way.
func (d *Desk) Events(ctx context.Context, a fleet.Actor, after int64, limit int) ([]Event, error) {
	return d.book.Events(ctx, a.Place, after, limit)
}

// Kept is for how long events can be read, and deliveries looked at.
const Kept = 30 * 24 * time.Hour

// Sweep forgets what is older than it is kept for.
func (d *Desk) Sweep(ctx context.Context) (int, error) {
	return d.book.ForgetEvents(ctx, fleet.Now().Add(-Kept))
}

const liveFor = time.Second

// Live are the webhooks there are. What another hub changed is known within a second.
func (d *Desk) Live(ctx context.Context) ([]Hook, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Now().Before(d.until) {
		return d.live, nil
	}
	live, err := d.book.Live(ctx)
	if err == nil {
		d.live, d.until = live, time.Now().Add(liveFor)
	}
	return live, err
}

func (d *Desk) forgetLive() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.until = time.Time{}
}

// wants tells whether a webhook is to be told of an event.
func (h Hook) wants(e Event) bool {
	within := fleet.Scope{Place: h.Place}
	if e.Type == TestType {
		return strings.Contains(string(e.Data), `"webhook":"`+h.ID+`"`)
	}
	return within.Holds(e.Place) && slices.Contains(h.Types, e.Type)
}

// Publish numbers what has happened, and has it told. It tells how many events they were.
func (d *Desk) Publish(ctx context.Context) (int, error) {
	const most = 100 // others write meanwhile
	return d.book.NumberEvents(ctx, most, fleet.Now(), func(e Event, live []Hook) (ids []string) {
		for _, h := range live {
			if h.wants(e) {
				ids = append(ids, h.ID)
			}
		}
		return ids
	})
}

// DueHooks are the webhooks that have something to be tried now.
func (d *Desk) DueHooks(ctx context.Context) ([]string, error) {
	return d.book.DueHooks(ctx, fleet.Now())
}

// Due are deliveries of a webhook to be tried now. Nobody else tries them for as long as that may take.
func (d *Desk) Due(ctx context.Context, hook string, most int, within time.Duration) ([]Delivery, error) {
	now := fleet.Now()
	return d.book.Due(ctx, hook, now, now.Add(within), most)
}

// Key is what the messages of a webhook are signed with.
func (d *Desk) Key(h Hook) ([]byte, error) { return d.secrets.Open(h.Secret, h.ID) }

// Tried writes what became of an attempt, and when the next is due. Status is that of the answer; 0: there was none, and trouble says why.
func (d *Desk) Tried(ctx context.Context, t Delivery, status int, trouble string) (State, error) {
	t.Attempts++
	t.TriedAt, t.Status, t.Trouble, t.DueAt = fleet.Now(), status, trouble, time.Time{}
	const longest = 300
	if len(t.Trouble) > longest {
		t.Trouble = strings.ToValidUTF8(t.Trouble[:longest], "")
	}
	pause, more := next(t.Attempts)
	switch {
	case status >= 200 && status < 300:
		t.State = Delivered
	case more:
		t.State, t.DueAt = Pending, t.TriedAt.Add(pause)
	default:
		t.State = Failed
	}
	return t.State, d.book.Tried(ctx, t)
}

// Backlog is how many deliveries are pending at all webhooks, and when the oldest of their events was written down.
func (d *Desk) Backlog(ctx context.Context) (pending int, oldest time.Time, err error) {
	return d.book.Backlog(ctx)
}
