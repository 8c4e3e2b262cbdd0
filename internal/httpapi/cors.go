package httpapi

import "net/http"

// contractMethods is the interface's own list; PATCH is missing from it although three routes use it.
const contractMethods = "GET, POST, PUT, DELETE, OPTIONS"

// corsHeaders are set on every answer; they are made once so that a request pays nothing for them.
type corsHeaders struct{ origin, methods []string }

// AllowedMethods are those a page of another origin may use; empty asks for the interface's.
func AllowedMethods(configured string) string {
	if configured == "" {
		return contractMethods
	}
	return configured
}

func newCORS(methods string) corsHeaders {
	methods = AllowedMethods(methods)
	return corsHeaders{origin: []string{"*"}, methods: []string{methods}}
}

func (c corsHeaders) set(h http.Header) {
	h["Access-Control-Allow-Origin"] = c.origin
	h["Access-Control-Allow-Methods"] = c.methods
}

// expose lets pages of other origins read a header that carries something for them.
func expose(h http.Header, name, value string) {
	h.Set(name, value)
	h.Set("Access-Control-Expose-Headers", name)
}

// preflight lets a page ask what it wants to ask. The headers are echoed: a bare * does not cover Authorization.
func (c corsHeaders) preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
	} else {
		h.Set("Access-Control-Allow-Headers", "*")
	}
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	h.Set("Access-Control-Max-Age", "600")
	h.Add("Vary", "Access-Control-Request-Headers")
	w.WriteHeader(http.StatusNoContent)
}
