package httpapi

import (
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/moment"
)

// holderBody is a key or a person. Secret and password are there once, when they are made.
type holderBody struct {
	ID              string     `json:"id"`
	Name            string     `json:"name"`
	Role            fleet.Role `json:"role"`
	Tenant          *string    `json:"tenant"`
	Shop            *string    `json:"shop"`
	CreatedAt       *string    `json:"createdAt"`
	RevokedAt       *string    `json:"revokedAt"`
	NeedsReferences *bool      `json:"needsReferences,omitempty"` // of a key
	*keyLife                   // of a key
	Factor          *bool      `json:"factor,omitempty"` // of a person
	Secret          string     `json:"secret,omitempty"`
	Password        string     `json:"password,omitempty"`
}

type keyLife struct {
	ExpiresAt *string `json:"expiresAt"`
	UsedAt    *string `json:"lastUsedAt"`
}

func holderOf(id, name string, s fleet.Scope, created, revoked time.Time) holderBody {
	return holderBody{ID: id, Name: name, Role: s.Role, Tenant: nullable(s.Tenant), Shop: nullable(s.Shop), CreatedAt: reply.Stamp(created), RevokedAt: reply.Stamp(revoked)}
}

func keyOf(k fleet.Key) holderBody {
	b := holderOf(k.ID, k.Name, k.Scope, k.CreatedAt, k.RevokedAt)
	b.NeedsReferences, b.keyLife = &k.NeedsReferences, &keyLife{reply.Stamp(k.ExpiresAt), reply.Stamp(k.UsedAt)}
	return b
}

func personOf(p fleet.Person) holderBody {
	b := holderOf(p.ID, p.Name, p.Scope, p.CreatedAt, p.RevokedAt)
	has := p.HasFactor()
	b.Factor = &has
	return b
}

// wanted is a key or a person to be made. Who sees a part only makes holders of that part, unless a smaller one is named.
func wanted(r *request) (fleet.Wanted, error) {
	var asked struct {
		Name            string     `json:"name"`
		Role            fleet.Role `json:"role"`
		Tenant          string     `json:"tenant"`
		Shop            string     `json:"shop"`
		NeedsReferences bool       `json:"needsReferences"`
		ExpiresAt       string     `json:"expiresAt"`
		Password        string     `json:"password"`
	}
	if err := r.decode(&asked); err != nil {
		return fleet.Wanted{}, err
	}
	within, ok := r.caller.Narrow(fleet.Place{Tenant: asked.Tenant, Shop: asked.Shop})
	if !ok {
		return fleet.Wanted{}, fleet.ErrNotFound
	}
	w := fleet.Wanted{Scope: fleet.Scope{Place: within, Role: asked.Role}, Name: asked.Name, NeedsReferences: asked.NeedsReferences, Password: asked.Password}
	q := queryOf(r.Request)
	if q.Fault != nil {
		return fleet.Wanted{}, q.Fault
	}
	if asked.ExpiresAt != "" {
		if w.ExpiresAt, ok = moment.ParseIn(asked.ExpiresAt, true, q.Zone); !ok {
			return fleet.Wanted{}, reply.Invalid("expiresAt", "não é uma data ISO 8601")
		}
	}
	return w, nil
}

func (api *API) listKeys(r *request) (any, error) {
	all, err := api.Fleet.Keys(r.Context(), r.caller.Actor)
	return mapped(all, keyOf), err
}

func (api *API) makeKey(r *request) (any, error) {
	w, err := wanted(r)
	if err != nil {
		return nil, err
	}
	k, secret, err := api.Fleet.MakeKey(r.Context(), r.caller.Actor, w)
	b := keyOf(k)
	b.Secret = secret
	return b, err
}

func (api *API) revokeKey(r *request) (any, error) {
	return nil, api.Fleet.RevokeKey(r.Context(), r.caller.Actor, r.PathValue("id"))
}

func (api *API) listPeople(r *request) (any, error) {
	all, err := api.Fleet.People(r.Context(), r.caller.Actor)
	return mapped(all, personOf), err
}

func (api *API) makePerson(r *request) (any, error) {
	w, err := wanted(r)
	if err != nil {
		return nil, err
	}
	p, password, err := api.Fleet.MakePerson(r.Context(), r.caller.Actor, w)
	if errors.Is(err, fleet.ErrTaken) {
		err = guessed(err) // it may be another customer's: nobody is to try many names
	}
	b := personOf(p)
	b.Password = password
	return b, err
}

func (api *API) revokePerson(r *request) (any, error) {
	return nil, api.Fleet.RevokePerson(r.Context(), r.caller.Actor, r.PathValue("id"))
}

func (api *API) setPassword(r *request) (any, error) {
	var asked struct {
		Password string `json:"password"`
		Current  string `json:"current"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	password, err := api.Fleet.SetPassword(r.Context(), r.caller.Actor, r.PathValue("id"), asked.Password, asked.Current)
	if errors.Is(err, fleet.ErrWrongPassword) {
		err = guessed(err) // the page may have been found open
	}
	return struct {
		Password string `json:"password"`
	}{password}, err
}

type changeBody struct {
	Number int64   `json:"number"`
	At     *string `json:"at"`
	Who    string  `json:"who"`
	What   string  `json:"what"`
	Target string  `json:"target"`
	Tenant *string `json:"tenant"`
	Shop   *string `json:"shop"`
}

func (api *API) listAudit(r *request) (any, error) {
	q := queryOf(r.Request)
	f := fleet.AuditFilter{Target: q.Get("target"), Before: int64(q.Whole("before", 0, 0, 1<<53)), Limit: q.Whole("limit", 100, 0, 1000)}
	if q.Fault != nil {
		return nil, q.Fault
	}
	all, err := api.Fleet.Audit(r.Context(), r.caller.Actor, f)
	return mapped(all, func(c fleet.Change) changeBody {
		return changeBody{c.Number, reply.Stamp(c.At), c.Who, c.What, c.Target, nullable(c.Tenant), nullable(c.Shop)}
	}), err
}
