package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/maquininha/maquininha/testserver"
)

// farewell is how long a command may take to end after it was asked to.
const farewell = 10 * time.Second

// runCommand runs the caller, passes on what it is told, and returns how it ended.
func runCommand(args []string, at place, signals <-chan os.Signal) (*testserver.Command, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "MAQUININHA_URL="+at.URL, "MAQUININHA_USERNAME="+at.Username, "MAQUININHA_PASSWORD="+at.Password)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("o comando não começou: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var late <-chan time.Time
	told := false
	for {
		select {
		case s := <-signals:
			// Twice, or where there are no such signals: now.
			if told || cmd.Process.Signal(s) != nil {
				cmd.Process.Kill() //nolint:errcheck // it may be gone
			}
			told, late = true, time.After(farewell)
		case <-late:
			cmd.Process.Kill() //nolint:errcheck // as above
		case err := <-ended:
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				return nil, fmt.Errorf("o comando: %w", err)
			}
			result := &testserver.Command{Args: args, ExitCode: cmd.ProcessState.ExitCode()}
			if told {
				result.ExitCode = -1 // it did not come to its own end
			}
			return result, nil
		}
	}
}
