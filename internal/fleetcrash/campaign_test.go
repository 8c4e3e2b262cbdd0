package main

import (
	"runtime"
	"testing"
)

// short is a campaign that takes seconds; make fleet-crash is the long one.
func short(t *testing.T, c Config) *Figures {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	if runtime.GOOS == "windows" {
		t.Skip("processes can't be paused here")
	}
	c.Dir, c.Seed, c.Short = t.TempDir(), 1, true
	if err := c.build(t.Context(), c.Dir); err != nil {
		t.Fatal(err)
	}
	figures, err := Campaign(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(figures)
	if len(figures.Findings) > 0 {
		t.Errorf("%d findings", len(figures.Findings))
	}
	if figures.faults() < c.Faults || figures.Standing == 0 || figures.Lines == 0 {
		t.Error("that was no campaign")
	}
	return figures
}

func TestCampaign(t *testing.T) {
	t.Parallel()
	figures := short(t, Config{
		Faults: 12, Shops: 3, Certain: []string{rejoins},
		Scenes: [][]scene{{{0, copying}, {.5, restoring}}, {{.5, wiping}}, {{.5, away}, {.8, settingBack}}},
	})
	if figures.Faults[rejoins] < 3 || total(figures.Scenes) != 5 || figures.Gaps == 0 || figures.Epochs < 5 {
		t.Error("not all of it was played")
	}
}
