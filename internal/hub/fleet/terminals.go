package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/fold"
)

// Terminal is one that is seen, also when it was revoked.
func (d *Desk) Terminal(ctx context.Context, s Scope, id string) (Terminal, error) {
	looked := false
	look := func(ctx context.Context) (Terminal, error) {
		looked = true
		return d.book.Terminal(ctx, id)
	}
	t, err := d.terminals.get(ctx, id, look)
	if err == nil && !s.Holds(t.Place) {
		if err = ErrNotFound; !looked {
			look(ctx) //nolint:errcheck // as for what does not exist, which nobody remembers: the time taken must not tell that this one does
		}
	}
	if err != nil {
		return Terminal{}, err
	}
	return t, nil
}

// Known is a terminal of any account, also when it was revoked: for the hub's own program, not for callers.
func (d *Desk) Known(ctx context.Context, id string) (Terminal, error) {
	return d.terminals.get(ctx, id, func(ctx context.Context) (Terminal, error) { return d.book.Terminal(ctx, id) })
}

// Admit is a terminal that wants to connect. ErrNotFound: nobody knows it; ErrRevoked: never again.
func (d *Desk) Admit(ctx context.Context, id string) (Terminal, error) {
	t, err := d.Known(ctx, id)
	if err == nil && !t.RevokedAt.IsZero() {
		err = ErrRevoked
	}
	if err != nil {
		return Terminal{}, err
	}
	return t, nil
}

// TerminalFilter picks terminals. The zero value is all that may connect.
type TerminalFilter struct {
	Within     Place  // Tenant and Shop narrow it down
	Words      string // each is in name, id or version; accents and capitals don't matter
	Version    string
	Revoked    bool // those instead
	Printer    bool // only with trouble of the printer, paper included
	Trouble    bool // only with an acquirer that can't be asked
	Unresolved bool // only with payments nobody knows the end of
	ClockOff   time.Duration
	SeenBefore time.Time           // only those not heard of since
	Keep       func(Terminal) bool // what only the caller knows, such as presence; nil: all
	Offset     int
	Limit      int // 0: all
}

// Terminals are those that are seen and match, by name, and how many there are in all.
func (d *Desk) Terminals(ctx context.Context, s Scope, f TerminalFilter) (page []Terminal, total int, err error) {
	within, ok := s.Narrow(f.Within)
	if !ok {
		return nil, 0, ErrNotFound
	}
	all, err := d.list(ctx, within)
	if err != nil {
		return nil, 0, err
	}
	words := strings.Fields(fold.Text(f.Words))
	if page = make([]Terminal, 0, len(all)); f.Limit > 0 {
		page = make([]Terminal, 0, min(f.Limit, len(all)))
	}
	for _, t := range all {
		if !f.matches(t.Terminal, words) {
			continue
		}
		if total++; total > f.Offset && (f.Limit <= 0 || len(page) < f.Limit) {
			page = append(page, t.Terminal)
		}
	}
	return page, total, nil
}

// TerminalIDs are all within a place that is seen, revoked ones too.
func (d *Desk) TerminalIDs(ctx context.Context, s Scope, within Place) ([]string, error) {
	within, ok := s.Narrow(within)
	if !ok {
		return nil, ErrNotFound
	}
	all, err := d.list(ctx, within)
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	return ids, err
}

// listed is a terminal in a list.
type listed struct {
	Terminal
	sorted string // its name
}

// list are the terminals of a place by name, revoked ones too. Ten thousand take a tenth of a second to read, and each page that is
// open asks for them again and again: what was read within a second is taken once more.
func (d *Desk) list(ctx context.Context, within Place) ([]listed, error) {
	select {
	case d.listing <- struct{}{}:
		defer func() { <-d.listing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return d.readList(ctx, within)
}

// ReadAhead reads the list of all that is seen for whoever asks next, unless one is just being read.
func (d *Desk) ReadAhead(ctx context.Context, s Scope) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	select {
	case d.listing <- struct{}{}:
		defer func() { <-d.listing }()
		d.readList(ctx, s.Place) //nolint:errcheck // who asks is told
	default:
	}
}

// readList remembers no list that is empty: places that are not there can be asked for without end.
func (d *Desk) readList(ctx context.Context, within Place) ([]listed, error) {
	all, err := d.lists.get(ctx, strings.Join([]string{within.Account, within.Tenant, within.Shop}, "\n"), func(ctx context.Context) (all []listed, err error) {
		err = d.book.Terminals(ctx, within, func(t Terminal) error {
			all = append(all, listed{t, fold.Text(t.Name)})
			return nil
		})
		if err == nil && len(all) == 0 {
			err = ErrNotFound
		}
		slices.SortFunc(all, func(a, b listed) int { return cmp.Or(strings.Compare(a.sorted, b.sorted), strings.Compare(a.ID, b.ID)) })
		return all, err
	})
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return all, err
}

// forgetLists is for whoever has changed a terminal.
func (d *Desk) forgetLists() { d.lists.forget(func([]listed) bool { return true }) }

// Narrow is a smaller place within what is seen; false: it is outside.
func (s Scope) Narrow(to Place) (Place, bool) {
	p := Place{s.Account, cmp.Or(to.Tenant, s.Tenant), cmp.Or(to.Shop, s.Shop)}
	return p, (to.Account == "" || to.Account == s.Account) && s.Holds(p)
}

func (f TerminalFilter) matches(t Terminal, words []string) bool {
	c := t.Condition
	switch {
	case f.Revoked == t.RevokedAt.IsZero(),
		f.Version != "" && t.Version != f.Version,
		f.Printer && (c.Printer == "ok" || c.Printer == ""),
		f.Trouble && len(c.Trouble) == 0,
		f.Unresolved && c.Unresolved == 0,
		f.ClockOff > 0 && c.ClockOff().Abs() < f.ClockOff,
		!f.SeenBefore.IsZero() && !t.SeenAt.Before(f.SeenBefore),
		f.Keep != nil && !f.Keep(t):
		return false
	}
	if len(words) == 0 {
		return true
	}
	text := fold.Text(t.Name + "\n" + t.ID + "\n" + t.Version)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// Administered is a terminal that somebody may change. What is wrong with a change is only for them to hear.
func (d *Desk) Administered(ctx context.Context, a Actor, id string) (Terminal, error) {
	t, err := d.Terminal(ctx, a.Scope, id)
	if err == nil {
		err = a.administers(t.Place)
	}
	if err != nil {
		return Terminal{}, err
	}
	return t, nil
}

// RenameTerminal gives a terminal another name.
func (d *Desk) RenameTerminal(ctx context.Context, a Actor, id, name string) error {
	t, err := d.Administered(ctx, a, id)
	if err != nil {
		return err
	}
	if name, err = CleanName(name); err != nil {
		return err
	}
	defer d.forgetLists()
	defer d.terminals.drop(id)
	return d.book.RenameTerminal(ctx, id, name, NewChange(a, t.Place, id, fmt.Sprintf("Terminal %q passou a se chamar %q", t.Name, name)))
}

// MoveTerminal gives a terminal to another shop that is seen. What it recorded before stays with the shop it was in.
func (d *Desk) MoveTerminal(ctx context.Context, a Actor, id, shop string) error {
	t, err := d.Administered(ctx, a, id)
	if err != nil {
		return err
	}
	to, err := d.shop(ctx, a, shop)
	if err != nil {
		return err
	}
	if err := a.administers(to.Place); err != nil {
		return err
	}
	if to.Place == t.Place {
		return nil
	}
	from, err := d.shop(ctx, a, t.Shop)
	if err != nil {
		return err
	}
	left := NewChange(a, t.Place, id, fmt.Sprintf("Terminal %q saiu da loja %q", t.Name, from.Name))
	came := NewChange(a, to.Place, id, fmt.Sprintf("Terminal %q passou para a loja %q", t.Name, to.Name))
	defer d.forgetLists()
	defer d.terminals.drop(id)
	return d.book.MoveTerminal(ctx, id, to.Place, left, came)
}

// RevokeTerminal shuts a terminal out for ever. Whoever holds its connection must end it then.
func (d *Desk) RevokeTerminal(ctx context.Context, a Actor, id string) error {
	t, err := d.Administered(ctx, a, id)
	if err != nil {
		return err
	}
	defer d.forgetLists()
	defer d.terminals.drop(id)
	return d.book.RevokeTerminal(ctx, t.ID, NewChange(a, t.Place, t.ID, fmt.Sprintf("Terminal %q revogado", t.Name)))
}

// Seen writes down how terminals are, many at once where that can be.
func (d *Desk) Seen(ctx context.Context, sightings ...Sighting) error {
	seen := make([]string, len(sightings))
	for i := range sightings {
		s := &sightings[i]
		seen[i] = s.Terminal
		s.Version, s.Condition.Printer, s.Condition.Running = clip(s.Version), clip(s.Condition.Printer), clip(s.Condition.Running)
		const mostTrouble = 20
		s.Condition.Trouble = slices.Clone(s.Condition.Trouble[:min(len(s.Condition.Trouble), mostTrouble)])
		for j, t := range s.Condition.Trouble {
			s.Condition.Trouble[j] = clip(t)
		}
	}
	defer d.forgetLists()
	err := d.book.Seen(ctx, sightings)
	if err == nil {
		d.terminals.age(seen)
	}
	return err
}
