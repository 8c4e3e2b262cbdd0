package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/relay"
)

// events streams terminals as they change, each as the list has it. since is the serial of a list; without it, all that the hub
// has heard of since it started come first.
func (api *API) events(w http.ResponseWriter, r *http.Request) {
	caller, err := api.authenticate(r)
	q := queryOf(r)
	after := uint64(q.Whole("since", 0, 0, 1<<53)) //nolint:gosec // it is not negative
	if after != 0 {
		after = api.serials.read(caller.Place, after)
	}
	if err == nil {
		err = q.Fault
	}
	leave := func() {}
	if err == nil {
		leave, err = api.streaming.enter(r.Context(), caller.Scope)
	}
	if err != nil {
		api.refuse(w, r, err)
		return
	}
	defer leave()
	if after > api.Board.Serial() {
		after = 0 // of a list from before the hub started anew, or of another hub
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	w.WriteHeader(http.StatusOK)
	if out.Flush() != nil || r.Method == http.MethodHead {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(api.stopping, cancel)()
	said := time.Now()
	for {
		events, next, err := api.nextEvents(ctx, caller, after, said.Add(cmp.Or(api.KeepAlive, 15*time.Second)))
		if err != nil {
			return
		}
		after = next
		if events != nil {
			said = time.Now()
		}
		// Who was revoked meanwhile sees no more.
		if caller, err = api.authenticate(r); err != nil {
			return
		}
		out.SetWriteDeadline(time.Now().Add(eventPatience)) //nolint:errcheck // the connection may be gone
		if _, err := w.Write(events); err != nil || out.Flush() != nil {
			return
		}
		select { // many changes are one piece
		case <-time.After(cmp.Or(api.Pause, 300*time.Millisecond)):
		case <-ctx.Done():
			return
		}
	}
}

// eventPatience is how long a page may take nothing.
const eventPatience = time.Minute

// finder finds terminals: a few each by itself, many in the list of all.
func (api *API) finder(ctx context.Context, caller relay.Caller, n int) (func(id string) (fleet.Terminal, error), error) {
	const few = 50
	if n <= few {
		return func(id string) (fleet.Terminal, error) { return api.Fleet.Terminal(ctx, caller.Scope, id) }, nil
	}
	known := map[string]fleet.Terminal{}
	for _, revoked := range []bool{false, true} {
		some, _, err := api.Fleet.Terminals(ctx, caller.Scope, fleet.TerminalFilter{Revoked: revoked})
		if err != nil {
			return nil, err
		}
		for _, t := range some {
			known[t.ID] = t
		}
	}
	return func(id string) (fleet.Terminal, error) {
		if t, ok := known[id]; ok {
			return t, nil
		}
		return fleet.Terminal{}, fleet.ErrNotFound
	}, nil
}

// nextEvents waits for changes; where there are none until then, something is said to keep the connection open. Changes of others do not count:
// a proxy would cut a customer off that is quiet beside busy ones, and its silence would tell of them.
func (api *API) nextEvents(ctx context.Context, caller relay.Caller, after uint64, until time.Time) ([]byte, uint64, error) {
	quiet := []byte(": \n\n")
	waiting, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	changed, next, err := api.Board.Next(waiting, after)
	switch {
	case ctx.Err() != nil:
		return nil, after, ctx.Err()
	case err != nil:
		return quiet, after, nil
	}
	find, err := api.finder(ctx, caller, len(changed))
	if err != nil {
		return nil, after, err
	}
	var events []byte
	var newest uint64 // of those that are told
	for _, p := range changed {
		t, err := find(p.Terminal)
		if errors.Is(err, fleet.ErrNotFound) {
			continue // somebody else's
		}
		if err != nil {
			return nil, after, err
		}
		body, err := json.Marshal(terminalOf(t, p))
		if err != nil {
			return nil, after, err
		}
		newest = max(newest, p.Serial)
		events = append(append(append(events, "event: terminal\ndata: "...), body...), "\n\n"...)
	}
	switch {
	case events == nil && time.Now().Before(until):
		return nil, next, nil // nor is anybody told that something has happened at others
	case events == nil:
		return quiet, next, nil
	}
	return append(events, "event: serial\ndata: "+strconv.FormatUint(api.serials.show(caller.Place, newest), 10)+"\n\n"...), next, nil
}
