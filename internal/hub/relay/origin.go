package relay

import "net/http"

// The hub's page and every terminal's answers have one origin to a browser, and a terminal may be stolen: what it answers must not act
// there with a person's session. Programs get all of it as it is.

// originHeaders are about the whole origin, which is the hub's. Terminals send none of them.
var originHeaders = []string{
	"Set-Cookie", "Clear-Site-Data", "Strict-Transport-Security", "Alt-Svc", "Service-Worker-Allowed",
	"Nel", "Report-To", "Reporting-Endpoints", "Origin-Agent-Cluster",
}

// guardOrigin takes from a terminal's answer what would change the hub's origin in a browser. One that a browser would show or run, which
// it says in the request, gets an origin of its own.
func guardOrigin(r *http.Request, answer http.Header) {
	for _, name := range originHeaders {
		answer.Del(name)
	}
	if use := r.Header.Get("Sec-Fetch-Dest"); use != "" && use != "empty" {
		answer.Add("Content-Security-Policy", "sandbox")
	}
}
