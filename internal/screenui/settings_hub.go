package screenui

import (
	"context"
	"net/http"
	"time"
)

// Hub is the terminal's link to a hub, as the operator sees it and changes it.
type Hub interface {
	Link() HubLink
	// Join has the terminal join a hub, which it dials at once. A Refusal says what the operator must correct.
	Join(context.Context, Invitation) error
	// Leave forgets the hub; there may be none.
	Leave() error
}

// HubLink is the hub and how the link to it is.
type HubLink struct {
	State   string // none, up, down, refused or revoked
	Address string
	Name    string // of this terminal there
	Account string // whose it is there
	Since   time.Time
	Reason  string // why there is no link, in a word; empty: it has not been tried yet, or is up
	Message string // the same in Portuguese
}

// Invitation is what the operator types: the hub's whole line as the address, or each by itself.
type Invitation struct {
	Address string `json:"address"`
	Code    string `json:"code"`
	Pin     string `json:"pin"`
}

// mountHub serves what the operator does with the hub, behind the same door as the settings.
func (d *settingsDesk) mountHub(mux *http.ServeMux, hub Hub) {
	open := func(h func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
		return d.answer(func(w http.ResponseWriter, r *http.Request) (any, error) {
			if !d.lock.isOpen(r) {
				return nil, errSettingsLocked
			}
			return h(w, r)
		})
	}
	mux.HandleFunc("GET /settings/hub", open(func(http.ResponseWriter, *http.Request) (any, error) {
		l := hub.Link()
		return object{
			"state": l.State, "address": l.Address, "name": l.Name, "account": l.Account, "since": stampOf(l.Since), "reason": l.Reason, "message": l.Message,
		}, nil
	}))
	mux.HandleFunc("POST /settings/hub", open(func(w http.ResponseWriter, r *http.Request) (any, error) {
		i, err := readSettings[Invitation](w, r)
		if err != nil {
			return nil, err
		}
		return nil, hub.Join(r.Context(), i)
	}))
	mux.HandleFunc("DELETE /settings/hub", open(func(http.ResponseWriter, *http.Request) (any, error) { return nil, hub.Leave() }))
}

// stampOf is a moment as pages read it; null: there was none.
func stampOf(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}
