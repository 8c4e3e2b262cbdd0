package httpapi

import (
	"net/http"
	"strings"
	"time"
)

// Panel is the part of the interface that the emulator's panel on the screen works with: /emulator/*, and the log. It
// asks for no credentials and allows no other origin anything, because the screen's listener knows who may call it.
// In production there is none.
func (api *API) Panel() http.Handler {
	mux := http.NewServeMux()
	var table []route
	streams := map[string]http.Handler{}
	if api.Emulator != nil {
		for _, rt := range api.table() {
			if onPanel(rt.pattern) {
				rt.flags = rt.flags&^notifies | uncounted // whoever sees the panel sees the screen
				table = append(table, rt)
			}
		}
		for pattern, h := range api.streams() {
			if onPanel(pattern) {
				streams[pattern] = h
			}
		}
	}
	api.mount(mux, table, streams)
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
