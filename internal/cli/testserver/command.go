package testserver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/maquininha/maquininha/internal/syserror"
	"github.com/maquininha/maquininha/testserver"
)

const (
	// stopTimeout is how long a command may take to end after it was asked to.
	stopTimeout = 10 * time.Second
	// interruptGrace is how long it has to have heard of a Ctrl+C by itself, as whatever runs in the same window does: told a second
	// time, many programs end without cleaning up.
	interruptGrace = time.Second
)

// runCommand runs the caller, passes on what it is told, and returns how it ended.
func runCommand(args []string, at place, signals <-chan os.Signal) (*testserver.Command, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "MAQUININHA_URL="+at.URL, "MAQUININHA_USERNAME="+at.Username, "MAQUININHA_PASSWORD="+at.Password)
	all := newGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("o comando não começou: %s: %w", args[0], syserror.Reason(err))
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var unheard, late <-chan time.Time
	told, killed := false, false
	kill := func() {
		all.kill()
		killed = true
	}
	for {
		select {
		case s := <-signals:
			switch {
			case told:
				kill()
			case s == os.Interrupt && !all.own:
				unheard = time.After(interruptGrace)
			default:
				all.signal(s)
			}
			told, late = true, time.After(stopTimeout)
		case <-unheard:
			all.signal(os.Interrupt)
		case <-late:
			kill()
		case err := <-ended:
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				return nil, fmt.Errorf("o comando: %w", err)
			}
			result := &testserver.Command{Args: args, ExitCode: cmd.ProcessState.ExitCode()}
			if told {
				result.ExitCode = -1 // it did not come to its own end
				if !killed {
					all.sweep(late, signals)
				}
			}
			return result, nil
		}
	}
}

// sweep waits for what a command has started and left behind when it was told to end, and ends it when its time is up.
func (g group) sweep(late <-chan time.Time, signals <-chan os.Signal) {
	look := time.NewTicker(20 * time.Millisecond) // nobody tells of processes that are not ours
	defer look.Stop()
	for g.alive() {
		select {
		case <-signals:
			g.kill()
			return
		case <-late:
			g.kill()
			return
		case <-look.C:
		}
	}
}
