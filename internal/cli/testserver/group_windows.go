package testserver

import (
	"os"
	"os/exec"
	"strconv"
)

// group is a command with all that it starts.
type group struct {
	cmd *exec.Cmd
	own bool // never: whatever runs in a window hears its Ctrl+C
}

func newGroup(cmd *exec.Cmd) group { return group{cmd: cmd} }

// signal can only end it, as there are no others here.
func (g group) signal(os.Signal) { g.kill() }

func (g group) kill() {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(g.cmd.Process.Pid)).Run() != nil {
		g.cmd.Process.Kill() //nolint:errcheck // it may be gone
	}
}

// alive can't be told once the command has gone; its own end is all there is to wait for.
func (g group) alive() bool { return false }
