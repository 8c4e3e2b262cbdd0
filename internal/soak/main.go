// Command soak wears the real service down and looks for what does not come back.
//
// A soak sends mixed traffic at a fixed rate for a long time and fails when memory, threads, open files, goroutines or
// answer times grow. A load, with -load, holds very many connections and log streams open while a long sale is rung up
// at full speed, and fails on errors and on memory. Both run the binary in a process of its own and look at it from
// outside.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
)

func main() {
	duration := flag.Duration("duration", time.Hour, "how long the traffic lasts")
	rate := flag.Int("rate", 100, "requests a second")
	load := flag.Bool("load", false, "the load campaign instead of the soak")
	stacks := flag.String("stacks", "", "`file` for the stacks of what the soaked service was running at its end")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *load, plan{duration: *duration, rate: *rate, stacks: *stacks}); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

var errFailed = errors.New("something did not hold: see the table")

func run(ctx context.Context, load bool, p plan) error {
	dir, err := rig.WorkDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, err := rig.Build(ctx, dir)
	if err != nil {
		return err
	}
	var r *report
	if load {
		r, err = runLoad(ctx, binary, dir, wholeLoad)
	} else {
		r, err = runSoak(ctx, binary, dir, p)
	}
	if r != nil {
		r.print(os.Stdout)
	}
	if err == nil && !r.held() {
		err = errFailed
	}
	return err
}
