package archtest

import (
	"slices"
	"strings"
	"testing"
)

// The hub is a house of its own beside the terminal's, with storeys of its own; of the terminal's it knows leaves and a few
// drivers only, and nothing of it is in the terminal.
var (
	// hubDomains may stand on the one that says whose is what, and who tells of records on these.
	hubDomains = map[string][]string{"internal/hub/fleet": {}, "internal/hub/records": {"internal/hub/fleet"}, "internal/hub/operations": {"internal/hub/fleet"}, "internal/hub/leases": {}, "internal/hub/retention": {}, "internal/hub/webhooks": {"internal/hub/fleet", "internal/hub/records"}, "internal/hub/settings": {"internal/hub/fleet"}}
	// hubSides stand on domains and what the hub borrows, never on its store, and on one another only so.
	hubSides = map[string][]string{
		"internal/hub/reply": {}, "internal/hub/params": {"internal/hub/reply"}, "internal/hub/links": {}, "internal/hub/pull": {"internal/hub/links"}, "internal/hub/relay": {"internal/hub/links", "internal/hub/params", "internal/hub/reply"}, "internal/hub/peers": {"internal/hub/links"},
		"internal/hub/httpapi": {"internal/hub/links", "internal/hub/params", "internal/hub/relay", "internal/hub/reply", "internal/hub/httpapi/apidoc"}, "internal/hub/httpapi/apidoc": {},
		"internal/hub/screenui": {}, "internal/hub/archive": {}, "internal/hub/deliver": {}, "internal/hub/configure": {"internal/hub/links"},
	}
	hubStore = "internal/hub/store"
	hubTops  = []string{"internal/hub/app", "internal/hub/cli", "cmd/maquininha-hub"}
	// hubBorrows are drivers of the terminal that know nothing of it.
	hubBorrows = []string{"internal/tunnel", "internal/certificate", "internal/connection", "internal/datafolder", "internal/pagekit", "internal/docpage", "internal/checkup", "internal/daemon"}
	// hubCommandLine is what both command lines stand on.
	hubCommandLine = []string{"internal/cli/commandline", "internal/cli/console", "internal/cli/output", "internal/cli/settings", "internal/cli/probe", "internal/cli/report", "internal/cli/servicing"}
	hubTests       = []string{"internal/hub/hubtest"}
)

func ofHub(path string) bool {
	return strings.HasPrefix(path, "internal/hub/") || path == "cmd/maquininha-hub"
}

func knownInHub(path string) bool {
	_, domain := hubDomains[path]
	_, side := hubSides[path]
	return domain || side || path == hubStore || slices.Contains(hubTops, path) || slices.Contains(hubTests, path)
}

func allowedInHub(from, to string) bool {
	leaf, borrowed := slices.Contains(leaves, to), slices.Contains(hubBorrows, to)
	_, domain := hubDomains[to]
	if known, is := hubDomains[from]; is {
		return leaf || slices.Contains(known, to)
	}
	if known, is := hubSides[from]; is {
		return leaf || domain || borrowed || slices.Contains(known, to)
	}
	switch {
	case from == hubStore:
		return leaf || domain
	case slices.Contains(hubTests, from):
		return true
	case from == "internal/hub/app":
		return leaf || borrowed || ofHub(to)
	}
	return leaf || borrowed || ofHub(to) || slices.Contains(hubCommandLine, to)
}

func TestTheHubAndTheTerminalStayApart(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"internal/app", "internal/hub/fleet", false},
		{"cmd/maquininha", "internal/hub/records", false},
		{"internal/hub/app", "internal/app", false},
		{"internal/hub/httpapi", "internal/hub/store", false},
		{"internal/hub/relay", "internal/payment", false},
		{"internal/hub/app", "internal/hub/store", true},
		{"internal/hub/cli", "internal/cli/commandline", true},
		{"internal/hub/links", "internal/tunnel", true},
		{"internal/app", "internal/tunnel", true},
	} {
		if allowed(c.from, c.to) != c.want {
			t.Errorf("%s imports %s: allowed is %v", c.from, c.to, !c.want)
		}
	}
}
