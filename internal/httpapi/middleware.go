package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/metrics"
	"github.com/maquininha/maquininha/internal/operation"
)

// ServeHTTP answers in the order of the interface: 401, then 404 or 405, then what a foreign page sent, then busy, then the request
// itself.
func (api *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w, end := api.record(w, r)
	defer end()
	api.cors.set(w.Header())
	if r.Body != http.NoBody {
		body := api.bounded(w, r)
		defer body.finish()
		r.Body = body
	}
	if r.Method == http.MethodOptions {
		api.cors.preflight(w, r)
		return
	}
	started := time.Now()
	defer api.recoverPanic(w, r, started)
	if !api.public(r) && !api.authorized(r) {
		api.refuseUnauthorized(w, r, started)
		return
	}
	api.dispatch(api.mux, w, r)
}

// dispatch gives the request to its route.
func (api *API) dispatch(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	if !clean(r.URL.EscapedPath()) {
		// The mux would redirect to what it thinks was meant; a caller cannot parse that.
		api.notFound(w, r)
		return
	}
	mux.ServeHTTP(w, markLoneSlash(r))
}

func clean(path string) bool {
	return strings.HasPrefix(path, "/") && !strings.Contains(path, "//") && !strings.Contains(path, "/./") && !strings.Contains(path, "/../") &&
		!strings.HasSuffix(path, "/.") && !strings.HasSuffix(path, "/..")
}

// recoverPanic answers a panic like any other error and keeps the stack for support.
func (api *API) recoverPanic(w http.ResponseWriter, r *http.Request, started time.Time) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(p) // an answer already begun can only be cut off
	}
	api.Logs.Add(logbook.Fatal, logbook.App, fmt.Sprintf("pânico ao atender %.16s %s: %v", r.Method, shortPath(r), p), string(debug.Stack()))
	api.fail(w, r, started, logbook.HTTP, errInternal)
}

// serve turns a route into what the mux calls.
func (api *API) serve(rt route) http.Handler {
	count := &metrics.Route{}
	if rt.flags&uncounted == 0 {
		count = api.Metrics.Route(rt.pattern)
	}
	watched := !strings.Contains(rt.pattern, " /emulator/") // those are no caller's
	named := !strings.HasPrefix(rt.pattern, "GET ")         // a read leaves nothing in the log but itself
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		outcome := metrics.Failed // if it panics
		defer func() { count.Done(outcome, time.Since(started)) }()
		if named {
			r = r.WithContext(operation.Name(r.Context()))
		}
		if rt.foreign(r) {
			outcome = outcomeOf(api.fail(w, r, started, logbook.HTTP, errForeignPage), errForeignPage)
			return
		}
		if rt.flags&notifies != 0 {
			api.Screen.Notify(rt.pattern)
		}
		if rt.flags&busy != 0 && api.Device.Gate.Busy() {
			outcome = metrics.Busy
			api.Story.Busy(r.Context(), rt.pattern)
			api.fail(w, r, started, logbook.HTTP, operation.ErrBusy)
			return
		}
		result, err := rt.handle(r)
		if watched {
			api.tellStrays(r, rt.pattern)
		}
		if err == nil {
			err = api.respond(w, result)
		}
		if err != nil {
			outcome = metrics.Gone // if it does not return
			outcome = outcomeOf(api.fail(w, r, started, logbook.HTTP, err), err)
			return
		}
		outcome = metrics.OK
		if rt.flags&poll == 0 {
			api.logRequest(r, started, logbook.HTTP, successOf(result), "")
		}
	})
}

func (api *API) notFound(w http.ResponseWriter, r *http.Request) {
	api.counters.unrouted.Inc()
	api.fail(w, r, time.Now(), logbook.Router, errNoRoute)
}

func (api *API) methodNotAllowed(allowed []string) http.Handler {
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	allowed = append(allowed, http.MethodOptions)
	slices.Sort(allowed)
	allow := strings.Join(allowed, ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", allow)
		api.counters.unrouted.Inc()
		api.fail(w, r, time.Now(), logbook.Router, errMethod)
	})
}

// fail answers with the error's row of the table and logs it. It panics with
// http.ErrAbortHandler where the caller has gone.
func (api *API) fail(w http.ResponseWriter, r *http.Request, started time.Time, source logbook.Source, err error) (status int) {
	if r.Context().Err() != nil && errors.Is(err, r.Context().Err()) {
		api.logRequest(r, started, source, statusGone, "")
		// Nobody is there to read an answer; returning without one would send an empty 200.
		panic(http.ErrAbortHandler)
	}
	f := failureOf(err)
	if f.reason != "" {
		expose(w.Header(), "X-Motivo", headerText(f.reason))
	}
	respond(w, f.status, errorBody{f.code, f.message}) //nolint:errcheck // two fields always encode
	api.logRequest(r, started, source, f.status, f.details(err))
	return f.status
}

// statusGone is logged, never sent: the caller hung up first.
const statusGone = 499

func (api *API) logRequest(r *http.Request, started time.Time, source logbook.Source, status int, details string) {
	level := logbook.Info
	switch {
	case status >= 500 && status != http.StatusServiceUnavailable:
		level = logbook.Error
	case status >= 400:
		level = logbook.Warning
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		level = logbook.Trace
	}
	var room [128]byte
	line := append(room[:0], r.Method[:min(len(r.Method), 16)]...) // a caller may call it as it likes
	line = append(line, ' ')
	line = append(line, shortPath(r)...)
	line = append(line, ' ')
	line = strconv.AppendInt(line, int64(status), 10)
	line = append(line, ' ')
	line = strconv.AppendFloat(line, float64(time.Since(started).Microseconds())/1000, 'f', 1, 64)
	line = append(line, "ms"...)
	if op := operation.NameOf(r.Context()); op != "" && details != "" {
		details += "\nop=" + op
	} else if op != "" {
		details = "op=" + op
	}
	api.Logs.Add(level, source, string(line), details)
}

// shortPath is the path as it was sent, without the query, cut to what a log line can bear. Card numbers are looked
// for in what it means, where no percent sign hides them, and before it is cut: half a number is not known as one.
func shortPath(r *http.Request) string {
	const most = 256
	path := r.URL.EscapedPath()
	if masked := logbook.Redact(r.URL.Path); masked != r.URL.Path {
		path = masked
	}
	if len(path) > most {
		path = path[:most] + "…"
	}
	return path
}
