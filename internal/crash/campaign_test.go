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

// TestCampaignFindsALostStep has the ledger lose the step that says that a payment has left: the terminal, killed before it
// has the answer, takes a charge for one that never was.
func TestCampaignFindsALostStep(t *testing.T) {
	t.Parallel()
	figures := newFigures()
	s := newStation(Config{Binary: binary, Dir: t.TempDir(), Acquirers: [][]string{{emulatorAcquirer}}, Seed: 1, Loses: "sent"}, 0, figures)
	if err := s.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.round(t.Context(), plan{emulatorAcquirer, paying, approve, []string{"before approved"}}); err != nil {
		t.Fatal(err)
	}
	e, err := s.settle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := e.compare()
	if len(found) != 1 || found[0].Offence != Unfindable || figures.Points["before approved"] != 1 {
		t.Errorf("%v\n%v", found, figures)
	}
}
