package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/counter"
)

var (
	scratch string
	built   = sync.OnceValues(func() (string, error) { return buildProgram(context.Background(), scratch) })
)

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "maquininha-crash-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// deadly is the program with its named points of death, built once.
func deadly(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// TestCampaign is a short one; make crash is the long one.
func TestCampaign(t *testing.T) {
	t.Parallel()
	figures, err := Campaign(t.Context(), Config{
		Binary: deadly(t), Dir: t.TempDir(), Kills: 40, Stations: 6, Acquirers: [][]string{{counter.TEF, counter.PIX}, {counter.Emulator}, {counter.MercadoPago}, {counter.ConnectTEF}, {counter.Cielo}, {counter.ControlPay}}, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(figures)
	if len(figures.Findings) > 0 {
		t.Errorf("%d findings", len(figures.Findings))
	}
	if figures.atPoints() == 0 || figures.RandomKills == 0 || figures.Approvals == 0 || figures.Lost == 0 || figures.Standing == 0 || figures.CalledOff+figures.NotCalledOff == 0 {
		t.Error("that was no campaign")
	}
}

// TestCampaignFindsALostStep has the ledger lose the step that says that a payment has left: the terminal, killed before it
// has the answer, takes a charge for one that never was.
func TestCampaignFindsALostStep(t *testing.T) {
	t.Parallel()
	figures := newFigures()
	s := newStation(Config{Binary: deadly(t), Dir: t.TempDir(), Acquirers: [][]string{{counter.Emulator}}, Seed: 1, Loses: "sent", Patience: counter.StartPatience}, 0, figures)
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.round(t.Context(), plan{counter.Emulator, counter.Paying, counter.Approve, []string{"before approved"}}); err != nil {
		t.Fatal(err)
	}
	e, err := s.settle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := e.Compare()
	if len(found) != 1 || found[0].Offence != counter.Unfindable || figures.Points["before approved"] != 1 {
		t.Errorf("%v\n%v", found, figures)
	}
}
