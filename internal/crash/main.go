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
	"tef": {{counter.TEF}}, "pix": {{counter.PIX}}, "emulator": {{counter.Emulator}}, "mercadopago": {{counter.MercadoPago}}, "connecttef": {{counter.ConnectTEF}},
	"cielo": {{counter.Cielo}}, "controlpay": {{counter.ControlPay}},
	"all": {{counter.TEF, counter.PIX}, {counter.TEF, counter.PIX}, {counter.Emulator}, {counter.MercadoPago}, {counter.ConnectTEF}, {counter.Cielo}, {counter.ControlPay}},
}

func run() error {
	kills := flag.Int("kills", 1000, "how often the service is killed, at least")
	acquirer := flag.String("acquirer", "all", "tef, pix, emulator, mercadopago, connecttef, cielo, controlpay or all")
	profile := flag.String("profile", "", "of the bank or, with -acquirer tef, of the manager; none: the usual one")
	stations := flag.Int("stations", 6, "how many terminals are worked at once")
	seed := flag.Uint64("seed", 1, "of the chance that chooses")
	chaos := flag.Bool("chaos", true, "the other sides misbehave now and then")
	keep := flag.String("keep", "", "folder for the data and the logs of all, kept; none: they are deleted")
	program := flag.String("program", "", "the service, built with -tags faults, such as one that Wine runs; none: it is built for this system")
	flag.Parse()
	acquirers, known := setups[*acquirer]
	if !known || *stations < 1 {
		return fmt.Errorf("no campaign with %d stations and acquirer %q", *stations, *acquirer)
	}
	return counter.Run(*keep, *seed, func(ctx context.Context, dir string) (fmt.Stringer, int, error) {
		binary, err := *program, error(nil)
		if binary == "" {
			binary, err = buildProgram(ctx, dir)
		}
		if err != nil {
			return nil, 0, err
		}
		c := Config{
			Binary: binary, Dir: dir, Kills: *kills, Stations: *stations, Acquirers: acquirers, Seed: *seed, Chaos: *chaos, Progress: counter.Progress("kills"),
		}
		if *acquirer == "tef" {
			c.Manager = *profile
		} else {
			c.Bank = *profile
		}
		figures, err := Campaign(ctx, c)
		return figures, len(figures.Findings), err
	})
}

// buildProgram makes the service with its named points of death.
func buildProgram(ctx context.Context, dir string) (string, error) {
	return counter.Build(ctx, dir, "maquininha", "-tags", "faults")
}
