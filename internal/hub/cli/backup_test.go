package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/app"
)

// run runs a command.
func run(args ...string) error {
	_, ctx, _, err := parsed(args...)
	if err == nil {
		err = ctx.Run()
	}
	return err
}

// A hub's folder goes into a file that only this user reads, and from there into an empty folder, where the configuration may be already.
func TestBackupAndRestore(t *testing.T) {
	dir := t.TempDir()
	data, file, again := filepath.Join(dir, "data"), filepath.Join(dir, "hub.tar.gz"), filepath.Join(dir, "again")
	refused := func(want string, args ...string) {
		t.Helper()
		if err := run(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
	refused("não há o que copiar em "+data, "backup", "--data", data, file)
	hub, err := app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	if err := run("backup", "--data", data, file); err != nil { // beside a hub that has the folder
		t.Fatal(err)
	}
	if err := hub.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Error(info, err)
	}
	refused("já existe; --force grava por cima dele", "backup", "--data", data, file)
	if err := run("backup", "--data", data, "--force", file); err != nil {
		t.Error(err)
	}
	refused("pasta "+filepath.Join(dir, "nenhuma")+" não existe", "backup", "--data", data, filepath.Join(dir, "nenhuma", "x"))
	refused("não pode ser lido: não existe", "restore", "--data", again, filepath.Join(dir, "outra"))
	refused("não está vazia (tem hub.db, ", "restore", "--data", data, file)
	if err := run("init", "--data", again); err != nil {
		t.Fatal(err)
	}
	if err := run("restore", "--data", again, file); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{app.KeyFile, "tls-cert.pem", "tls-key.pem"} {
		was, err := os.ReadFile(filepath.Join(data, name))
		is, failed := os.ReadFile(filepath.Join(again, name))
		if err != nil || failed != nil || string(was) != string(is) {
			t.Errorf("%s is another: %v, %v", name, err, failed)
		}
	}
	if hub, err = app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Data: again}); err != nil {
		t.Fatal(err)
	}
	if err := hub.Close(); err != nil {
		t.Error(err)
	}
}
