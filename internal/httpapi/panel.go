package httpapi

import (
	"net/http"
	"strings"
	"time"
)

// Panel is the part of the interface that the emulator's panel on the screen works with: /emulator/*, the log, and under /try/ the
// commands that a caller would send, so that a newcomer can try them there. It asks for no credentials and allows no other origin
// anything, because the screen's listener knows who may call it. In production there is none.
func (api *API) Panel() http.Handler {
	mux, tried := http.NewServeMux(), http.NewServeMux()
	var table, commands []route
	streams := map[string]http.Handler{}
	if api.Emulator != nil {
		for _, rt := range api.table() {
			command := rt.flags&notifies != 0
			rt.flags = rt.flags&^notifies | uncounted // whoever sees the panel sees the screen
			switch {
			case onPanel(rt.pattern):
				table = append(table, rt)
			case command && rt.pattern != "POST /restart": // the page would lose what it tries
				commands = append(commands, rt)
			}
		}
		for pattern, h := range api.streams() {
			if onPanel(pattern) {
				streams[pattern] = h
			}
		}
	}
	api.mount(mux, table, streams)
	api.mount(tried, commands, nil)
	mux.Handle("/try/", http.StripPrefix("/try", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w, end := api.record(w, r) // it is listed among what callers ask
		defer end()
		tried.ServeHTTP(w, r)
	})))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			body := api.bounded(w, r)
			defer body.finish()
			r.Body = body
		}
		defer api.recoverPanic(w, r, time.Now())
		api.dispatch(mux, w, r)
	})
}

func onPanel(pattern string) bool {
	_, path, _ := strings.Cut(pattern, " ")
	return strings.HasPrefix(path, "/emulator/") || path == "/logs" || path == "/logs/stream"
}
