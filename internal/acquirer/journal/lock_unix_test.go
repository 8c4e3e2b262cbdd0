//go:build unix

package journal

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A process that is being started has this one's files for a moment; who has let go of a lock has let go of it all the same.
func TestUnlockedWhateverElseHasTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	child, err := syscall.Dup(int(f.Fd())) // what a fork does
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(child)
	if err := Unlock(f); err != nil {
		t.Fatal(err)
	}
	if f, err = Lock(path); err != nil {
		t.Fatalf("locked by nobody: %v", err)
	}
	if err := Unlock(f); err != nil {
		t.Fatal(err)
	}
}
