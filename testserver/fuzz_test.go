package testserver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/maquininha/maquininha/internal/configfile"
)

// Whatever a file says, it is a scenario that can be played or one that is refused, by line.
func FuzzScenario(f *testing.F) {
	files, err := filepath.Glob("../examples/scenarios/*.toml")
	if err != nil || len(files) == 0 {
		f.Fatalf("%q %v", files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("ignore = 'x'\n[[answer]]\ncancel = true\nvalue = '1'\n[[busy]]\nrequest = 'x'\n[[payment]]\n[[payment]]\namount = 1\noutcome = \"\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file := configfile.Parse(text, keys)
		s := scenarioOf(file)
		if file.Problems == nil {
			if err := s.Check(); err != nil {
				t.Fatalf("accepted, and can't be played: %v", err)
			}
		}
		for _, p := range file.Problems {
			if p.Line < 1 {
				t.Fatalf("%+v has no line", p)
			}
		}
	})
}
