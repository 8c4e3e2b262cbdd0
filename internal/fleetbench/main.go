// Command fleetbench has ten thousand terminals join a hub, and prints one table of what that takes.
//
// The hub is the real binary in a process of its own. The terminals are another process: each keeps its link and shows its records with
// the terminal's own code (package tunnel); what is behind them, sales and payments, is made up. What the hub's relaying is held
// against is a bare reverse proxy, in a process of its own, over links of the same kind. Everything is on loopback addresses of one
// machine, so that hub, terminals, proxy and callers share its processors. A missed goal is marked, not an error.
//
// It needs twice as many open files as there are terminals and some more (ulimit -n), and some 100 KiB of memory for each.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

// effort is how much is measured.
type effort struct {
	terminals int           // that are joined and connected
	relayed   int           // of them are called, and as many hang on the bare proxy
	rounds    int           // of a duel
	round     time.Duration // for each side
	asked     int           // requests to absent terminals, and lists
	payments  int           // that each terminal records at once, where records are read
	rest      time.Duration // before memory is looked at
	patience  time.Duration // for anything that is waited for
}

func effortFor(terminals int) effort {
	return effort{
		terminals: terminals, relayed: min(terminals, 1000), rounds: 7, round: time.Second, asked: 2000, payments: 3, rest: 5 * time.Second,
		patience: 5 * time.Minute,
	}
}

// bench is one run.
type bench struct {
	effort
	ctx    context.Context // ends when somebody has seen enough
	dir    string          // everything written is in here
	hub    string          // binaries
	shop   string          // empty: no joined terminal of flesh and blood is measured
	self   string          // this program, which is terminals and proxy too
	only   []string        // topics; none: all of them
	report func(text string)
}

// The other parts that this program plays, as its first argument.
var parts = map[string]func(args []string) error{terminalsCommand: serveTerminals, bareCommand: serveBare}

func main() {
	if len(os.Args) > 1 && parts[os.Args[1]] != nil {
		fatal(parts[os.Args[1]](os.Args[2:]))
		return
	}
	terminals := flag.Int("terminals", 10_000, "how many terminals join")
	only := flag.String("only", "", "measure some topics only, with commas between: postgres, terminal, several (wrong, survivors), or fleet and what of it: memory, calls, absent, list, page, records, back")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := &bench{effort: effortFor(*terminals), ctx: ctx, report: func(text string) { fmt.Fprintln(os.Stderr, text) }}
	if *only != "" {
		b.only = strings.Split(*only, ",")
	}
	rows, err := b.build()
	if err == nil {
		rows, err = b.run()
	}
	figures.Print(os.Stdout, rows)
	fatal(errors.Join(err, os.RemoveAll(cmp.Or(b.dir, "fleetbench-none"))))
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "fleetbench:", err)
		os.Exit(1)
	}
}

// build makes the binaries as they are shipped.
func (b *bench) build() (none []figures.Row, err error) {
	if b.dir, err = rig.WorkDir(); err != nil {
		return nil, err
	}
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if b.shop, err = rig.Build(b.ctx, b.dir); err != nil {
		return nil, err
	}
	b.hub = filepath.Join(b.dir, "maquininha-hub.exe")
	cmd := exec.CommandContext(b.ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.hub, "github.com/maquininha/maquininha/cmd/maquininha-hub")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the hub: %w\n%s", err, out)
	}
	return nil, nil
}

// run measures everything; what was measured before something failed is shown still.
func (b *bench) run() (rows []figures.Row, err error) {
	if files, need := connection.MaxOpenFiles(), max(b.terminals*5/4+500, b.terminals*2); files < need { // the balancer has two for each
		return nil, fmt.Errorf("%d open files are too few for %d terminals: raise them with ulimit -n %d", files, b.terminals, need)
	}
	return b.each([]topic{{"fleet", b.measureFleet}, {"postgres", b.measurePostgres}, {"several", b.measureSeveral}, {"terminal", b.measureTerminal}})
}

// topic is a part of the table.
type topic struct {
	name    string
	measure func() ([]figures.Row, error)
}

// each measures topics in turn.
func (b *bench) each(topics []topic) (rows []figures.Row, err error) {
	for _, t := range topics {
		if len(b.only) > 0 && !slices.Contains(b.only, t.name) {
			continue
		}
		b.report("measuring " + t.name + " …")
		found, err := t.measure()
		rows = append(rows, found...)
		if err = cmp.Or(b.ctx.Err(), err); err != nil {
			return rows, fmt.Errorf("measuring %s: %w", t.name, err)
		}
	}
	return rows, nil
}

var errTooLong = errors.New("not within the time that is waited")

// until waits for a condition, and tells how long it took.
func (b *bench) until(what string, met func() (bool, error)) (time.Duration, error) {
	began := time.Now()
	for {
		ok, err := met()
		switch {
		case err != nil:
			return 0, fmt.Errorf("%s: %w", what, err)
		case ok:
			return time.Since(began), nil
		case time.Since(began) > b.patience:
			return 0, fmt.Errorf("%s: %w: %v", what, errTooLong, b.patience)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		}
	}
}
