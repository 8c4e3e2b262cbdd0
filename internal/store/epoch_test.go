package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/maquininha/maquininha/internal/payment"
)

// epochsAt opens the data in a folder once and tells their epochs.
func epochsAt(t *testing.T, dir string) []Epoch {
	t.Helper()
	s, err := Open(dir)
	must(t, err, s.KeepEpoch())
	all, err := s.Epochs()
	must(t, err, s.Close())
	return all
}

// copyOver copies a folder's files, over those of the same names that are there.
func copyOver(t *testing.T, to, from string) {
	t.Helper()
	must(t, os.MkdirAll(to, 0o700))
	must(t, fs.WalkDir(os.DirFS(from), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(from, path))
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), data, 0o600)
	}))
}

// paysAt opens the data, puts an attempt into the ledger and closes them.
func paysAt(t *testing.T, dir, reference string) {
	t.Helper()
	s, err := Open(dir)
	must(t, err, s.KeepEpoch())
	pays(t, s, payment.StateConfirmed, reference)
	must(t, s.Close())
}

// A folder that was worked with goes through something; what it holds afterwards is the same history, or another one.
func TestTheEpochEndsWhereAnOlderStateIsPutBack(t *testing.T) {
	t.Parallel()
	if probe := filepath.Join(t.TempDir(), "probe"); os.WriteFile(probe, nil, 0o600) != nil || fileID(probe) == "" {
		t.Skip("this file system does not tell a file from its copy")
	}
	backup := func(t *testing.T, dir string) string {
		copied := filepath.Join(t.TempDir(), "backup")
		copyOver(t, copied, dir)
		return copied
	}
	for name, c := range map[string]struct {
		do   func(t *testing.T, dir string) (now string)
		kept bool // the epoch
		same bool // else: what is in it is that of the one before
	}{
		"stopped and started": {func(_ *testing.T, dir string) string { return dir }, true, false},
		"moved": {func(t *testing.T, dir string) string {
			now := filepath.Join(filepath.Dir(dir), "elsewhere")
			must(t, os.Rename(dir, now))
			return now
		}, true, false},
		"moved away and back": {func(t *testing.T, dir string) string {
			now := filepath.Join(filepath.Dir(dir), "elsewhere")
			must(t, os.Rename(dir, now), os.Rename(now, dir))
			return dir
		}, true, false},
		"its owner and modes set again": {func(t *testing.T, dir string) string {
			must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				return os.Chmod(path, 0o700)
			}))
			return dir
		}, true, false},
		"a backup in its place": {func(t *testing.T, dir string) string {
			kept := backup(t, dir)
			paysAt(t, dir, "later")
			must(t, os.RemoveAll(dir))
			copyOver(t, dir, kept)
			return dir
		}, false, true},
		"a backup moved to its place": {func(t *testing.T, dir string) string {
			kept := backup(t, dir)
			paysAt(t, dir, "later")
			must(t, os.RemoveAll(dir), os.Rename(kept, dir))
			return dir
		}, false, true},
		"a backup over its files": {func(t *testing.T, dir string) string {
			kept := backup(t, dir)
			paysAt(t, dir, "later")
			copyOver(t, dir, kept)
			return dir
		}, false, true},
		"a backup without the mark": {func(t *testing.T, dir string) string {
			kept := backup(t, dir)
			paysAt(t, dir, "later")
			must(t, os.RemoveAll(dir), os.Remove(filepath.Join(kept, MainFile+markSuffix)))
			copyOver(t, dir, kept)
			return dir
		}, false, true},
		"wiped": {func(t *testing.T, dir string) string {
			must(t, os.RemoveAll(dir), os.Mkdir(dir, 0o700))
			return dir
		}, false, false},
		"an accepted loss": {func(t *testing.T, dir string) string {
			path := filepath.Join(dir, MainFile)
			older, err := os.ReadFile(path)
			must(t, err)
			paysAt(t, dir, "later")
			must(t, os.WriteFile(path, older, 0o600))
			_, err = AcceptLoss(dir)
			must(t, err)
			return dir
		}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			must(t, os.Mkdir(dir, 0o700))
			// Windows gives the number of a file to no other; Wine's are Linux's, which the next file may get unless somebody keeps it.
			keepNumber := func() { must(t, os.Link(filepath.Join(dir, MainFile+markSuffix), filepath.Join(t.TempDir(), "mark"))) }
			paysAt(t, dir, "a")
			keepNumber()
			paysAt(t, dir, "b")
			keepNumber()
			before := epochsAt(t, dir)
			keepNumber()
			if len(before) != 1 || before[0].ID == "" {
				t.Fatalf("before: %+v", before)
			}
			now := c.do(t, dir)
			after := epochsAt(t, now)
			if kept := after[0].ID == before[0].ID; kept != c.kept {
				t.Fatalf("kept is %t: %+v, before %+v", kept, after, before)
			}
			if c.same && (!after[0].Same || after[0].Ledger != 2 || after[len(after)-1] != before[0]) {
				t.Errorf("%+v", after)
			}
			if again := epochsAt(t, now); again[0] != after[0] {
				t.Errorf("at the next start it is another: %+v", again)
			}
		})
	}
}

func TestAnEpochBegunByAReadersWordHasNothingInCommon(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, dir)
	if !s.NewEpoch() {
		t.Error("the first one is new")
	}
	must(t, s.KeepEpoch())
	pays(t, s, payment.StateConfirmed, "a", "b")
	first, err := s.Epochs()
	must(t, err, s.BeginEpoch(70))
	all, err := s.Epochs()
	must(t, err)
	if len(all) != 2 || all[1] != first[0] || all[0].Ledger != 2 || all[0].Log != 70 || all[0].Same || all[0].ID == all[1].ID {
		t.Errorf("%+v", all)
	}
	must(t, s.Close())
	s = openAt(t, dir)
	if again, err := s.Epochs(); err != nil || len(again) != 2 || again[0] != all[0] || s.NewEpoch() {
		t.Errorf("at the next start: %+v, %v", again, err)
	}
}
