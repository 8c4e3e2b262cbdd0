// Command dist makes everything that is published, in one folder: both programs for each platform with a bill of materials each, packages
// for Debian, Fedora and Alpine, a folder for Windows, an image for tests, the clients, and the sums of them all. The same sources make the
// same bytes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"time"
)

func main() {
	r := release{}
	out := flag.String("out", "dist", "where everything goes; what is there is replaced")
	flag.StringVar(&r.Version, "version", "0.0.0", "the version")
	flag.StringVar(&r.Build, "build", "0", "the number of the build")
	flag.StringVar(&r.Repository, "repository", "", "the address of the sources; empty: nothing links there")
	flag.StringVar(&r.Flags, "ldflags", "", "what the linker is told")
	flag.BoolVar(&r.Short, "short", false, "for tests: make nothing for arm64, and hardly compress")
	only := flag.String("only", "", "the one system to make things for; empty: all")
	program := flag.String("installer", "", "for tests: a program for Windows; nothing but an installer of it is made, as -out")
	stamp := flag.Int64("time", sourceDate(), "the time of all files, in seconds since 1970")
	flag.Parse()
	r.Time = time.Unix(*stamp, 0).UTC()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	make := func() error { return r.make(ctx, *out, *only) }
	if *program != "" {
		make = func() error { return r.installerOf(ctx, *program, *out) }
	}
	if err := make(); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// sourceDate is the time that whoever builds packages agrees on; the beginning of this project without one.
func sourceDate() int64 {
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return seconds
	}
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
}
