//go:build unix

package counter

import "syscall"

// Pause has the process stand still until Resume, as one does on a machine that swaps or is frozen.
func (p *Process) Pause() error { return p.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume has it go on.
func (p *Process) Resume() error { return p.cmd.Process.Signal(syscall.SIGCONT) }
