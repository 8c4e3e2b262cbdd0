package options

import (
	"slices"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/settings"
)

// Every setting is declared once, as a flag of serve, and is in the file.
func TestEveryFlagIsInTheFile(t *testing.T) {
	var tables []string
	for _, s := range sections {
		tables = append(tables, s.Table)
	}
	seen := map[string]bool{}
	for _, s := range Settings() {
		if seen[s.Name()] || !slices.Contains(tables, s.Table) || s.Help == "" || s.Variable == "" {
			t.Errorf("--%s is not well in the file: %+v", s.Flag, s)
		}
		seen[s.Name()] = true
	}
	for _, flag := range commandline.New(&alone{}).Model.Flags {
		if !settings.IsSetting(flag) && flag.Name != "config" && flag.Name != "help" {
			t.Errorf("--%s has no key in the file: give it a toml tag", flag.Name)
		}
	}
}

func TestPaperOfNoPrinter(t *testing.T) {
	for _, dots := range []int{-1, 0, 199, 2001} {
		if err := (Service{PaperWidth: &dots, MaxJSON: 1, MaxImage: 1, MaxXML: 1, MaxCarousel: 1, LogEntries: 1, LogDays: 1, SaleDays: 1}).Check(); err == nil ||
			err.Error() != "--paper-width deve estar entre 200 e 2000" {
			t.Errorf("%d dots: %v", dots, err)
		}
	}
	for _, dots := range []int{200, 384, 576, 2000} {
		if err := CheckWidth("paper-width", dots); err != nil {
			t.Error(err)
		}
	}
}
