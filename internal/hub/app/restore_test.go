package app_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/archive"
)

// nobody is a PostgreSQL that does not answer.
const nobody = "postgres://u@127.0.0.1:1/x"

// backedUp is a hub that ran once, and its backup.
func backedUp(t *testing.T) (data string, backup []byte) {
	t.Helper()
	config := app.Config{Listen: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data")}
	start(t, config).stop()
	var made bytes.Buffer
	if _, err := app.Backup(t.Context(), config, &made); err != nil {
		t.Fatal(err)
	}
	return config.Data, made.Bytes()
}

// unrestorable is a backup that is whole, and whose last records no hub has.
func unrestorable(t *testing.T, backup []byte) []byte {
	t.Helper()
	var forged bytes.Buffer
	out, err := archive.NewWriter(&forged, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(archive.Read(bytes.NewReader(backup), out.Add), out.Add("records/nothing/1", []byte(`["x"]`)), out.Close()); err != nil {
		t.Fatal(err)
	}
	return forged.Bytes()
}

// names are what is in a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// failsToRestore wants the folder, new or with what is given in it, to be as it was.
func failsToRestore(t *testing.T, c app.Config, backup []byte, want string) {
	t.Helper()
	refused := func() {
		t.Helper()
		if _, err := app.Restore(t.Context(), c, bytes.NewReader(backup)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	above := t.TempDir()
	c.Data = filepath.Join(above, "new", "data")
	refused()
	if left := names(t, above); len(left) > 0 {
		t.Errorf("a folder is left: %q", left)
	}
	c.Data = t.TempDir()
	refused()
	if left := names(t, c.Data); len(left) > 0 {
		t.Errorf("left in an empty folder: %q", left)
	}
	const file = "maquininha-hub.toml"
	if err := os.WriteFile(filepath.Join(c.Data, file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused()
	if left := names(t, c.Data); !slices.Equal(left, []string{file}) {
		t.Errorf("left beside the configuration: %q", left)
	}
}

// Whoever reads that nothing was written finds nothing: the next try, elsewhere or with another database, begins as this one did.
func TestRestoreThatFailsLeavesNothing(t *testing.T) {
	data, backup := backedUp(t)
	t.Run("no PostgreSQL", func(t *testing.T) {
		failsToRestore(t, app.Config{Database: nobody}, backup, "a cópia não pôde ser restaurada, e nada ficou gravado: nenhum PostgreSQL responde")
	})
	for name, kind := range kinds {
		t.Run("records of no table, "+name, func(t *testing.T) {
			failsToRestore(t, app.Config{Database: kind(t)()}, unrestorable(t, backup), "a cópia não pôde ser restaurada, e nada ficou gravado: ")
		})
	}
	t.Run("the hub's own folder", func(t *testing.T) {
		if err := os.Remove(filepath.Join(data, "hub.db")); err != nil {
			t.Fatal(err)
		}
		before := names(t, data)
		for _, c := range []app.Config{{Data: data, Database: nobody}, {Data: data}} {
			if _, err := app.Restore(t.Context(), c, bytes.NewReader(unrestorable(t, backup))); err == nil {
				t.Error("it was restored")
			}
			if left := names(t, data); !slices.Equal(left, before) {
				t.Errorf("%q, want %q", left, before)
			}
		}
	})
}
