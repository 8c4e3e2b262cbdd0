package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// At a terminal, init asks.
func TestInitAtATerminal(t *testing.T) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	defer master.Close()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
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
