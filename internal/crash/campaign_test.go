package main

import (
	"context"
	"fmt"
	"os"
	"testing"
)

var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "maquininha-crash-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		if binary, err = buildProgram(context.Background(), dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// TestCampaign is a short one; make crash is the long one.
func TestCampaign(t *testing.T) {
	t.Parallel()
	figures, err := Campaign(t.Context(), Config{
		Binary: binary, Dir: t.TempDir(), Kills: 40, Stations: 4, Acquirers: [][]string{{tefAcquirer, pixAcquirer}, {emulatorAcquirer}}, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(figures)
	if len(figures.Findings) > 0 {
		t.Errorf("%d findings", len(figures.Findings))
	}
	if figures.atPoints() == 0 || figures.RandomKills == 0 || figures.Approvals == 0 || figures.Lost == 0 || figures.Standing == 0 {
		t.Error("that was no campaign")
	}
}

// TestCampaignFindsALostStep has the ledger lose a step, which no terminal survives: one killed after it takes a charge
// for one that never left.
func TestCampaignFindsALostStep(t *testing.T) {
	t.Parallel()
	figures, err := Campaign(t.Context(), Config{
		Binary: binary, Dir: t.TempDir(), Kills: 25, Stations: 2, Acquirers: [][]string{{emulatorAcquirer}}, Seed: 1, Loses: "sent",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []Offence{Unfindable, Broken} {
		if figures.offences(what) == 0 {
			t.Errorf("it did not find %q:\n%v", what, figures)
		}
	}
}
