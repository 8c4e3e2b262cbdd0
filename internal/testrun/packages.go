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
	"internal/testrun":             plain,
	"internal/totp":                plain,
	"internal/typecheck":           plain,
	"internal/version":             plain,
	"internal/wholefile":           plain,
	"internal/winetest":            plain,
}

// hubToo are run once more with a hub before the terminals: the interface is the same through it.
var hubToo = []string{"./internal/httpapi"}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)

// notRaced is a pattern of the tests in files that the race detector's run leaves out.
func notRaced(packages []string) (string, error) {
	names := []string{"nothing"} // an empty pattern would be every test
	for _, p := range packages {
		files, err := filepath.Glob(filepath.Join(p, "*_test.go"))
		if err != nil {
			return "", err
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				return "", err
			}
			if constraint, rest, _ := strings.Cut(string(text), "\n"); strings.HasPrefix(constraint, "//go:build ") && strings.Contains(constraint, "!race") {
				for _, found := range testFunc.FindAllStringSubmatch(rest, -1) {
					names = append(names, found[1])
				}
			}
		}
	}
	return "^(" + strings.Join(names, "|") + ")$", nil
}

// longest are begun first, so that none of them is waited for alone at the end.
var longest = []string{
	"./internal/screenui", "./internal/httpapi", "./internal/app", "./internal/hub/app", "./internal/dist", "./docs/guia", "./internal/printer", "./internal/store", "./internal/hub/store",
	"./internal/acquirer/tef", "./clients", "./internal/hub/httpapi", "./internal/soak", "./internal/cli/service", "./internal/cli/discover", "./internal/fleetcrash",
	"./internal/hub/screenui", "./internal/acquirer/pix", "./internal/tunnel", "./internal/crash", "./internal/hub/relay",
}

// list finds the packages that have tests.
func list(ctx context.Context, patterns []string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the packages: %w", err)
	}
	found := strings.Fields(string(bytes.ReplaceAll(out, []byte(module), []byte("./"))))
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return found, nil
}

func rank(p string) int {
	if i := slices.Index(longest, p); i >= 0 {
		return i
	}
	return len(longest)
}

// split is which packages are run with the race detector, which without it, and of which only the files that say !race.
func split(packages []string, everything bool) (withRace, without, rest []string) {
	for _, p := range packages {
		w := ways[strings.TrimPrefix(p, "./")]
		if w != plain || everything {
			withRace = append(withRace, p)
		}
		switch {
		case w == plain || w == both || everything:
			without = append(without, p)
		case w == parted:
			rest = append(rest, p)
		}
	}
	return withRace, without, rest
}

// notWatched are packages of others, whose memory the race detector need not watch: SQLite in Go is several times slower with it. None of
// them may have generic code of package sync, which it would not watch either: of all copies of that in a program one is used by everybody,
// and what they guard with it would seem unguarded (sync.Map, by way of a driver of PostgreSQL, had two answers race for a cache of Go's own).
var notWatched = []string{"modernc.org/sqlite/lib", "modernc.org/libc", "modernc.org/memory", "golang.org/x/crypto/blowfish", "golang.org/x/image/..."}

// goCommand is the go command for tests with or without the race detector, which needs C. What comes after its verb are args.
func goCommand(ctx context.Context, race bool, verb string, args ...string) *exec.Cmd {
	cgo := "CGO_ENABLED=0"
	if race {
		cgo = "CGO_ENABLED=1"
		for _, p := range notWatched {
			args = append([]string{"-gcflags=" + p + "=-race=false -d=checkptr=0"}, args...)
		}
		args = append([]string{"-race"}, args...)
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{verb}, args...)...)
	cmd.Env = append(os.Environ(), cgo, "GORACE=atexit_sleep_ms=10") // of a whole second for each package that ends
	return cmd
}
