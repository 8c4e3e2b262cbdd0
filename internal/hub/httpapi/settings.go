package httpapi

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/hub/settings"
)

// setBody is a version of a set. Of secrets it says only that there are some: null.
type setBody struct {
	ID       string             `json:"id"`
	Tenant   *string            `json:"tenant"`
	Shop     *string            `json:"shop"`
	Terminal *string            `json:"terminal"`
	Version  int64              `json:"version"`
	Values   map[string]*string `json:"values"`
	Comment  *string            `json:"comment"`
	Who      string             `json:"who"`
	At       *string            `json:"at"`
}

func setOf(s settings.Set) setBody {
	b := setBody{s.ID, nullable(s.Tenant), nullable(s.Shop), nullable(s.Terminal), s.Version, map[string]*string{}, nullable(s.Comment), s.Who, reply.Stamp(s.At)}
	for name, value := range s.Values {
		b.Values[name] = &value
	}
	for name := range s.Secrets {
		b.Values[name] = nil
	}
	return b
}

func (api *API) listSettings(r *request) (any, error) {
	all, err := api.Settings.Sets(r.Context(), r.caller.Actor)
	return mapped(all, setOf), err
}

func (api *API) makeSettings(r *request) (any, error) {
	var asked struct {
		Tenant   string                     `json:"tenant"`
		Shop     string                     `json:"shop"`
		Terminal string                     `json:"terminal"`
		Values   map[string]json.RawMessage `json:"values"`
		Comment  string                     `json:"comment"`
		Base     *int64                     `json:"base"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	if asked.Values == nil {
		return nil, reply.Invalid("values", "é obrigatório")
	}
	values, err := textsOf(asked.Values)
	if err != nil {
		return nil, err
	}
	w := settings.Wanted{Terminal: asked.Terminal, Values: values, Comment: asked.Comment, Base: asked.Base}
	if asked.Terminal == "" {
		w.Place, err = api.Fleet.Within(r.Context(), r.caller.Actor, fleet.Place{Tenant: asked.Tenant, Shop: asked.Shop})
	} else {
		var t fleet.Terminal
		t, err = api.Fleet.Terminal(r.Context(), r.caller.Scope, asked.Terminal)
		if w.Place = t.Place; err == nil && !t.RevokedAt.IsZero() {
			err = fleet.ErrRevoked
		}
	}
	if err != nil {
		return nil, err
	}
	s, err := api.Settings.Make(r.Context(), r.caller.Actor, w)
	return setOf(s), err
}

// textsOf are values, each a text or null. What is neither is named.
func textsOf(values map[string]json.RawMessage) (map[string]*string, error) {
	texts := make(map[string]*string, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		var text *string
		if json.Unmarshal(values[name], &text) != nil {
			return nil, reply.Invalid("values."+name, "deve ser um texto")
		}
		texts[name] = text
	}
	return texts, nil
}

func (api *API) listSettingsVersions(r *request) (any, error) {
	q := queryOf(r.Request)
	before, limit := int64(q.Whole("before", 0, 0, 1<<53)), q.Whole("limit", 100, 1, 500)
	if q.Fault != nil {
		return nil, q.Fault
	}
	all, err := api.Settings.Versions(r.Context(), r.caller.Actor, r.PathValue("id"), before, limit)
	return mapped(all, setOf), err
}

func (api *API) takeSettingsBack(r *request) (any, error) {
	var asked struct {
		Version int64 `json:"version"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	s, err := api.Settings.Back(r.Context(), r.caller.Actor, r.PathValue("id"), asked.Version)
	return setOf(s), err
}

// standingBody is a terminal, and how far it is with what is decided for it.
type standingBody struct {
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	Tenant  string            `json:"tenant"`
	Shop    string            `json:"shop"`
	Online  bool              `json:"online"`
	State   settings.State    `json:"state"`
	Wanted  []layerBody       `json:"wanted"`
	Has     []layerBody       `json:"has"`
	Refused map[string]string `json:"refused"`
	TakenAt *string           `json:"takenAt"`
	Trouble *string           `json:"trouble"`
}

// layerBody is a version of a set, by what it is for.
type layerBody struct {
	Of      string `json:"of"`
	Version int64  `json:"version"`
}

func layersOf(t fleet.Terminal, all []settings.Layer) []layerBody {
	kinds := map[string]string{t.Account: "account", t.Tenant: "tenant", t.Shop: "shop", t.ID: "terminal"}
	return mapped(all, func(l settings.Layer) layerBody {
		return layerBody{cmp.Or(kinds[l.ID], "other"), l.Version} // of the shop that it was in before
	})
}

type standingsBody struct {
	Terminals []standingBody         `json:"terminals"`
	Total     int                    `json:"total"`
	Counts    map[settings.State]int `json:"counts"` // by state, whatever state was asked for
}

// listSettingsStandings tells who has what.
func (api *API) listSettingsStandings(r *request) (any, error) {
	q := queryOf(r.Request)
	asked := settings.State(q.Choice("state", string(settings.None), string(settings.Pending), string(settings.Taken), string(settings.Refused)))
	f := fleet.TerminalFilter{Within: q.place(), Words: q.Get("search")}
	offset, limit := q.Whole("offset", 0, 0, 1<<30), q.Whole("limit", 100, 0, 10_000)
	if q.Fault != nil {
		return nil, q.Fault
	}
	newest, reports, err := api.Settings.Standing(r.Context(), r.caller.Actor)
	if err != nil {
		return nil, err
	}
	all, _, err := api.Fleet.Terminals(r.Context(), r.caller.Scope, f)
	if err != nil {
		return nil, err
	}
	body := standingsBody{Terminals: []standingBody{}, Counts: map[settings.State]int{settings.None: 0, settings.Pending: 0, settings.Taken: 0, settings.Refused: 0}}
	for _, t := range all {
		decided, said := newest.Of(t), reports[t.ID]
		state := decided.StateOf(said)
		body.Counts[state]++
		if asked != "" && asked != state {
			continue
		}
		if body.Total++; body.Total <= offset || len(body.Terminals) >= limit {
			continue
		}
		b := standingBody{
			ID: t.ID, Name: t.Name, Tenant: t.Tenant, Shop: t.Shop, Online: api.Board.Presence(t.ID).Online, State: state, Wanted: layersOf(t, decided.Layers), Has: layersOf(t, said.Layers),
			Refused: map[string]string{}, TakenAt: reply.Stamp(said.At), Trouble: nullable(said.Trouble),
		}
		if state == settings.Refused {
			b.Refused = said.Refused
		}
		body.Terminals = append(body.Terminals, b)
	}
	return body, nil
}
