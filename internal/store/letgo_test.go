package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A file that was found to be damaged is open no longer, wherever the damage is: it is to be put aside, which Windows does with no open file.
func TestADamagedFileIsLetGo(t *testing.T) {
	whole := t.TempDir()
	s, err := Open(whole)
	must(t, err)
	must(t, s.Close())
	content, err := os.ReadFile(filepath.Join(whole, MainFile))
	must(t, err)
	const page = 4096
	for at := page; at < len(content); at += page {
		path := filepath.Join(t.TempDir(), MainFile)
		damaged := slices.Clone(content)
		for i := range page {
			damaged[at+i] = 0xff
		}
		must(t, os.WriteFile(path, damaged, 0o600))
		s, err := Open(filepath.Dir(path))
		if err == nil {
			must(t, s.Close())
			continue
		}
		open, _ := filepath.Glob("/proc/self/fd/*") // where there is such a folder
		for _, link := range open {
			if to, err := os.Readlink(link); err == nil && to == path {
				t.Errorf("damaged at %d it is still open", at)
			}
		}
		must(t, os.Rename(path, path+".x"))
	}
}
