package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/hub/cli"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

// TestMain has the test's own binary play the hub and the other parts: it is there already.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && parts[os.Args[1]] != nil:
		fatal(parts[os.Args[1]](os.Args[2:]))
	case len(os.Args) > 1 && os.Args[1] == "--listen":
		file := cli.NewConfiguration()
		parser := commandline.New(&struct {
			Serve cli.Serve `cmd:"" default:"withargs" file:"whole"`
		}{}, kong.Name(cli.Name), kong.Resolvers(file), kong.Bind(file, commandline.Version{Program: cli.Name}))
		os.Exit(file.Run(parser, os.Args[1:], func(string) {}))
	default:
		os.Exit(m.Run())
	}
}

// The whole table with a few terminals: everybody joins, is called, is listed, is read from, and comes back. How fast is not judged.
func TestAFewTerminals(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
	if _, err := rig.Measure(os.Getpid()); err != nil {
		t.Skip("a process cannot be looked at from outside here:", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{
		effort: effort{terminals: 50, relayed: 50, rounds: 1, round: 50 * time.Millisecond, asked: 50, payments: 2, rest: time.Millisecond, patience: 5 * time.Minute},
		ctx:    t.Context(), dir: t.TempDir(), hub: self, self: self, only: []string{"fleet", "memory", "calls", "absent", "list", "records", "back", "several", "wrong", "survivors"}, report: func(text string) { t.Log(text) },
	}
	rows, err := b.run()
	var table strings.Builder
	figures.Print(&table, rows)
	if t.Logf("\n%s", &table); err != nil || len(rows) < 10 || len(rows) > 11 { // without a PostgreSQL several hubs are one row
		t.Errorf("%d rows, %v", len(rows), err)
	}
}
