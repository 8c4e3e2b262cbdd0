package httpapi

import (
	"encoding/json"
	"strconv"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
)

// webhookBody is a webhook. Its secret is there once, when it is made.
type webhookBody struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	URL       string   `json:"url"`
	Types     []string `json:"types"`
	Tenant    *string  `json:"tenant"`
	Shop      *string  `json:"shop"`
	CreatedAt *string  `json:"createdAt"`
	RevokedAt *string  `json:"revokedAt"`
	Secret    string   `json:"secret,omitempty"`
}

func webhookOf(h webhooks.Hook) webhookBody {
	return webhookBody{
		ID: h.ID, Name: h.Name, URL: h.URL, Types: h.Types, Tenant: nullable(h.Tenant), Shop: nullable(h.Shop), CreatedAt: reply.Stamp(h.CreatedAt), RevokedAt: reply.Stamp(h.RevokedAt),
	}
}

func (api *API) listWebhooks(r *request) (any, error) {
	all, err := api.Webhooks.Hooks(r.Context(), r.caller.Actor)
	return mapped(all, webhookOf), err
}

func (api *API) makeWebhook(r *request) (any, error) {
	var asked struct {
		Name   string   `json:"name"`
		URL    string   `json:"url"`
		Types  []string `json:"types"`
		Tenant string   `json:"tenant"`
		Shop   string   `json:"shop"`
	}
	if err := r.decode(&asked); err != nil {
		return nil, err
	}
	within, err := api.Fleet.Within(r.Context(), r.caller.Actor, fleet.Place{Tenant: asked.Tenant, Shop: asked.Shop})
	if err != nil {
		return nil, err
	}
	h, secret, err := api.Webhooks.Make(r.Context(), r.caller.Actor, webhooks.Wanted{Place: within, Name: asked.Name, URL: asked.URL, Types: asked.Types})
	b := webhookOf(h)
	b.Secret = secret
	return b, err
}

func (api *API) revokeWebhook(r *request) (any, error) {
	return nil, api.Webhooks.Revoke(r.Context(), r.caller.Actor, r.PathValue("id"))
}

func (api *API) testWebhook(r *request) (any, error) {
	return nil, api.Webhooks.Test(r.Context(), r.caller.Actor, r.PathValue("id"))
}

// eventBody is something that happened, as it is sent.
type eventBody struct {
	Number    int64           `json:"number"`
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Timestamp *string         `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

func eventOf(e webhooks.Event) eventBody {
	return eventBody{e.Number, e.ID, e.Type, reply.Stamp(e.At), e.Data}
}

type deliveryBody struct {
	Event    eventBody      `json:"event"`
	State    webhooks.State `json:"state"`
	Attempts int            `json:"attempts"`
	DueAt    *string        `json:"dueAt"`
	TriedAt  *string        `json:"triedAt"`
	Status   *int           `json:"status"`
	Trouble  *string        `json:"trouble"`
}

func deliveryOf(d webhooks.Delivery) deliveryBody {
	b := deliveryBody{eventOf(d.Event), d.State, d.Attempts, reply.Stamp(d.DueAt), reply.Stamp(d.TriedAt), nil, nullable(d.Trouble)}
	if d.Status != 0 {
		b.Status = &d.Status
	}
	return b
}

func (api *API) listDeliveries(r *request) (any, error) {
	q := queryOf(r.Request)
	state := webhooks.State(q.Choice("state", string(webhooks.Pending), string(webhooks.Delivered), string(webhooks.Failed)))
	before, limit := int64(q.Whole("before", 0, 0, 1<<53)), q.Whole("limit", 100, 1, 500)
	if q.Fault != nil {
		return nil, q.Fault
	}
	all, err := api.Webhooks.Deliveries(r.Context(), r.caller.Actor, r.PathValue("id"), state, before, limit)
	return mapped(all, deliveryOf), err
}

func (api *API) deliverAgain(r *request) (any, error) {
	number, err := strconv.ParseInt(r.PathValue("number"), 10, 64)
	if err != nil {
		return nil, webhooks.ErrNotFound
	}
	return nil, api.Webhooks.Again(r.Context(), r.caller.Actor, r.PathValue("id"), number)
}

func (api *API) listWebhookEvents(r *request) (any, error) {
	q := queryOf(r.Request)
	after, limit := int64(q.Whole("after", 0, 0, 1<<53)), q.Whole("limit", 100, 1, 500)
	if q.Fault != nil {
		return nil, q.Fault
	}
	all, err := api.Webhooks.Events(r.Context(), r.caller.Actor, after, limit)
	return mapped(all, eventOf), err
}
