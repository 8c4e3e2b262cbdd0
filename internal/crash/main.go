// Command crash kills the terminal in the middle of payments and reversals, again and again, and then compares what
// the caller was told, the terminal's ledger and the other side's.
//
// Everything is a process of its own: the service, built with its named points of death, the simulators of a TEF manager
// and of a PSP. The caller remembers every answer; a person in front of the screen does what it asks.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/maquininha/maquininha/internal/counter"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
}

// setups are the acquirers of a campaign's stations.
var setups = map[string][][]string{
	"tef": {{counter.TEF}}, "pix": {{counter.PIX}}, "emulator": {{counter.Emulator}},
	"all": {{counter.TEF, counter.PIX}, {counter.TEF, counter.PIX}, {counter.Emulator}},
}

func run() error {
	kills := flag.Int("kills", 1000, "how often the service is killed, at least")
	acquirer := flag.String("acquirer", "all", "tef, pix, emulator or all")
	stations := flag.Int("stations", 6, "how many terminals are worked at once")
	seed := flag.Uint64("seed", 1, "of the chance that chooses")
	chaos := flag.Bool("chaos", true, "the other sides misbehave now and then")
	keep := flag.String("keep", "", "folder for the data and the logs of all, kept; none: they are deleted")
	flag.Parse()
	acquirers, known := setups[*acquirer]
	if !known || *stations < 1 {
		return fmt.Errorf("no campaign with %d stations and acquirer %q", *stations, *acquirer)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir := *keep
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "maquininha-crash-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	binary, err := buildProgram(ctx, dir)
	if err != nil {
		return err
	}
	figures, err := Campaign(ctx, Config{
		Binary: binary, Dir: dir, Kills: *kills, Stations: *stations, Acquirers: acquirers, Seed: *seed, Chaos: *chaos,
		Progress: func(n int) { fmt.Fprintf(os.Stderr, "\r%d kills", n) },
	})
	fmt.Fprint(os.Stderr, "\r")
	fmt.Print(figures)
	if err == nil && len(figures.Findings) > 0 {
		err = fmt.Errorf("%d findings; seed %d", len(figures.Findings), *seed)
	}
	return err
}

// buildProgram makes the service with its named points of death.
func buildProgram(ctx context.Context, dir string) (string, error) {
	return counter.Build(ctx, dir, "maquininha", "-tags", "faults")
}
