//go:build unix

package testserver

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// group is a command with all that it starts.
type group struct {
	cmd *exec.Cmd
	own bool // it is a process group of its own
}

// newGroup prepares a command that is not started yet. At a terminal it stays in the group that is in the foreground: in another
// it could not read the keyboard, nor hear Ctrl+C and Ctrl+Z as whatever runs in that window does.
func newGroup(cmd *exec.Cmd) group {
	front, err := unix.IoctlGetInt(int(os.Stdin.Fd()), unix.TIOCGPGRP)
	g := group{cmd: cmd, own: err != nil || front != unix.Getpgrp()}
	if g.own {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	}
	return g
}

func (g group) signal(s os.Signal) {
	if number, ok := s.(syscall.Signal); ok && g.own {
		syscall.Kill(-g.cmd.Process.Pid, number) //nolint:errcheck // all of it may be gone
		return
	}
	g.cmd.Process.Signal(s) //nolint:errcheck // it may be gone
}

func (g group) kill() { g.signal(os.Kill) }

// alive tells whether something that the command started has outlived it.
func (g group) alive() bool { return g.own && syscall.Kill(-g.cmd.Process.Pid, 0) == nil }
