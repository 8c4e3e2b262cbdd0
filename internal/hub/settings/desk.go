package settings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// Book keeps sets and reports. What is not there is ErrNotFound; any other error means that the book can't be read or written now.
type Book interface {
	// AddVersion writes a version. ErrStale: there is one of this number; fleet.ErrNotFound: its terminal is elsewhere.
	AddVersion(ctx context.Context, s Set, c fleet.Change) error
	// Version is one of a set; 0: the newest.
	Version(ctx context.Context, id string, number int64) (Set, error)
	// Versions are those of a set within a place, newest first, below a number where one is given.
	Versions(ctx context.Context, within fleet.Place, id string, before int64, limit int) ([]Set, error)
	// Newest are the newest versions of the sets within a place, in an order of their own.
	Newest(ctx context.Context, within fleet.Place) ([]Set, error)
	// All are the newest versions of all accounts, in the same order.
	All(ctx context.Context) ([]Set, error)

	// Reports are those of the terminals within a place.
	Reports(ctx context.Context, within fleet.Place) ([]Report, error)
	// Report is a terminal's last; one that never said anything has an empty one.
	Report(ctx context.Context, terminal string) (Report, error)
	SetReport(ctx context.Context, r Report) error
}

// Desk is where sets are made and looked up. Its methods may be called from anywhere.
type Desk struct {
	book   Book
	sealer fleet.Sealer
	names  []string
	secret func(name string) bool
}

// Config is what a desk stands on.
type Config struct {
	Book     Book
	Key      []byte // the hub's: secrets are sealed with a key derived from it
	Names    []string
	IsSecret func(name string) bool
}

// NewDesk is the desk of a book.
func NewDesk(c Config) *Desk {
	return &Desk{book: c.Book, sealer: fleet.NewSealer(c.Key, "settings"), names: c.Names, secret: c.IsSecret}
}

// Wanted is a version to be made.
type Wanted struct {
	fleet.Place                    // within that of who makes it
	Terminal    string             // one that is there; empty: all of the place
	Values      map[string]*string // all that the version decides; nil: a secret that stays
	Comment     string
	Base        *int64 // the version that it was made from, 0 without one; nil: whichever is the newest
}

func (w Wanted) id() string {
	id := w.Account
	for _, narrower := range []string{w.Tenant, w.Shop, w.Terminal} {
		if narrower != "" {
			id = narrower
		}
	}
	return id
}

const (
	longestValue   = 1000 // bytes
	longestComment = 200  // characters
)

// Make makes the next version of a set within what its maker sees.
func (d *Desk) Make(ctx context.Context, a fleet.Actor, w Wanted) (Set, error) {
	switch {
	case !a.May(fleet.Administers):
		return Set{}, fleet.ErrForbidden
	case !a.Holds(w.Place):
		return Set{}, ErrNotFound
	}
	return d.next(ctx, w.id(), w.Base, func(before Set) (Set, string, error) {
		s := Set{ID: w.id(), Place: w.Place, Terminal: w.Terminal, Comment: strings.TrimSpace(w.Comment), Values: map[string]string{}, Secrets: map[string][]byte{}}
		if !line(s.Comment) || utf8.RuneCountInString(s.Comment) > longestComment {
			return s, "", fmt.Errorf("%w: comment", ErrBadValue)
		}
		for _, name := range slices.Sorted(maps.Keys(w.Values)) {
			if err := d.set(&s, before, name, w.Values[name]); err != nil {
				return s, "", err
			}
		}
		return s, strings.Join(s.Names(), ", "), nil
	}, a)
}

// set puts a value into a set, sealed where it is a secret.
func (d *Desk) set(s *Set, before Set, name string, value *string) error {
	switch {
	case !slices.Contains(d.names, name):
		return fmt.Errorf("%w: %s", ErrUnknown, name)
	case value == nil && before.Secrets[name] == nil:
		return fmt.Errorf("%w: %s", ErrNoSecret, name)
	case value == nil:
		s.Secrets[name] = before.Secrets[name]
	case len(*value) > longestValue || !line(*value):
		return fmt.Errorf("%w: %s", ErrBadValue, name)
	case d.secret(name):
		s.Secrets[name] = d.sealer.Seal([]byte(*value), s.owner(name))
	default:
		s.Values[name] = *value
	}
	return nil
}

func line(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// next writes the version after the newest. Whoever does so at the same time comes after it, unless a version was named.
func (d *Desk) next(ctx context.Context, id string, base *int64, version func(before Set) (Set, string, error), a fleet.Actor) (Set, error) {
	const attempts = 10
	for i := 0; ; i++ {
		before, err := d.book.Version(ctx, id, 0)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return Set{}, err
		}
		if base != nil && *base != before.Version {
			return Set{}, ErrStale
		}
		s, what, err := version(before)
		if err != nil {
			return Set{}, err
		}
		s.Version, s.At = before.Version+1, fleet.Now()
		c := fleet.NewChange(a, s.Place, s.ID, fmt.Sprintf("Configurações: versão %d (%s)", s.Version, what))
		s.Who = c.Who
		if err = d.book.AddVersion(ctx, s, c); !errors.Is(err, ErrStale) || base != nil || i == attempts {
			return s, err
		}
	}
}

// Back makes a version with the values of an earlier one; 0: of the one before the newest. What was decided for a terminal while it was another
// customer's does not come back.
func (d *Desk) Back(ctx context.Context, a fleet.Actor, id string, to int64) (Set, error) {
	now, err := d.find(ctx, a, id)
	if err != nil {
		return Set{}, err
	}
	otherwise := ErrNotFound
	if to == 0 {
		to, otherwise = now.Version-1, ErrFirst
	}
	if to == 0 {
		return Set{}, otherwise
	}
	old, err := d.book.Version(ctx, id, to)
	if err == nil && old.Tenant != now.Tenant {
		err = otherwise
	}
	if err != nil {
		return Set{}, err
	}
	return d.next(ctx, id, &now.Version, func(Set) (Set, string, error) {
		s := old
		s.Place, s.Comment = now.Place, "" // a terminal may have been moved since
		return s, fmt.Sprintf("de volta à versão %d", to), nil
	}, a)
}

// find is the newest version of a set that an administrator sees.
func (d *Desk) find(ctx context.Context, a fleet.Actor, id string) (Set, error) {
	s, err := d.book.Version(ctx, id, 0)
	switch {
	case err != nil:
		return Set{}, err
	case !a.Holds(s.Place):
		return Set{}, ErrNotFound
	case !a.May(fleet.Administers):
		return Set{}, fleet.ErrForbidden
	}
	return s, nil
}

// Sets are the newest versions of those that an administrator sees.
func (d *Desk) Sets(ctx context.Context, a fleet.Actor) ([]Set, error) {
	if !a.May(fleet.Administers) {
		return nil, fleet.ErrForbidden
	}
	return d.book.Newest(ctx, a.Place)
}

// Versions are those of a set that an administrator sees, newest first, without what a terminal was to have while it was another customer's.
func (d *Desk) Versions(ctx context.Context, a fleet.Actor, id string, before int64, limit int) ([]Set, error) {
	if _, err := d.find(ctx, a, id); err != nil {
		return nil, err
	}
	return d.book.Versions(ctx, a.Place, id, before, limit)
}

// All are the newest versions of all accounts.
func (d *Desk) All(ctx context.Context) (Newest, error) {
	all, err := d.book.All(ctx)
	return newest(all), err
}

// Standing is what an administrator's terminals are to have, and what they have said, by their ids.
func (d *Desk) Standing(ctx context.Context, a fleet.Actor) (Newest, map[string]Report, error) {
	if !a.May(fleet.Administers) {
		return Newest{}, nil, fleet.ErrForbidden
	}
	// Also what wider sets decide: a terminal has it, whoever looks.
	sets, err := d.book.Newest(ctx, fleet.Place{Account: a.Account})
	if err != nil {
		return Newest{}, nil, err
	}
	reports, err := d.book.Reports(ctx, a.Place)
	byTerminal := map[string]Report{}
	for _, r := range reports {
		byTerminal[r.Terminal] = r
	}
	return newest(sets), byTerminal, err
}

// Secrets are those of what is decided for a terminal, in the clear: for whoever seals them for it.
func (d *Desk) Secrets(e Effective) (map[string]string, error) {
	open := map[string]string{}
	for name, s := range e.secrets {
		text, err := d.sealer.Open(s.text, s.owner)
		if err != nil {
			return nil, err
		}
		open[name] = string(text)
	}
	return open, nil
}

// Took writes that a terminal has what was decided for it, but for what it refused. It tells whether that is news.
func (d *Desk) Took(ctx context.Context, terminal string, e Effective, refused map[string]string) (bool, error) {
	before, err := d.book.Report(ctx, terminal)
	if err != nil {
		return false, err
	}
	r := Report{Terminal: terminal, Mark: e.Mark, Layers: e.Layers, Refused: map[string]string{}, At: fleet.Now()}
	for name, why := range refused {
		if slices.Contains(d.names, name) { // of others it was not asked
			r.Refused[name] = clip(why)
		}
	}
	if before.Mark == r.Mark && before.Trouble == "" && maps.Equal(before.Refused, r.Refused) {
		return false, nil
	}
	return true, d.book.SetReport(ctx, r)
}

// Troubled writes why a terminal has not yet what was decided for it. It tells whether that is news.
func (d *Desk) Troubled(ctx context.Context, terminal, why string) (bool, error) {
	r, err := d.book.Report(ctx, terminal)
	if err != nil || r.Trouble == clip(why) {
		return false, err
	}
	r.Terminal, r.Trouble = terminal, clip(why)
	return true, d.book.SetReport(ctx, r)
}

// clip is a text of a terminal as it may be kept and shown.
func clip(text string) string {
	const longest = 200
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest])
	}
	return text
}
