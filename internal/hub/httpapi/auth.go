package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/reply"
)

// cookieName is of a person's session. The prefix has browsers send it to this host over HTTPS only.
const cookieName = "__Host-maquininha-hub"

// authenticate finds who asks. The connection of one who was found is a stranger's no more: when there are too many, others go first.
func (api *API) authenticate(r *http.Request) (relay.Caller, error) {
	caller, err := api.identify(r)
	if err == nil {
		connection.MarkOwned(r.Context(), caller.Account+"/"+caller.Tenant)
	}
	return caller, err
}

// identify finds who asks: a key, or a person by the session's cookie.
func (api *API) identify(r *http.Request) (relay.Caller, error) {
	switch shown := r.Header["Authorization"]; {
	case len(shown) > 1:
		return relay.Caller{}, errUnauthorized // either could be meant
	case len(shown) == 1:
		return api.key(r, shown[0])
	}
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return relay.Caller{}, errUnauthorized
	}
	if err := api.sameOrigin(r); err != nil {
		return relay.Caller{}, err
	}
	s, err := api.Fleet.Session(r.Context(), cookie.Value)
	if err != nil {
		return relay.Caller{}, unauthorized(err)
	}
	caller := relay.Caller{Actor: s.Person.Actor()}
	if api.mustSetFactor(caller.Actor) {
		return caller, errNoFactor
	}
	return caller, nil
}

// mustSetFactor tells of an administrator who may do nothing before he has a second factor.
func (api *API) mustSetFactor(a fleet.Actor) bool {
	return api.RequireFactor && a.IsPerson && !a.Factor && a.May(fleet.Administers)
}

func (api *API) key(r *http.Request, header string) (relay.Caller, error) {
	var k fleet.Key
	err := errUnauthorized
	if id, secret, ok := r.BasicAuth(); ok {
		k, err = api.Fleet.CheckKey(r.Context(), id, secret)
	} else if scheme, token, ok := strings.Cut(header, " "); ok && strings.EqualFold(scheme, "Bearer") {
		k, err = api.Fleet.CheckToken(r.Context(), strings.TrimSpace(token))
	}
	if err != nil {
		return relay.Caller{}, unauthorized(err)
	}
	return relay.Caller{Actor: k.Actor(), NeedsReferences: k.NeedsReferences}, nil
}

// runsHub tells of who sees the whole of the first account, in whatever role: that of the house which runs the hub. To others what is
// of the hub as a whole does not exist. The account is remembered: how the hub is can be read while its database is away.
func (api *API) runsHub(ctx context.Context, c relay.Caller) error {
	owner := api.owner.Load()
	if owner == nil {
		accounts, err := api.Fleet.Accounts(ctx)
		switch {
		case err != nil:
			return err
		case len(accounts) == 0:
			return fleet.ErrNotFound
		}
		owner = &accounts[0].ID
		api.owner.Store(owner)
	}
	if c.Place != (fleet.Place{Account: *owner}) {
		return fleet.ErrNotFound
	}
	return nil
}

func unauthorized(err error) error {
	if errors.Is(err, fleet.ErrNotFound) {
		return errUnauthorized
	}
	return err
}

// sameOrigin refuses changes that a page of another site had the browser send.
func (api *API) sameOrigin(r *http.Request) error {
	if api.origins.Check(r) != nil {
		return errForeignPage
	}
	return nil
}

type actorBody struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Role    fleet.Role `json:"role"`
	Account string     `json:"account"`
	Tenant  *string    `json:"tenant"`
	Shop    *string    `json:"shop"`
	Factor  *bool      `json:"factor"` // of a person
	MustSet bool       `json:"mustSetFactor"`
}

func (api *API) actorOf(a fleet.Actor) actorBody {
	b := actorBody{ID: a.ID, Name: a.Name, Role: a.Role, Account: a.Account, Tenant: nullable(a.Tenant), Shop: nullable(a.Shop), MustSet: api.mustSetFactor(a)}
	if a.IsPerson {
		b.Factor = &a.Factor
	}
	return b
}

func (api *API) signIn(r *request) (any, error) {
	var asked struct {
		Name     string `json:"name"`
		Password string `json:"password"`
		Code     string `json:"code"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	s, err := api.Fleet.SignIn(r.Context(), r.RemoteAddr, asked.Name, asked.Password, asked.Code)
	switch {
	case errors.Is(err, fleet.ErrNotFound):
		return nil, guessed(reply.Refuse(http.StatusForbidden, "Nome ou senha incorretos"))
	case errors.Is(err, fleet.ErrWrongFactor):
		return nil, guessed(err)
	case err != nil:
		return nil, err
	}
	http.SetCookie(r.writer, sessionCookie(s.Token, s.ExpiresAt))
	return api.actorOf(s.Person.Actor()), nil
}

func sessionCookie(token string, expires time.Time) *http.Cookie {
	return &http.Cookie{Name: cookieName, Value: token, Path: "/", Expires: expires, Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode}
}

func (api *API) whoAmI(r *request) (any, error) { return api.actorOf(r.caller.Actor), nil }

func (api *API) signOut(r *request) (any, error) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return nil, nil //nolint:nilnil // a key has no session, and nothing to say
	}
	http.SetCookie(r.writer, sessionCookie("", time.Unix(1, 0)))
	return nil, api.Fleet.SignOut(r.Context(), cookie.Value)
}
