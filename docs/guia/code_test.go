package guia_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
)

// languages are those that code may be in; a text is what a person reads somewhere.
var languages = []string{"sh", "json", "toml", "go", "js", "powershell", "text"}

func TestEveryBlockIsTestedOrSaysWhyNot(t *testing.T) {
	for _, c := range documents {
		for _, b := range read(t, c.Portuguese).blocks {
			reason, skipped := strings.CutPrefix(b.remark, "not run:")
			switch {
			case !slices.Contains(languages, b.lang):
				t.Errorf("%s:%d: code in %q", c.Portuguese, b.line, b.lang)
			case skipped && len(strings.TrimSpace(reason)) < 10:
				t.Errorf("%s:%d: no reason for not running it", c.Portuguese, b.line)
			case b.remark != "" && !slices.Contains([]string{"output", "scenario", "away"}, b.remark) && !skipped:
				t.Errorf("%s:%d: a remark nobody knows: %s", c.Portuguese, b.line, b.remark)
			case b.lang == "powershell" && !skipped:
				t.Errorf("%s:%d: nobody can run PowerShell here", c.Portuguese, b.line)
			case b.lang == "json" && b.remark != "output" && !json.Valid([]byte(b.text)):
				t.Errorf("%s:%d: not JSON", c.Portuguese, b.line)
			}
		}
	}
}

// eachBlock runs a test for each block of a language in the Portuguese documents.
func eachBlock(t *testing.T, lang string, test func(*testing.T, block)) {
	t.Helper()
	for _, c := range documents {
		for _, b := range read(t, c.Portuguese).blocks {
			if b.lang == lang && !b.skipped() && c.Portuguese != manyShops {
				t.Run(fmt.Sprintf("%s:%d", c.Portuguese, b.line), func(t *testing.T) { t.Parallel(); test(t, b) })
			}
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Every program in Go is whole: it is built and run. So is every test.
func TestGo(t *testing.T) {
	t.Parallel()
	eachBlock(t, "go", func(t *testing.T, b block) {
		s := newStage(t)
		if said, err := s.runNew(s.buildGo(b)); err != nil {
			t.Errorf("%v\n%s", err, said)
		}
	})
}

// buildGo makes a program of a block.
func (s stage) buildGo(b block) (program string) {
	s.t.Helper()
	name := "main.go"
	if strings.Contains(b.text, "func Test") {
		name = "main_test.go"
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		s.t.Fatal(err)
	}
	write(s.t, filepath.Join(s.dir, name), s.here(b.text))
	// It is built as if it lay in the module, which is where it finds the client.
	place := fmt.Sprintf("docs/guia/program%d", b.line)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, place, name): filepath.Join(s.dir, name)}})
	if err != nil {
		s.t.Fatal(err)
	}
	write(s.t, filepath.Join(s.dir, "overlay.json"), string(overlay))
	program = filepath.Join(s.dir, "program")
	build := []string{"build", "-C", root}
	if name == "main_test.go" {
		build = []string{"test", "-C", root, "-c", "-vet=off"} // vet knows no overlay
	}
	build = append(build, "-overlay", filepath.Join(s.dir, "overlay.json"), "-o", program, "./"+place)
	if said, err := s.run("go", build...); err != nil {
		s.t.Fatalf("%v\n%s", err, said)
	}
	return program
}

func TestJavaScript(t *testing.T) {
	t.Parallel()
	eachBlock(t, "js", func(t *testing.T, b block) {
		node := need(t, "node")
		s := newStage(t)
		if said, err := s.runNew(node, s.moduleOf(b)); err != nil {
			t.Errorf("%v\n%s", err, said)
		}
	})
}

// moduleOf is a file with a block, beside the client that it imports.
func (s stage) moduleOf(b block) (file string) {
	s.t.Helper()
	client, err := filepath.Abs("../../clients/typescript")
	if err != nil {
		s.t.Fatal(err)
	}
	modules := filepath.Join(s.dir, "node_modules", "@maquininha")
	if err := os.MkdirAll(modules, 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Symlink(client, filepath.Join(modules, "client")); err != nil {
		s.t.Fatal(err)
	}
	write(s.t, filepath.Join(s.dir, "main.mjs"), s.here(b.text))
	return "main.mjs"
}

// A configuration must be one that the program reads; whether the printer is there is another matter.
func TestConfigurations(t *testing.T) {
	t.Parallel()
	eachBlock(t, "toml", func(t *testing.T, b block) {
		s := newFolder(t)
		write(t, filepath.Join(s.dir, "maquininha.toml"), b.text)
		for _, secret := range []string{"client-secret", "cert-password", "mercadopago-token", "cielo-token", "controlpay-key", "controlpay-password"} {
			write(t, filepath.Join(s.dir, secret), "segredo\n")
		}
		if b.remark == "scenario" {
			if said, err := s.run(apptest.Program(t), "test-server", "--ignore", "nothing-tested", "--scenario", "maquininha.toml", "--", "true"); err != nil {
				t.Errorf("%v: %s", err, said)
			}
			return
		}
		said, _ := s.run(apptest.Program(t), "check", "--offline", "--config", "maquininha.toml")
		if !strings.Contains(said, "✓ Configuração") {
			t.Errorf("the program does not read it:\n%s", said)
		}
	})
}

// manyShops is the chapter whose commands need a hub: TestManyShops runs them.
const manyShops = "muitas-lojas.md"
