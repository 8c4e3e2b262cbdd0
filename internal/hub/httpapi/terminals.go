package httpapi

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/reply"
)

// terminalBody is a terminal, and how it is now or was last.
type terminalBody struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Tenant    string    `json:"tenant"`
	Shop      string    `json:"shop"`
	Version   string    `json:"version"`
	JoinedAt  *string   `json:"joinedAt"`
	RevokedAt *string   `json:"revokedAt"`
	SeenAt    *string   `json:"seenAt"`
	Online    bool      `json:"online"`
	Since     *string   `json:"since"` // it came, or went
	State     stateBody `json:"state"`
}

type stateBody struct {
	At              *string  `json:"at"` // null: it has told nothing yet
	Busy            bool     `json:"busy"`
	Running         *string  `json:"running"`
	Foreground      bool     `json:"foreground"`
	Printer         *string  `json:"printer"`
	Trouble         []string `json:"trouble"`
	Unresolved      int      `json:"unresolved"`
	SaleOpen        bool     `json:"saleOpen"`
	ClockOffSeconds float64  `json:"clockOffSeconds"`
}

// merge puts what the board knows over what the book does.
func merge(t fleet.Terminal, p links.Presence) fleet.Terminal {
	if !p.ToldAt.IsZero() {
		s := p.State
		t.Condition = fleet.Condition{
			Clock: s.Clock, ReadAt: p.ToldAt, Busy: s.Busy, Running: s.Running, Foreground: s.Foreground, Printer: s.Printer, Trouble: s.Trouble,
			Unresolved: s.Unresolved, SaleOpen: s.SaleOpen,
		}
	}
	if p.Version != "" {
		t.Version = p.Version
	}
	if p.Online {
		t.SeenAt = time.Now()
		return t
	}
	t.Condition.Busy, t.Condition.Running = false, ""
	if p.Since.After(t.SeenAt) { // it was here until then, and what is written down is older
		t.SeenAt = p.Since
	}
	return t
}

// terminalOf is what both know, as callers see it.
func terminalOf(t fleet.Terminal, p links.Presence) terminalBody {
	t = merge(t, p)
	c := t.Condition
	b := terminalBody{
		ID: t.ID, Name: t.Name, Tenant: t.Tenant, Shop: t.Shop, Version: t.Version, JoinedAt: reply.Stamp(t.JoinedAt), RevokedAt: reply.Stamp(t.RevokedAt),
		SeenAt: reply.Stamp(t.SeenAt), Online: p.Online, Since: reply.Stamp(p.Since),
		State: stateBody{
			At: reply.Stamp(c.ReadAt), Busy: c.Busy, Running: nullable(c.Running), Foreground: c.Foreground, Printer: nullable(c.Printer), Trouble: c.Trouble,
			Unresolved: c.Unresolved, SaleOpen: c.SaleOpen,
		},
	}
	if b.State.Trouble == nil {
		b.State.Trouble = []string{}
	}
	if !c.Clock.IsZero() {
		b.State.ClockOffSeconds = c.ClockOff().Round(time.Millisecond).Seconds()
	}
	return b
}

// clockTolerance is how far a clock may be off before anybody is told.
const clockTolerance = time.Minute

// fine are the states of a printer that are no trouble; there may be none, or none that tells.
var fine = []string{"", "ok", "none", "unknown"}

// states are what a list can be narrowed down to.
var states = map[string]func(c *fleet.Condition, online bool) bool{
	"online":     func(_ *fleet.Condition, online bool) bool { return online },
	"offline":    func(_ *fleet.Condition, online bool) bool { return !online },
	"busy":       func(c *fleet.Condition, _ bool) bool { return c.Busy },
	"paperOut":   func(c *fleet.Condition, _ bool) bool { return c.Printer == "paperOut" },
	"printer":    func(c *fleet.Condition, _ bool) bool { return !slices.Contains(fine, c.Printer) },
	"acquirer":   func(c *fleet.Condition, _ bool) bool { return len(c.Trouble) > 0 },
	"unresolved": func(c *fleet.Condition, _ bool) bool { return c.Unresolved > 0 },
	"clock":      func(c *fleet.Condition, _ bool) bool { return !c.Clock.IsZero() && c.ClockOff().Abs() > clockTolerance },
}

// showPage answers with the page's files. Whoever opens it signed in asks for the fleet as soon as all of them are there: a large one is
// read meanwhile.
func (api *API) showPage(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" {
		if caller, err := api.identify(r); err == nil {
			go api.Fleet.ReadAhead(context.WithoutCancel(r.Context()), caller.Scope)
		}
	}
	api.Page.ServeHTTP(w, r)
}

type terminalsBody struct {
	Terminals []terminalBody `json:"terminals"`
	Total     int            `json:"total"`
	Counts    map[string]int `json:"counts"`   // by state, whatever state was asked for
	Versions  map[string]int `json:"versions"` // how many have each, of all that match
	Serial    uint64         `json:"serial"`   // events after it change the list
}

func (api *API) listTerminals(r *request) (any, error) {
	q := queryOf(r.Request)
	f := fleet.TerminalFilter{
		Within: q.place(), Words: q.Get("search"), Version: q.Get("version"), Revoked: q.Get("state") == "revoked", SeenBefore: q.Moment("seenBefore", false),
	}
	if !f.SeenBefore.IsZero() { // one that is here is seen now, however long ago it said something
		f.Keep = func(t fleet.Terminal) bool {
			p := api.Board.Presence(t.ID)
			return !p.Online && merge(t, p).SeenAt.Before(f.SeenBefore)
		}
	}
	offset, limit := q.Whole("offset", 0, 0, 1<<30), q.Whole("limit", 100, 0, 10_000)
	asked, known := states[q.Get("state")]
	if state := q.Get("state"); state != "" && !known && !f.Revoked {
		q.Wrong("state", "deve ser um de: online, offline, busy, paperOut, printer, acquirer, unresolved, clock, revoked")
	}
	if q.Fault != nil {
		return nil, q.Fault
	}
	serial, err := api.serialOf(r, q.Values["id"], f.Within) // before the list is read: what changes meanwhile comes again as an event
	if err != nil {
		return nil, err
	}
	body := terminalsBody{Terminals: []terminalBody{}, Counts: map[string]int{}, Versions: map[string]int{}, Serial: serial}
	for name := range states {
		body.Counts[name] = 0
	}
	all, err := api.pickTerminals(r, q.Values["id"], f)
	if err != nil {
		return nil, err
	}
	for i := range all {
		p := api.Board.Presence(all[i].ID)
		now := merge(all[i], p)
		for name, is := range states {
			if is(&now.Condition, p.Online) {
				body.Counts[name]++
			}
		}
		if asked != nil && !asked(&now.Condition, p.Online) {
			continue
		}
		body.Versions[now.Version]++
		// What is not shown is counted only: the texts of ten thousand take longer than all the rest.
		if body.Total++; body.Total > offset && len(body.Terminals) < limit {
			body.Terminals = append(body.Terminals, terminalOf(all[i], p))
		}
	}
	return body, nil
}

// serialOf is what events of a list go on from: the newest change of its terminals. That of the whole board would change when others are busy.
func (api *API) serialOf(r *request, ids []string, within fleet.Place) (uint64, error) {
	var err error
	if len(ids) == 0 {
		ids, err = api.Fleet.TerminalIDs(r.Context(), r.caller.Scope, within)
	} else {
		var seen []fleet.Terminal
		seen, err = api.pickTerminals(r, ids, fleet.TerminalFilter{})
		ids = mapped(seen, func(t fleet.Terminal) string { return t.ID })
	}
	return api.serials.show(r.caller.Place, api.Board.Newest(ids)), err
}

// mostIDs is how many terminals can be asked for by id at once.
const mostIDs = 200

// pickTerminals are those that match, or those of the given ids, revoked ones too: who reads records wants to know whose they are.
func (api *API) pickTerminals(r *request, ids []string, f fleet.TerminalFilter) (all []fleet.Terminal, err error) {
	if len(ids) == 0 {
		all, _, err = api.Fleet.Terminals(r.Context(), r.caller.Scope, f)
		return all, err
	}
	if len(ids) > mostIDs {
		return nil, reply.Invalid("id", "pode ser dado até "+strconv.Itoa(mostIDs)+" vezes")
	}
	for _, id := range ids {
		t, err := api.Fleet.Terminal(r.Context(), r.caller.Scope, id)
		if err == nil {
			all = append(all, t)
		} else if !errors.Is(err, fleet.ErrNotFound) {
			return nil, err
		}
	}
	return all, nil
}

func (api *API) getTerminal(r *request) (any, error) {
	t, err := api.Fleet.Terminal(r.Context(), r.caller.Scope, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return terminalOf(t, api.Board.Presence(t.ID)), nil
}

// alterTerminal renames a terminal, gives it to another shop, or both.
func (api *API) alterTerminal(r *request) (any, error) {
	id := r.PathValue("id")
	if _, err := api.Fleet.Administered(r.Context(), r.caller.Actor, id); err != nil {
		return nil, err // whatever the body is
	}
	var asked struct {
		Name *string `json:"name"`
		Shop *string `json:"shop"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	if asked.Name != nil && asked.Shop != nil { // what is refused of one must not leave the other done
		if _, err := fleet.CleanName(*asked.Name); err != nil {
			return nil, err
		}
	}
	if asked.Shop != nil {
		if err := api.Fleet.MoveTerminal(r.Context(), r.caller.Actor, id, *asked.Shop); err != nil {
			return nil, err
		}
	}
	if asked.Name != nil || asked.Shop == nil {
		if err := api.Fleet.RenameTerminal(r.Context(), r.caller.Actor, id, value(asked.Name)); err != nil {
			return nil, err
		}
	}
	api.Board.Changed(id)
	return api.getTerminal(r)
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// revokeTerminal ends the link as soon as the book says that there is to be none.
func (api *API) revokeTerminal(r *request) (any, error) {
	id := r.PathValue("id")
	if err := api.Fleet.RevokeTerminal(r.Context(), r.caller.Actor, id); err != nil {
		return nil, err
	}
	api.Board.Drop(id)
	api.Board.Changed(id)
	return nil, nil //nolint:nilnil // nothing to say
}

func (api *API) makeCode(r *request) (any, error) {
	var asked struct {
		Shop string `json:"shop"`
		Name string `json:"name"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	text, code, err := api.Fleet.MakeCode(r.Context(), r.caller.Actor, asked.Shop, asked.Name)
	if err != nil {
		return nil, err
	}
	line := ""
	if api.JoinLine != nil {
		line = api.JoinLine(text)
	}
	return struct {
		Code      string  `json:"code"`
		Shop      string  `json:"shop"`
		Name      *string `json:"name"`
		ExpiresAt *string `json:"expiresAt"`
		Line      *string `json:"line"` // to be typed at the terminal
	}{text, code.Shop, nullable(code.Name), reply.Stamp(code.ExpiresAt), nullable(line)}, nil
}

// namedBody is a tenant or a shop.
type namedBody struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Tenant    *string `json:"tenant,omitempty"` // of a shop
	CreatedAt *string `json:"createdAt"`
}

func tenantOf(n fleet.Named) namedBody { return namedBody{n.ID, n.Name, nil, reply.Stamp(n.CreatedAt)} }

func shopOf(n fleet.Named) namedBody {
	return namedBody{n.ID, n.Name, &n.Tenant, reply.Stamp(n.CreatedAt)}
}

func mapped[T, B any](all []T, body func(T) B) []B {
	list := make([]B, 0, len(all))
	for _, one := range all {
		list = append(list, body(one))
	}
	return list
}

func (api *API) listTenants(r *request) (any, error) {
	all, err := api.Fleet.Tenants(r.Context(), r.caller.Scope)
	return mapped(all, tenantOf), err
}

func (api *API) listShops(r *request) (any, error) {
	all, err := api.Fleet.Shops(r.Context(), r.caller.Scope)
	return mapped(all, shopOf), err
}

func (api *API) makeTenant(r *request) (any, error) {
	var asked struct {
		Name string `json:"name"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	n, err := api.Fleet.MakeTenant(r.Context(), r.caller.Actor, asked.Name)
	return tenantOf(n), err
}

func (api *API) makeShop(r *request) (any, error) {
	var asked struct {
		Tenant string `json:"tenant"`
		Name   string `json:"name"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	n, err := api.Fleet.MakeShop(r.Context(), r.caller.Actor, asked.Tenant, asked.Name)
	return shopOf(n), err
}
