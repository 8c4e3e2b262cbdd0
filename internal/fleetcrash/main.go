// Command fleetcrash has shops sell through a hub, or several, while everything goes wrong, again and again, and then compares what callers were
// told with the books of the terminals, of the other sides, and of the hub.
//
// Everything is a process of its own: the hub, its PostgreSQL if it has one, the terminals, the simulators of a TEF manager and of a
// PSP. The links go through the campaign, which cuts them. Callers reach the terminals through the hub only.
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
		fmt.Fprintln(os.Stderr, "fleetcrash:", err)
		os.Exit(1)
	}
}

func run() error {
	faults := flag.Int("faults", 1000, "how often something goes wrong, at least")
	shops := flag.Int("shops", 4, "how many terminals hang on the hub")
	postgres := flag.Bool("postgres", false, "the hub's records are in a PostgreSQL, which is harmed too")
	hubs := flag.Int("hubs", 1, "how many hubs there are; several need -postgres")
	seed := flag.Uint64("seed", 1, "of the chance that chooses")
	chaos := flag.Bool("chaos", true, "the other sides misbehave now and then")
	keep := flag.String("keep", "", "folder for the data and the logs of all, kept; none: they are deleted")
	flag.Parse()
	if *shops < 1 || *faults < 1 || *hubs < 1 || *hubs > 1 && !*postgres {
		return fmt.Errorf("no campaign with %d shops, %d faults and %d hubs", *shops, *faults, *hubs)
	}
	return counter.Run(*keep, *seed, func(ctx context.Context, dir string) (fmt.Stringer, int, error) {
		c := Config{
			Dir: dir, Faults: *faults, Shops: *shops, Scenes: allScenes, Postgres: *postgres, Hubs: *hubs, Seed: *seed, Chaos: *chaos, Progress: counter.Progress("faults"),
		}
		if err := c.build(ctx, dir); err != nil {
			return nil, 0, err
		}
		figures, err := Campaign(ctx, c)
		return figures, len(figures.Findings), err
	})
}

// build makes both programs; the terminal's with what only campaigns have.
func (c *Config) build(ctx context.Context, dir string) (err error) {
	if c.Terminal, err = counter.Build(ctx, dir, "maquininha", "-tags", "faults"); err != nil {
		return err
	}
	c.Hub, err = counter.Build(ctx, dir, "maquininha-hub")
	return err
}
