package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestPutTakesThePlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"first, and longer", "second"} {
		if err := Put(path, func(f *os.File) error {
			if was, err := os.ReadFile(path); text == "second" && (err != nil || string(was) != "first, and longer") {
				t.Errorf("while the second is written there is %q, %v", was, err)
			}
			_, err := f.WriteString(text)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		holds(t, path, text)
	}
	alone(t, path)
}

func TestPutThatFailsLeavesTheOldOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := Create(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := Put(path, func(f *os.File) error {
		_, err := f.WriteString("half")
		return errors.Join(err, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("Put = %v", err)
	}
	holds(t, path, "old")
	alone(t, path)
}

func TestPutOverAFolderLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Put(path, func(*os.File) error { return nil }); err == nil {
		t.Error("a file took the place of a folder")
	}
	alone(t, path)
}

func TestCreateRefusesWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := Create(path, []byte("mine")); err != nil {
		t.Fatal(err)
	}
	if err := Create(path, []byte("yours")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create again = %v", err)
	}
	holds(t, path, "mine")
}

// holds checks a file's content, and that it is its owner's alone.
func holds(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s has %q, %v; want %q", path, got, err, want)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v", path, info.Mode(), err)
	}
}

// alone checks that nothing else is left in the folder.
func alone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
