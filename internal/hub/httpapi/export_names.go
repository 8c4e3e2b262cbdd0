package httpapi

import (
	"cmp"
	"context"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// exportNames are what tenants, shops and terminals are called: a sheet is for people. What has no name here has its id.
type exportNames struct {
	api    *API
	scope  fleet.Scope
	places map[string]string
	known  map[string]string // terminals
}

func (api *API) namesFor(ctx context.Context, scope fleet.Scope) (*exportNames, error) {
	n := &exportNames{api: api, scope: scope, places: map[string]string{}, known: map[string]string{}}
	for _, read := range []func(context.Context, fleet.Scope) ([]fleet.Named, error){api.Fleet.Tenants, api.Fleet.Shops} {
		all, err := read(ctx, scope)
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			n.places[one.ID] = one.Name
		}
	}
	return n, nil
}

// of are the three cells that say whose something is.
func (n *exportNames) of(ctx context.Context, p fleet.Place, terminal string) []string {
	name, ok := n.known[terminal]
	if !ok {
		t, _ := n.api.Fleet.Terminal(ctx, n.scope, terminal) // one that can't be looked up has no name
		name = cmp.Or(t.Name, terminal)
		n.known[terminal] = name
	}
	return []string{cmp.Or(n.places[p.Tenant], p.Tenant), cmp.Or(n.places[p.Shop], p.Shop), name}
}
