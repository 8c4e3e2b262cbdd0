package logs

import (
	"bufio"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
)

// At a terminal there are colours, unless somebody wants none, and details have lines of their own.
func TestLogsAtATerminal(t *testing.T) {
	t.Parallel()
	base, _ := clitest.Serving(t, t.TempDir())
	clitest.Note(t, base, "marca")
	for _, c := range []struct {
		env, color string
		coloured   bool
	}{{"TERM=xterm", "auto", true}, {"NO_COLOR=1", "auto", false}, {"TERM=xterm", "never", false}, {"NO_COLOR=1", "always", true}} {
		master, terminal := clitest.PseudoTerminal(t)
		cmd := clitest.Program(t, "logs", "--url", base, "--level", "warning", "--color", c.color)
		cmd.Env = append(cmd.Env, "TERM=xterm", c.env)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		terminal.Close()
		var said []string
		for lines := bufio.NewScanner(master); lines.Scan(); { // until the program lets go of the terminal
			said = append(said, lines.Text())
		}
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v: %q", err, said)
		}
		if len(said) != 2 || strings.Contains(said[0], "\x1b[33mWARNING\x1b[0m") != c.coloured || strings.Contains(strings.Join(said, ""), "\x1b") != c.coloured || !strings.HasPrefix(said[1], "    ") {
			t.Errorf("%+v: %q", c, said)
		}
	}
}

// A log that says nothing more does not keep the program when nobody reads it any more.
func TestLogsLeaveAQuietPipe(t *testing.T) {
	t.Parallel()
	base, _ := clitest.Serving(t, t.TempDir())
	f := following(t, "segredo", "--url", base)
	f.until(t, "serviço iniciado")
	f.out.Close()
	if err := f.Wait(); err != nil || f.words.Len() > 0 {
		t.Errorf("%v: %s", err, f.words.String())
	}
}
