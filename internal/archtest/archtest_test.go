// Package archtest holds the house to its import rules: imports go one way, from the outside in.
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/maquininha/maquininha/"

// The storeys of the house, by package path below the module.
var (
	leaves = []string{
		"internal/money", "internal/brazil", "internal/fiscal", "internal/acbr", "internal/barcode", "internal/receipt", "internal/escpos", "internal/credentials", "internal/configfile",
		"internal/metrics", "internal/moment", "internal/referee", "internal/totp", "internal/syserror", "internal/portuguese", "internal/operation", "internal/bell", "internal/fold", "internal/cardnumber", "internal/spreadsheet", "internal/wholefile", "internal/packed", "internal/version", "docs/guia",
	}
	domains = []string{
		"internal/sale", "internal/question", "internal/payment", "internal/printing", "internal/screen", "internal/logbook", "internal/device",
	}
	// A driver or the store may import the domains whose ports it fills, and leaves.
	fills = map[string][]string{
		"internal/store":                         {"internal/sale", "internal/payment", "internal/logbook"},
		"internal/acquirer/emulator":             {"internal/payment", "internal/acquirer/journal"},
		"internal/acquirer/remote":               {"internal/payment"}, // what drivers over HTTP share
		"internal/acquirer/pix":                  {"internal/payment", "internal/acquirer/remote"},
		"internal/acquirer/journal":              {},
		"internal/acquirer/pix/pixsim":           {"internal/acquirer/journal", "internal/acquirer/httpsim"}, // a PSP of its own: it knows nothing of the terminal
		"internal/acquirer/httpsim":              {"internal/acquirer/journal"},                              // what their simulators share
		"internal/acquirer/mercadopago":          {"internal/payment", "internal/acquirer/remote"},
		"internal/acquirer/mercadopago/pointsim": {"internal/acquirer/journal", "internal/acquirer/httpsim"},
		"internal/acquirer/cielo":                {"internal/payment", "internal/acquirer/remote", "internal/acquirer/cardnames"},
		"internal/acquirer/cielo/ordersim":       {"internal/acquirer/journal", "internal/acquirer/httpsim"},
		"internal/acquirer/connecttef":           {"internal/payment", "internal/acquirer/remote", "internal/acquirer/cardnames"},
		"internal/acquirer/connecttef/gpsim":     {"internal/acquirer/journal", "internal/acquirer/httpsim"},
		"internal/acquirer/tef":                  {"internal/payment", "internal/acquirer/tef/intpos", "internal/acquirer/cardnames"},
		"internal/acquirer/cardnames":            {},                                                                        // what acquirers write about cards
		"internal/acquirer/controlpay":           {"internal/payment", "internal/acquirer/remote", "internal/acquirer/tef"}, // its answer is the file exchange's
		"internal/acquirer/controlpay/paysim":    {"internal/acquirer/journal", "internal/acquirer/httpsim"},
		"internal/acquirer/tef/intpos":           {},
		"internal/acquirer/tef/tefsim":           {"internal/acquirer/tef/intpos", "internal/acquirer/journal"},
		"internal/printer":                       {"internal/printing"},
		"internal/autopilot":                     {},
		"internal/certificate":                   {},
		"internal/connection":                    {},
		"internal/datafolder":                    {},
		"internal/pagekit":                       {},                   // what the pages of terminal and hub have in common
		"internal/docpage":                       {"internal/pagekit"}, // pages of a description, and the guide
		"internal/checkup":                       {},
		"internal/closing":                       {"internal/payment"},
		"internal/desktop":                       {},
		"internal/daemon":                        {"internal/logbook"},
		"internal/discovery":                     {},
		"internal/hubfeed":                       {"internal/payment", "internal/logbook", "internal/tunnel"}, // speaks the tunnel's shapes
		"internal/tunnel":                        {},
	}
	// story has the words of the log. Both sides tell it what only they know.
	story        = "internal/story"
	storyImports = []string{"internal/sale", "internal/question", "internal/payment", "internal/printing", "internal/screen", "internal/logbook"}
	// Both sides of the terminal import domains, never a driver or the store.
	sides = []string{"internal/httpapi", "internal/httpapi/apidoc", "internal/httpapi/tefip", "internal/screenui", "internal/witness"}
	// commands are those of the program. None imports another.
	commands = []string{
		"internal/cli/check", "internal/cli/config", "internal/cli/discover", "internal/cli/doctor", "internal/cli/hub", "internal/cli/ledger", "internal/cli/logs",
		"internal/cli/maintenance", "internal/cli/printers", "internal/cli/printing", "internal/cli/serve", "internal/cli/service", "internal/cli/simulate", "internal/cli/tef", "internal/cli/testserver",
	}
	// shared is what commands stand on, each on those before it.
	shared = []string{
		"internal/cli/commandline", "internal/cli/console", "internal/cli/output", "internal/cli/settings", "internal/cli/probe", "internal/cli/report", "internal/cli/servicing", "internal/cli/options", "internal/cli/paper", "internal/cli/terminal",
		"internal/cli/ledgertext", "internal/cli/inspection",
	}
	// tops may import anything.
	tops = []string{"internal/app", "cmd/maquininha", "internal/bench", "internal/counter", "internal/crash", "internal/pgcluster", "internal/rig", "internal/rig/figures", "internal/soak", "internal/dist", "testserver"}
	// wholes are programs of developers that stand on both houses.
	wholes = []string{"internal/fleetbench", "internal/fleetcrash"}
	// testOnly packages are imported by no program.
	testOnly = []string{
		"internal/printing/printingtest", "internal/escpos/escpostest", "internal/browsertest", "internal/apptest", "internal/apptest/behindhub", "internal/testrun", "internal/thorough", "internal/typecheck", "internal/waittest", "internal/archtest",
		"internal/cli/clitest", "internal/store/powerloss", "internal/payment/paymenttest", "internal/systemdtest", "internal/winetest", "internal/nginxtest", "internal/cupstest", "internal/metrics/metricstest", "internal/barcode/barcodetest",
		"internal/tunnel/tunneltest", "internal/hub/hubtest", "internal/docpage/docpagetest", "internal/acquirer/remote/remotetest", "docs/guia/render", "docs/guia/pack", "internal/packed/folder",
	}
	// guests are the callers' side, published for others: they know the interface and nothing of the house.
	guests = map[string][]string{"client": {}, "clients": {}, "clients/golang": {}, "examples": {}, "examples/go": {"client"}, "examples/go/totem": {"client"}, "examples/go/troca": {"client"}}
	// leafImports are the leaves a leaf may stand on.
	leafImports = map[string][]string{
		"internal/fiscal": {"internal/receipt", "internal/brazil"}, "internal/acbr": {"internal/receipt", "internal/barcode"}, "internal/receipt": {"internal/barcode"},
		"internal/escpos": {"internal/receipt"}, "internal/referee": {"internal/money"}, "docs/guia": {"internal/packed"},
	}
)

type pkg struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) map[string]pkg {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string]pkg{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(p.ImportPath, module)] = p
	}
}

func TestImportsGoOneWay(t *testing.T) {
	for path, p := range packages(t) {
		for _, imported := range p.Imports {
			inner, ours := strings.CutPrefix(imported, module)
			if ours && !allowed(path, inner) {
				t.Errorf("%s must not import %s", path, inner)
			}
			if imported == "net/http" && (slices.Contains(domains, path) || slices.Contains(leaves, path)) {
				t.Errorf("%s must not know HTTP", path)
			}
			if imported == "database/sql" && path != "internal/store" && path != "internal/hub/store" {
				t.Errorf("%s must not know SQL: rows live in the store", path)
			}
			if imported == "encoding/json" && (slices.Contains(domains, path) || slices.Contains(leaves, path)) {
				t.Errorf("%s must not know JSON: shapes live at the edges", path)
			}
		}
	}
}

func allowed(from, to string) bool {
	leaf, domain := slices.Contains(leaves, to), slices.Contains(domains, to)
	switch {
	case ofHub(from):
		return allowedInHub(from, to)
	case slices.Contains(wholes, from):
		return true
	case ofHub(to):
		return slices.Contains(testOnly, from)
	case strings.HasPrefix(to, "internal/cli/") && !strings.HasPrefix(from, "internal/cli/") && from != "cmd/maquininha":
		return false
	case slices.Contains(tops, from), slices.Contains(testOnly, from):
		return true
	case slices.Contains(leaves, from):
		return slices.Contains(leafImports[from], to)
	case slices.Contains(domains, from):
		return leaf
	case slices.Contains(sides, from):
		return leaf || domain || to == story || strings.HasPrefix(to, from+"/") || to == "internal/pagekit" || to == "internal/docpage"
	case from == story:
		return leaf || slices.Contains(storyImports, to)
	case slices.Contains(commands, from):
		return slices.Contains(shared, to) || belowCommands(to)
	case slices.Contains(shared, from):
		return slices.Contains(shared[:slices.Index(shared, from)], to) || belowCommands(to)
	}
	if known, isGuest := guests[from]; isGuest {
		return slices.Contains(known, to)
	}
	filled, isDriver := fills[from]
	return isDriver && (leaf || slices.Contains(filled, to))
}

// belowCommands tells of app, what it stands on, and what is published for others.
func belowCommands(to string) bool {
	_, driver := fills[to]
	return driver || slices.Contains([]string{"internal/app", "client", "testserver"}, to) || slices.Contains(sides, to) || slices.Contains(domains, to) || slices.Contains(leaves, to)
}

func TestCommandsDoNotImportEachOther(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"internal/cli/doctor", "internal/cli/check", false},
		{"internal/cli/inspection", "internal/cli/check", false},
		{"internal/cli/options", "internal/cli/inspection", false},
		{"internal/app", "internal/cli/options", false},
		{"internal/cli/doctor", "internal/cli/inspection", true},
		{"internal/cli/serve", "internal/app", true},
		{"cmd/maquininha", "internal/cli/serve", true},
	} {
		if allowed(c.from, c.to) != c.want {
			t.Errorf("%s imports %s: allowed is %v", c.from, c.to, !c.want)
		}
	}
}

func TestEveryRoomHasItsStorey(t *testing.T) {
	for path := range packages(t) {
		_, driver := fills[path]
		_, guest := guests[path]
		known := driver || guest || path == story || knownInHub(path)
		for _, storey := range [][]string{leaves, domains, sides, commands, shared, tops, wholes, testOnly} {
			known = known || slices.Contains(storey, path)
		}
		if !known {
			t.Errorf("%s is in no storey: say here what it may import", path)
		}
	}
}
