package main

import (
	"bufio"
	"path/filepath"
	"strings"
	"testing"
)

// At a terminal, init asks.
func TestInitAtATerminal(t *testing.T) {
	t.Parallel()
	master, terminal := pseudoTerminal(t)
	dir := t.TempDir()
	cmd := program(t, "init", "--data", dir)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	if _, err := master.WriteString("2\n2\n1\n1\n1\n2\n"); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(master); lines.Scan(); { // until the program lets go of the terminal
		said = append(said, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %q", err, said)
	}
	if text := strings.Join(said, "\n"); !strings.Contains(text, "Este terminal é") || !strings.Contains(text, "Gravado em "+filepath.Join(dir, configName)) {
		t.Error(text)
	}
	line, _, err := parsed(t, "--data", dir)
	if s := line.Serve; err != nil || s.Mode != "production" || s.Listen != ":9050" || s.Printer != "none" || s.Card != "none" || s.Pix != "none" || s.Locale != "en" {
		t.Errorf("%+v, %v", s, err)
	}
}
