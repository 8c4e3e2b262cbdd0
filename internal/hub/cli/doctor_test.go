package cli

import (
	"archive/zip"
	"context"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/app"
)

// examined runs doctor, and returns the files of its archive.
func examined(t *testing.T, args ...string) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "suporte.zip")
	_, ctx, _, err := parsed(append([]string{"doctor", "--output", path}, args...)...)
	if err == nil {
		err = ctx.Run()
	}
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// Doctor tells support what it needs, with the hub running and stopped, and no secret of it.
func TestDoctor(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	hub, err := app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Data: data, Version: "9.9"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- hub.Run(ctx) }()
	welcome := strings.Fields(hub.Welcome())
	said := func(word string) string {
		for i, w := range welcome {
			if w == word {
				return welcome[i+1]
			}
		}
		t.Fatalf("no %s in %v", word, welcome)
		return ""
	}
	key, password := said("API"), said("Senha")
	_, secret, _ := strings.Cut(key, ":")
	t.Setenv("MAQUININHA_HUB_KEY", key)
	file := filepath.Join(t.TempDir(), "maquininha-hub.toml")
	if err := os.WriteFile(file, []byte("# a senha é segredo-88\nbanco = \"segredo-88\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address := hub.Address().(*net.TCPAddr).String()
	before := names(t, data)
	running := examined(t, "--data", data, "--listen", address, "--config", file)
	for name, want := range map[string]string{
		"LEIA-ME.txt":         "! Hub           no ar há ", // the versions differ
		"hub.txt":             "sim: há um hub no ar com esta pasta",
		"conferencia.txt":     "✗ Configuração  maquininha-hub.toml:2: banco: chave desconhecida",
		"configuracao.txt":    "opção --listen",
		"maquininha-hub.toml": `banco = "••••"`,
		"terminais.txt":       "online       0",
		"metricas.txt":        "maquininha_hub_retention_seconds{kind=\"logs\"} 0\n", // this hub was told nothing
		"dados.txt":           "hub.key",
		"rede.txt":            address,
		"sistema.txt":         "Relógio",
	} {
		if !strings.Contains(running[name], want) {
			t.Errorf("%s: no %q in\n%s", name, want, running[name])
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	t.Setenv("MAQUININHA_HUB_DATABASE", "postgres://ana:segredo-88@127.0.0.1:1/x?sslpassword=segredo-99")
	stopped := examined(t, "--data", data)
	if !strings.Contains(stopped["LEIA-ME.txt"], "! Hub           parado") || !strings.Contains(stopped["LEIA-ME.txt"], "✗ Banco") || !strings.Contains(stopped["configuracao.txt"], "ambiente (MAQUININHA_HUB_DATABASE)") {
		t.Errorf("%v", stopped)
	}
	private, err := os.ReadFile(filepath.Join(data, app.KeyFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range []map[string]string{running, stopped} {
		for name, text := range files {
			for _, hidden := range []string{secret, password, "segredo-88", "segredo-99", strings.Split(string(private), "\n")[1]} {
				if strings.Contains(text, hidden) {
					t.Errorf("%s shows %q:\n%s", name, hidden, text)
				}
			}
		}
	}
	if after := names(t, data); before != after {
		t.Errorf("doctor changed the folder: %s, was %s", after, before)
	}
	_, ctx2, _, err := parsed("doctor", "--data", data, "--output", filepath.Join(data, "x.zip"))
	if err == nil {
		err = ctx2.Run()
	}
	if err == nil || !strings.Contains(err.Error(), "não pode ficar na pasta de dados") {
		t.Error(err)
	}
}

// names are the files of a folder, but for those that a database has while it is open.
func names(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if !strings.HasSuffix(path, "-wal") && !strings.HasSuffix(path, "-shm") {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}
