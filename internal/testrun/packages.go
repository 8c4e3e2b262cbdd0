package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const module = "github.com/maquininha/maquininha/"

// way is how a package's tests are run.
type way int

const (
	raced  way = iota // with the race detector
	plain             // without it: nothing of ours runs side by side in the test's own process
	parted            // with it, but for the files that say !race: those without it
	both              // all in both ways: with it less often
)

// ways are the packages that are not simply raced.
var ways = map[string]way{
	"internal/acquirer/cielo":       parted,
	"internal/acquirer/connecttef":  parted,
	"internal/acquirer/controlpay":  parted,
	"internal/acquirer/emulator":    parted,
	"internal/acquirer/mercadopago": parted,
	"internal/acquirer/pix":         parted,
	"internal/acquirer/tef":         parted,
	"internal/app":                  parted,
	"internal/httpapi":              parted,
	"internal/hub/httpapi":          parted,
	"internal/hub/store":            parted,
	"internal/payment":              parted,
	"internal/printer":              parted,
	"internal/sale":                 parted,
	"internal/screenui":             parted,
	"internal/store":                both,

	"clients":                      plain,
	"clients/golang":               plain,
	"cmd/maquininha":               plain,
	"docs/guia":                    plain,
	"docs/guia/render":             plain,
	"examples":                     plain,
	"internal/acbr":                plain,
	"internal/acquirer/cardnames":  plain,
	"internal/acquirer/journal":    plain,
	"internal/acquirer/tef/intpos": plain,
	"internal/archtest":            plain,
	"internal/barcode":             plain,
	"internal/brazil":              plain,
	"internal/browsertest":         plain,
	"internal/cardnumber":          plain,
	"internal/cli/check":           plain,
	"internal/cli/commandline":     plain,
	"internal/cli/config":          plain,
	"internal/cli/discover":        plain,
	"internal/cli/doctor":          plain,
	"internal/cli/hub":             plain,
	"internal/cli/inspection":      plain,
	"internal/cli/ledger":          plain,
	"internal/cli/ledgertext":      plain,
	"internal/cli/logs":            plain,
	"internal/cli/options":         plain,
	"internal/cli/printers":        plain,
	"internal/cli/printing":        plain,
	"internal/cli/serve":           plain,
	"internal/cli/service":         plain,
	"internal/cli/simulate":        plain,
	"internal/cli/tef":             plain,
	"internal/cli/testserver":      plain,
	"internal/closing":             plain,
	"internal/configfile":          plain,
	"internal/counter":             plain,
	"internal/crash":               plain,
	"internal/dist":                plain,
	"internal/docpage":             plain,
	"internal/escpos":              plain,
	"internal/fiscal":              plain,
	"internal/fleetbench":          plain,
	"internal/fleetcrash":          plain,
	"internal/fold":                plain,
	"internal/httpapi/apidoc":      plain,
	"internal/httpapi/tefip":       plain,
	"internal/hub/archive":         plain,
	"internal/hub/cli":             plain,
	"internal/hub/httpapi/apidoc":  plain,
	"internal/hub/screenui":        plain,
	"internal/metrics/metricstest": plain,
	"internal/money":               plain,
	"internal/portuguese":          plain,
	"internal/receipt":             plain,
	"internal/referee":             plain,
	"internal/rig":                 plain,
	"internal/soak":                plain,
	"internal/spreadsheet":         plain,
	"internal/store/powerloss":     plain,
	"internal/syserror":            plain,
	"internal/totp":                plain,
	"internal/typecheck":           plain,
	"internal/version":             plain,
	"internal/wholefile":           plain,
	"internal/winetest":            plain,
}

// hubToo are run once more with a hub before the terminals: the interface is the same through it.
var hubToo = []string{"internal/httpapi"}

// longest are begun first, so that none of them is waited for alone at the end.
var longest = []string{
	"internal/screenui", "internal/hub/app -race", "internal/httpapi -race", "internal/app", "internal/app -race", "internal/httpapi", "docs/guia", "internal/hub/screenui",
	"internal/httpapi hub", "internal/dist", "internal/printer -race", "internal/fleetcrash", "internal/hub/pull -race", "internal/crash", "clients", "internal/hub/httpapi -race",
	"internal/soak", "internal/hub/cli", "internal/acquirer/tef", "internal/printer", "internal/cli/discover", "internal/store", "internal/hub/store", "internal/hub/store -race",
	"internal/hub/peers -race", "internal/cli/service", "internal/screenui -race", "internal/fleetbench",
}

// suite is the tests of a package, or some of them, as they are run.
type suite struct {
	name   string // for people: the package and how it is run
	folder string
	race   bool
	hub    bool   // with a hub before the terminals
	only   string // a pattern of the tests' names; empty: all of them
	binary string // once it is built
}

// plan is how packages are tested, with what takes long first.
func plan(packages []string, everything bool) ([]suite, error) {
	var all []suite
	for _, p := range packages {
		folder, way := "./"+p, ways[p]
		if way != plain || everything {
			all = append(all, suite{name: p + " -race", folder: folder, race: true})
		}
		switch {
		case way == plain || way == both || everything:
			all = append(all, suite{name: p, folder: folder})
		case way == parted:
			only, err := notRaced(folder)
			if err != nil {
				return nil, err
			}
			if only == "" {
				return nil, fmt.Errorf("%s has no tests that are left out of the race detector's run", p)
			}
			all = append(all, suite{name: p, folder: folder, only: only})
		}
		if slices.Contains(hubToo, p) {
			all = append(all, suite{name: p + " hub", folder: folder, hub: true})
		}
	}
	slices.SortStableFunc(all, func(a, b suite) int { return cmp.Compare(rank(a.name), rank(b.name)) })
	return all, nil
}

func rank(name string) int {
	if i := slices.Index(longest, name); i >= 0 {
		return i
	}
	return len(longest)
}

// leftOut is found in a file that the race detector's run leaves out, before its package clause.
var leftOut = regexp.MustCompile(`(?m)^//go:build .*!race`)

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)

// notRaced is a pattern of a package's tests in files that the race detector's run leaves out; empty if there are none.
func notRaced(folder string) (string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return "", err
	}
	var names []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		if head, rest, _ := strings.Cut(string(text), "\npackage "); leftOut.MatchString(head) {
			for _, found := range testFunc.FindAllStringSubmatch(rest, -1) {
				names = append(names, found[1])
			}
		}
	}
	if len(names) == 0 {
		return "", nil
	}
	return "^(" + strings.Join(names, "|") + ")$", nil
}

// list finds the packages that have tests, by their folders.
func list(ctx context.Context, patterns []string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the packages: %w", err)
	}
	return strings.Fields(string(bytes.ReplaceAll(out, []byte(module), nil))), nil
}

// notWatched are packages of others, whose memory the race detector need not watch: SQLite in Go is several times slower with it. None of
// them may have generic code of package sync, which it would not watch either: of all copies of that in a program one is used by everybody,
// and what they guard with it would seem unguarded (sync.Map, by way of a driver of PostgreSQL, had two answers race for a cache of Go's own).
var notWatched = []string{"modernc.org/sqlite/lib", "modernc.org/libc", "modernc.org/memory", "golang.org/x/crypto/blowfish", "golang.org/x/image/..."}
