package main

import (
	"runtime"
	"testing"
)

// TestCampaign is a short one; make fleet-crash is the long one.
func TestCampaign(t *testing.T) {
	if testing.Short() {
		t.Skip("starts another process")
	}
	if runtime.GOOS == "windows" {
		t.Skip("processes can't be paused here")
	}
	dir := t.TempDir()
	c := Config{
		Dir: dir, Faults: 12, Shops: 3, Seed: 1, Short: true, Certain: []string{rejoins},
		Scenes: [][]scene{{{0, copying}, {.5, restoring}}, {{.5, wiping}}, {{.5, away}, {.8, settingBack}}},
	}
	if err := c.build(t.Context(), dir); err != nil {
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
	if figures.faults() < 12 || figures.Faults[rejoins] < 3 || total(figures.Scenes) != 5 || figures.Standing == 0 || figures.Lines == 0 || figures.Gaps == 0 || figures.Epochs < 5 {
		t.Error("that was no campaign")
	}
}
