package counter

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// Run is the command of a campaign: it runs in a folder, until it ends or somebody interrupts it, and its figures are printed. With no
// folder to keep, one is made and deleted.
func Run(keep string, seed uint64, campaign func(ctx context.Context, dir string) (figures fmt.Stringer, findings int, err error)) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir := keep
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "maquininha-campaign-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	figures, findings, err := campaign(ctx, dir)
	fmt.Fprint(os.Stderr, "\r")
	if figures != nil {
		fmt.Print(figures)
	}
	if err == nil && findings > 0 {
		err = fmt.Errorf("%d findings", findings)
	}
	if err != nil {
		err = fmt.Errorf("%w; seed %d", err, seed)
	}
	return err
}

// Progress tells whoever watches a campaign how much of it is over.
func Progress(of string) func(n int) {
	return func(n int) { fmt.Fprintf(os.Stderr, "\r%d %s", n, of) }
}
