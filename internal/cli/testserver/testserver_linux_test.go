package testserver

import (
	"bufio"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// At a terminal the command reads the keyboard, and hears Ctrl+C by itself, once.
func TestTestServerAtATerminal(t *testing.T) {
	t.Parallel()
	master, terminal := clitest.PseudoTerminal(t)
	const script = `trap 'echo "ouv""iu"; exit 0' INT; echo pronto; read linha; echo "leu $linha"; while :; do sleep 0.02; done`
	cmd := clitest.Program(t, "test-server", "--ignore", "nothing-tested", "--", "sh", "-c", script)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	mercy := time.AfterFunc(waittest.Limit, func() { cmd.Process.Kill() }) // a command that may not read is stopped for ever
	defer mercy.Stop()
	var said []string
	for lines := bufio.NewScanner(master); lines.Scan(); { // until the program lets go of the terminal
		line := strings.TrimRight(lines.Text(), "\r")
		said = append(said, line)
		switch line {
		case "pronto":
			master.WriteString("oi\n")
		case "leu oi":
			master.WriteString("\x03")
		}
	}
	cmd.Wait() //nolint:errcheck // whether the command or the Ctrl+C came to its end first is chance
	text := strings.Join(said, "\n")
	if strings.Count(text, "ouviu") != 1 || !strings.Contains(text, "O chamador fez") {
		t.Errorf("%v: %s", cmd.ProcessState, text)
	}
}
