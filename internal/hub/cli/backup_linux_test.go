package cli

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
)

// The commands take a hub from PostgreSQL to SQLite and back; what is not empty is refused.
func TestBackupAndRestoreOfPostgres(t *testing.T) {
	cluster := hubtest.StartPostgres(t)
	dir, first, second := t.TempDir(), cluster.Database(t), cluster.Database(t)
	folder := func(name string) string { return filepath.Join(dir, name) }
	does := func(args ...string) {
		t.Helper()
		if err := run(args...); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	refused := func(want string, args ...string) {
		t.Helper()
		if err := run(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
	hub, err := app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Data: folder("a"), Database: first})
	if err != nil {
		t.Fatal(err)
	}
	does("backup", "--data", folder("a"), "--database", first, folder("a.tar.gz")) // beside a hub that runs
	refused("o banco de dados de --database não está vazio", "restore", "--data", folder("x"), "--database", first, folder("a.tar.gz"))
	none, err := url.Parse(second)
	if err != nil {
		t.Fatal(err)
	}
	none.Path += "_none"
	refused("a cópia não pôde ser restaurada, e nada ficou gravado: ", "restore", "--data", folder("x"), "--database", none.String(), folder("a.tar.gz"))
	if _, err := os.Stat(folder("x")); err == nil {
		t.Error("a database that was refused left a folder behind")
	}
	refused("em uso por outra instância", "restore", "--data", folder("a"), "--database", second, folder("a.tar.gz"))
	if err := hub.Close(); err != nil {
		t.Fatal(err)
	}
	does("restore", "--data", folder("b"), folder("a.tar.gz"))
	does("backup", "--data", folder("b"), folder("b.tar.gz"))
	refused("não está vazia (tem hub.db, ", "restore", "--data", folder("b"), folder("a.tar.gz"))
	does("restore", "--data", folder("c"), "--database", second, folder("b.tar.gz"))
	if hub, err = app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Data: folder("c"), Database: second}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(hub.Welcome(), "Senha") {
		t.Error("it began anew")
	}
	if err := hub.Close(); err != nil {
		t.Error(err)
	}
}
