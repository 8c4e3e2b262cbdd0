package httpapi

import (
	"net/http"
	"net/url"
	"strings"
)

// A page of another site can have the browser send what it likes, with the password that the browser remembers; it only can't read the
// answer. A form is enough to move money. Pages that use the interface ask leave first, by CORS: the browser itself says so
// where it trusts the connection (Sec-Fetch-Mode), and elsewhere a type that no form can send shows it.

// foreign tells a change that a page of another origin may have had sent without asking leave. Callers that are no browsers say
// nothing of where they come from.
func (rt route) foreign(r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return false
	}
	origin, site := r.Header["Origin"], r.Header["Sec-Fetch-Site"]
	if origin == nil && site == nil {
		return false
	}
	switch mode := r.Header.Get("Sec-Fetch-Mode"); {
	case mode == "navigate" || mode == "no-cors":
		return len(site) != 1 || site[0] == "cross-site" || site[0] == "same-site"
	case mode != "":
		return false
	}
	return anotherHost(origin, r.Host) && rt.unasked(r)
}

// anotherHost tells whether an Origin header names another host than the one that was called.
func anotherHost(origin []string, host string) bool {
	if len(origin) == 0 {
		return false
	}
	u, err := url.Parse(origin[0])
	return len(origin) > 1 || err != nil || !strings.EqualFold(u.Host, host)
}

// unasked tells whether a browser sends such a request for any page without asking first: one of a form's types, or none, which a
// beacon of mere bytes has. Without a body that is what CORS sends too, and only money is not moved on so little.
func (rt route) unasked(r *http.Request) bool {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "text/plain", "application/x-www-form-urlencoded", "multipart/form-data":
		return true
	case "":
		return r.ContentLength != 0 || rt.flags&movesMoney != 0
	}
	return false
}
