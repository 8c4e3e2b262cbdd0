package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/app"
)

// A mistyped folder gets no hub's files from the commands that need a hub: not where the records are in PostgreSQL, either.
func TestPasswordAndKeyMakeNoHub(t *testing.T) {
	for name, there := range map[string][]string{
		"no folder": nil, "an empty one": {}, "the configuration": {"maquininha-hub.toml"}, "a key without records": {app.KeyFile}, "records without a key": {"hub.db"},
	} {
		for _, database := range []string{"", "postgres://u@127.0.0.1:1/x"} {
			if database != "" && slices.Contains(there, app.KeyFile) {
				continue // all that a hub with PostgreSQL needs
			}
			dir := filepath.Join(t.TempDir(), "data")
			if there != nil {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, file := range there {
				if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, command := range [][]string{{"password"}, {"key", "PDV"}} {
				err := run(append(command, "--data", dir, "--database", database)...)
				if err == nil || !strings.Contains(err.Error(), "este hub ainda não foi iniciado") {
					t.Errorf("%s, %q, %v: %v", name, database, command, err)
				}
				var left []string
				entries, err := os.ReadDir(dir)
				for _, e := range entries {
					left = append(left, e.Name())
				}
				if !slices.Equal(left, there) || (err == nil) != (there != nil) {
					t.Errorf("%s, %q, %v: left %q, %v", name, database, command, left, err)
				}
			}
		}
	}
}
