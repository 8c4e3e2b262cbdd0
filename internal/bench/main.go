// Command bench measures the service against the plainest things that do the same work, and prints one table.
//
// The service is the real binary in a process of its own; what it is held against runs in a process of its own
// too, on the same file system. Nothing is compared with a number of another run: the two sides of a ratio take
// turns (duel.go), so that whatever else the machine does falls on both. A missed goal is marked, not an error:
// a bench tells, it does not judge.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

// effort is how much is measured: more of it, less noise.
type effort struct {
	rounds int           // of a duel, one not counted before them
	round  time.Duration // for each side

	transactions int // stored in the large ledger; the small one has 100
	entries      int // of the log that is searched
	cart         int // items in the long sale
	blocks       int // of items added to it, in turns with short sales
	starts       int
	idle         time.Duration // before memory is looked at
	stream       time.Duration
	pixels       int // items shown
}

var (
	whole = effort{
		rounds: 9, round: time.Second, transactions: 100_000, entries: 1_000_000, cart: 10_000, blocks: 50,
		starts: 9, idle: 5 * time.Second, stream: 3 * time.Second, pixels: 200,
	}
	brief = effort{
		rounds: 3, round: 300 * time.Millisecond, transactions: 10_000, entries: 100_000, cart: 2_000, blocks: 20,
		starts: 3, idle: time.Second, stream: time.Second, pixels: 30,
	}
)

// bench is one run.
type bench struct {
	effort
	ctx    context.Context // ends when somebody has seen enough
	dir    string          // everything written is in here
	binary string
	bigLog string // a data folder, once its log is filled
	only   string // topic, or empty for all
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == bareCommand {
		fatal(serveBare(os.Args[2:]))
	}
	quick := flag.Bool("quick", false, "shorter rounds and smaller fills: for work on the bench itself, not for figures to quote")
	only := flag.String("only", "", "measure one topic only: requests, sales, transactions, search, stream, start, screen, pictures or printing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := &bench{effort: whole, ctx: ctx, only: *only}
	if *quick {
		b.effort = brief
	}
	fatal(b.run())
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures everything; what was measured before something failed is shown still.
func (b *bench) run() (err error) {
	if b.dir, err = rig.WorkDir(); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.binary, err = rig.Build(b.ctx, b.dir); err != nil {
		return err
	}
	var rows []figures.Row
	defer func() { figures.Print(os.Stdout, rows) }()
	for _, topic := range []struct {
		name    string
		measure func() ([]figures.Row, error)
	}{
		{"requests", b.measureRequests},
		{"sales", b.measureCart},
		{"transactions", b.measureLedger},
		{"search", b.measureSearch},
		{"stream", b.measureStream},
		{"start", b.measureFootprint},
		{"screen", b.measureScreen},
		{"pictures", b.measurePictures},
		{"printing", b.measurePrinting},
	} {
		if b.only != "" && b.only != topic.name {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring "+topic.name+" …")
		found, err := topic.measure()
		rows = append(rows, found...)
		if b.ctx.Err() != nil {
			return b.ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("measuring %s: %w", topic.name, err)
		}
	}
	return nil
}

// folder makes an empty data folder.
func (b *bench) folder(name string) (string, error) {
	dir := filepath.Join(b.dir, name)
	return dir, os.Mkdir(dir, 0o700)
}

// service starts the service on a data folder.
func (b *bench) service(data string) (*rig.Server, error) { return rig.Service(b.ctx, b.binary, data) }

// freshService starts the service on an empty data folder.
func (b *bench) freshService(name string) (*rig.Server, error) {
	data, err := b.folder(name)
	if err != nil {
		return nil, err
	}
	return b.service(data)
}
