package httpapi

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/httpapi/apidoc"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// handler returns what to answer; it writes nothing itself.
type handler func(*request) (any, error)

type route struct {
	pattern string
	handle  handler
	flags   flags
}

type flags uint8

const (
	// public: no credentials are asked for.
	public flags = 1 << iota
	// unproven: also for administrators who have yet to set the second factor that they must have.
	unproven
	// creates: the answer is 201. Only who administers may: others are refused whatever their body is.
	creates
)

func (api *API) routes() []route {
	return []route{
		{"POST " + tunnel.JoinPath, api.join, public},

		{"POST /api/v1/session", api.signIn, public},
		{"GET /api/v1/session", api.whoAmI, unproven},
		{"DELETE /api/v1/session", api.signOut, unproven},

		{"GET /api/v1/terminals", api.listTerminals, 0},
		{"GET /api/v1/terminals/{id}", api.getTerminal, 0},
		{"PATCH /api/v1/terminals/{id}", api.alterTerminal, 0},
		{"DELETE /api/v1/terminals/{id}", api.revokeTerminal, 0},
		{"POST /api/v1/codes", api.makeCode, creates},

		{"GET /api/v1/transactions", api.listTransactions, 0},
		{"GET /api/v1/terminals/{id}/history/{epoch}/{attempt}", api.history, 0},
		{"GET /api/v1/closings", api.listClosings, 0},
		{"GET /api/v1/logs", api.listLogs, 0},
		{"GET /api/v1/gaps", api.listGaps, 0},
		{"GET /api/v1/operations", api.listOperations, 0},

		{"GET /api/v1/tenants", api.listTenants, 0},
		{"POST /api/v1/tenants", api.makeTenant, creates},
		{"GET /api/v1/shops", api.listShops, 0},
		{"POST /api/v1/shops", api.makeShop, creates},

		{"GET /api/v1/webhooks", api.listWebhooks, 0},
		{"POST /api/v1/webhooks", api.makeWebhook, creates},
		{"DELETE /api/v1/webhooks/{id}", api.revokeWebhook, 0},
		{"POST /api/v1/webhooks/{id}/test", api.testWebhook, 0},
		{"GET /api/v1/webhooks/{id}/deliveries", api.listDeliveries, 0},
		{"POST /api/v1/webhooks/{id}/deliveries/{number}", api.deliverAgain, 0},
		{"GET /api/v1/webhook-events", api.listWebhookEvents, 0},

		{"GET /api/v1/settings", api.listSettings, 0},
		{"POST /api/v1/settings", api.makeSettings, creates},
		{"GET /api/v1/settings/terminals", api.listSettingsStandings, 0},
		{"GET /api/v1/settings/{id}/versions", api.listSettingsVersions, 0},
		{"POST /api/v1/settings/{id}/back", api.takeSettingsBack, 0},

		{"GET /api/v1/keys", api.listKeys, 0},
		{"POST /api/v1/keys", api.makeKey, creates},
		{"DELETE /api/v1/keys/{id}", api.revokeKey, 0},
		{"GET /api/v1/people", api.listPeople, 0},
		{"POST /api/v1/people", api.makePerson, creates},
		{"DELETE /api/v1/people/{id}", api.revokePerson, 0},
		{"POST /api/v1/people/{id}/password", api.setPassword, 0},
		{"POST /api/v1/factors", api.proposeFactor, unproven},
		{"PUT /api/v1/people/{id}/factor", api.setFactor, unproven},
		{"DELETE /api/v1/people/{id}/factor", api.dropFactor, 0},
		{"GET /api/v1/audit", api.listAudit, 0},
	}
}

// streams write for themselves.
func (api *API) streams() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		tunnel.Path:                    api.acceptTunnel,
		"GET /api/v1/events":           api.events,
		"GET /api/v1/transactions.csv": api.exportTransactions,
		"GET /api/v1/closings.csv":     api.exportClosings,
		"GET /api/v1/logs.csv":         api.exportLogs,
		"GET /metrics":                 api.metrics,
	}
}

// Patterns are all that the interface answers, but for what is passed on to terminals.
func (api *API) Patterns() []string {
	all := slices.Collect(maps.Keys(api.streams()))
	for _, rt := range api.routes() {
		all = append(all, rt.pattern)
	}
	return all
}

func (api *API) mount() {
	methods := map[string][]string{} // path → methods
	for _, rt := range api.routes() {
		method, path, _ := strings.Cut(rt.pattern, " ")
		methods[path] = append(methods[path], method)
		api.mux.Handle(rt.pattern, api.serve(rt))
	}
	for pattern, h := range api.streams() {
		if method, path, ok := strings.Cut(pattern, " "); ok {
			methods[path] = append(methods[path], method)
		}
		api.mux.Handle(pattern, h)
	}
	pages := apidoc.NewPages(api.Page)
	for _, path := range []string{"/docs", "/docs/", "/openapi.bundle.yaml"} {
		api.mux.Handle("GET "+path, pages)
		methods[path] = []string{"GET"}
	}
	for path, allowed := range methods {
		slices.Sort(allowed)
		api.mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			respondError(w, errMethod)
		})
	}
	api.mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) { respondError(w, errNoRoute) })
	api.mux.HandleFunc("/terminals", func(w http.ResponseWriter, _ *http.Request) { respondError(w, errNoRoute) })
	api.mux.HandleFunc("/", api.showPage)
}

// inTurn answers when it is the customer's turn.
func (api *API) inTurn(handle handler, r *request) (any, error) {
	leave, err := api.questions.enter(r.Context(), r.caller.Scope)
	if err != nil {
		return nil, err
	}
	defer leave()
	return handle(r)
}

// serve turns a route into what the mux calls.
func (api *API) serve(rt route) http.Handler {
	count := api.Meter.Route(rt.pattern)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		measured := measure(count)
		w.Header().Set("Cache-Control", "no-store")
		req := &request{Request: r, header: w.Header(), writer: w}
		err := error(nil)
		if rt.flags&public == 0 {
			if req.caller, err = api.authenticate(r); errors.Is(err, errNoFactor) && rt.flags&unproven != 0 {
				err = nil
			}
		} else {
			err = api.sameOrigin(r)
		}
		if err == nil && rt.flags&creates != 0 && !req.caller.May(fleet.Administers) {
			err = fleet.ErrForbidden
		}
		if err == nil {
			err = api.takeBody(req)
		}
		var result any
		if err == nil {
			result, err = api.inTurn(rt.handle, req)
		}
		if err != nil {
			measured(api.refuse(w, r, err))
			return
		}
		status := http.StatusOK
		switch {
		case rt.flags&creates != 0:
			status = http.StatusCreated
		case result == nil:
			measured(http.StatusNoContent)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		measured(status)
		if err := reply.JSON(w, status, result); err != nil {
			api.Log("resposta sem JSON", err)
		}
	})
}
