package config

import (
	"bufio"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cupstest"
)

// At a terminal, init asks, and knows the printers that are installed.
func TestInitAtATerminal(t *testing.T) {
	t.Parallel()
	server := cupstest.Start(t, map[string]string{"caixa": "socket://127.0.0.1:9/"})
	master, terminal := clitest.PseudoTerminal(t)
	dir := t.TempDir()
	cmd := clitest.Program(t, "init", "--data", dir)
	cmd.Env = append(cmd.Environ(), "CUPS_SERVER="+server.Socket)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	if _, err := master.WriteString("2\n2\n4\n1\n1\n1\n2\n"); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(master); lines.Scan(); { // until the program lets go of the terminal
		said = append(said, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %q", err, said)
	}
	if text := strings.Join(said, "\n"); !strings.Contains(text, "Este terminal é") || !strings.Contains(text, "Gravado em "+filepath.Join(dir, options.FileName)) {
		t.Error(text)
	}
	s, err := served("--data", dir)
	if err != nil || s.Mode != "production" || s.Listen != ":9050" || s.Printer != "cups:caixa" || s.Card != "none" || s.Pix != "none" || s.Locale != "en" {
		t.Errorf("%+v, %v", s, err)
	}
}
