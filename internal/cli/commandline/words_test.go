//go:build !windows

package commandline_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/cli/options"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// What the system and the libraries say in English, technicians read in Portuguese.
func TestRefusalsArePortuguese(t *testing.T) {
	t.Parallel()
	dir := clitest.Written(t, "[tls]\nenabled = true\n")
	file := filepath.Join(dir, options.FileName)
	type refusal struct {
		env, want string
		args      []string
	}
	refusals := []refusal{
		{"MAQUININHA_TLS=talvez", `--tls: deve ser true ou false e não "talvez" (é o que diz a variável MAQUININHA_TLS)` + "\n", []string{"serve", "--data", dir}},
		{"MAQUININHA_MAX_JSON=muito", "--max-json: valor ausente ou inválido (é o que diz a variável MAQUININHA_MAX_JSON)\n", []string{"serve", "--data", dir}},
		{"HOME=", "(a variável HOME não está definida); diga a dos dados com --data\n", []string{"closing"}},
		{"", "a pasta de dados " + file + ": uma parte do caminho não é uma pasta\n", []string{"serve", "--data", file}},
		{"", "não pode ser gravado: uma parte do caminho não é uma pasta\n", []string{"init", "--mode", "production", "--output", filepath.Join(file, "x.toml")}},
		{"", "o comando não começou: maquininha-nao-ha: programa não encontrado\n", []string{"test-server", "--", "maquininha-nao-ha"}},
		{"", "opção desconhecida -x (veja maquininha logs --help)\n", []string{"logs", "-x"}},
		{"", "opção desconhecida -fx (veja maquininha logs --help)\n", []string{"logs", "-fx"}},
		{"", `opção desconhecida --pinter, quis dizer "--printer"?`, []string{"serve", "--locale", "pt-BR", "--pinter=none"}},
		{"", `argumento inesperado sevre, quis dizer "serve"?`, []string{"sevre"}},
		{"", `argumento inesperado instal, quis dizer "install"?`, []string{"service", "instal"}},
		{"", "--printer: valor ausente ou inválido", []string{"serve", "--printer"}},
	}
	if _, err := os.Stat("/proc/self"); err == nil && os.Getuid() == 0 { // others are refused for another reason
		refusals = append(refusals, refusal{"", "/proc/x: o caminho não existe\n", []string{"serve", "--data", "/proc/x"}})
	}
	for _, c := range refusals {
		cmd := clitest.Program(t, c.args...)
		cmd.Env = append(cmd.Env, "XDG_DATA_HOME=", c.env)
		var words bytes.Buffer
		cmd.Stderr = &words
		if err := cmd.Run(); err == nil || !strings.Contains(words.String(), c.want) {
			t.Errorf("%s %q: %v: want %q in %s", c.env, c.args, err, c.want, words.String())
		}
	}
}
