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
		"internal/money", "internal/brazil", "internal/fiscal", "internal/receipt", "internal/escpos", "internal/credentials", "internal/configfile",
		"internal/metrics", "internal/referee", "internal/syserror", "internal/operation", "internal/bell", "docs/guia",
	}
	domains = []string{
		"internal/sale", "internal/question", "internal/payment", "internal/printing", "internal/screen", "internal/logbook", "internal/device",
	}
	// A driver or the store may import the domains whose ports it fills, and leaves.
	fills = map[string][]string{
		"internal/store":               {"internal/sale", "internal/payment", "internal/logbook"},
		"internal/acquirer/emulator":   {"internal/payment"},
		"internal/acquirer/pix":        {"internal/payment"},
		"internal/acquirer/journal":    {},
		"internal/acquirer/pix/pixsim": {"internal/acquirer/journal"}, // a PSP of its own: it knows nothing of the terminal
		"internal/acquirer/tef":        {"internal/payment", "internal/acquirer/tef/intpos"},
		"internal/acquirer/tef/intpos": {},
		"internal/acquirer/tef/tefsim": {"internal/acquirer/tef/intpos", "internal/acquirer/journal"},
		"internal/printer":             {"internal/printing"},
		"internal/autopilot":           {},
		"internal/certificate":         {},
		"internal/connection":          {},
		"internal/checkup":             {"internal/logbook"},
		"internal/closing":             {"internal/payment"},
		"internal/desktop":             {},
		"internal/daemon":              {"internal/logbook"},
		"internal/discovery":           {},
	}
	// Both sides of the terminal import domains, never a driver or the store.
	sides = []string{"internal/httpapi", "internal/httpapi/apidoc", "internal/screenui", "internal/witness"}
	// tops may import anything.
	tops = []string{"internal/app", "cmd/maquininha", "internal/bench", "internal/crash", "internal/rig", "internal/soak", "internal/dist", "testserver"}
	// testOnly packages are imported by no program.
	testOnly = []string{
		"internal/printing/printingtest", "internal/escpos/escpostest", "internal/browsertest", "internal/apptest", "internal/testrun", "internal/thorough", "internal/waittest", "internal/archtest",
		"internal/store/powerloss", "internal/payment/paymenttest", "internal/systemdtest", "internal/metrics/metricstest",
	}
	// guests are the callers' side, published for others: they know the interface and nothing of the house.
	guests = map[string][]string{"client": {}, "clients": {}, "examples": {}, "examples/go": {"client"}}
	// leafImports are the leaves a leaf may stand on.
	leafImports = map[string][]string{
		"internal/fiscal": {"internal/receipt", "internal/brazil"}, "internal/escpos": {"internal/receipt"}, "internal/referee": {"internal/money"},
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
			if imported == "database/sql" && path != "internal/store" {
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
	case slices.Contains(tops, from), slices.Contains(testOnly, from):
		return true
	case slices.Contains(leaves, from):
		return slices.Contains(leafImports[from], to)
	case slices.Contains(domains, from):
		return leaf
	case slices.Contains(sides, from):
		return leaf || domain || strings.HasPrefix(to, from+"/")
	}
	if known, isGuest := guests[from]; isGuest {
		return slices.Contains(known, to)
	}
	filled, isDriver := fills[from]
	return isDriver && (leaf || slices.Contains(filled, to))
}

func TestEveryRoomHasItsStorey(t *testing.T) {
	for path := range packages(t) {
		_, driver := fills[path]
		_, guest := guests[path]
		known := driver || guest
		for _, storey := range [][]string{leaves, domains, sides, tops, testOnly} {
			known = known || slices.Contains(storey, path)
		}
		if !known {
			t.Errorf("%s is in no storey: say here what it may import", path)
		}
	}
}
