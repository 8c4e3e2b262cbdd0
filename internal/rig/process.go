// Package rig is what campaigns have in common: the real binary in a process of its own, callers that drive it, and
// how much of the machine it takes.
package rig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// GetStatus is the request that every server answers.
var GetStatus = Request("GET", "/status", "")

// WorkDir is where temporary files go, unless that is memory: there an fsync costs nothing and proves nothing.
func WorkDir() (string, error) {
	parent := os.TempDir()
	if inMemory(parent) {
		parent = "."
	}
	dir, err := os.MkdirTemp(parent, "maquininha-rig-")
	if err != nil {
		return "", err
	}
	return filepath.Abs(dir)
}

// Build makes the binary as it is shipped, and returns its path.
func Build(ctx context.Context, dir string) (binary string, err error) {
	binary = filepath.Join(dir, "maquininha.exe") // a name every system runs
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary,
		"github.com/maquininha/maquininha/cmd/maquininha")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the service: %w\n%s", err, out)
	}
	return binary, nil
}

// Server is a process that answers on an address.
type Server struct {
	Address string
	Screen  string // empty: it has none
	Process *os.Process
	Ready   time.Duration // from its start to its first answer
	ended   chan error
	stderr  bytes.Buffer // read after ended
}

// Service starts the service on a data folder, as an emulator that nobody is asked to set up.
func Service(ctx context.Context, binary, data string, more ...string) (*Server, error) {
	return ServiceIn(ctx, nil, binary, data, more...)
}

// ServiceIn is Service with more in its environment.
func ServiceIn(ctx context.Context, environment []string, binary, data string, more ...string) (*Server, error) {
	address, screen := FreeAddress(), FreeAddress()
	args := []string{"--listen", address, "--screen", screen, "--data", data, "--mode", "emulator", "--no-setup", "--no-desktop-notifications"}
	cmd := exec.CommandContext(ctx, binary, append(args, more...)...)
	cmd.Env = append(append(os.Environ(), environment...), "MAQUININHA_USERNAME="+User, "MAQUININHA_PASSWORD="+Password)
	s, err := Start(cmd, address)
	if err == nil {
		s.Screen = screen
	}
	return s, err
}

// Start runs a server and returns once it has answered.
func Start(cmd *exec.Cmd, address string) (*Server, error) {
	s := &Server{Address: address, ended: make(chan error, 1)}
	cmd.Stderr = &s.stderr
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.Process = cmd.Process
	go func() {
		s.ended <- cmd.Wait()
		close(s.ended) // whoever ends it again finds it ended
	}()
	// Longer than anything takes, however busy the machine is: a server that hangs must not hang a campaign.
	const patience = 10 * time.Minute
	for {
		_, err := Send(address, GetStatus)
		if err == nil {
			s.Ready = time.Since(started)
			return s, nil
		}
		select {
		case ended := <-s.ended:
			return nil, fmt.Errorf("%s ended at its start: %w\n%s", cmd.Path, ended, s.stderr.Bytes())
		case <-time.After(time.Millisecond):
		}
		if time.Since(started) > patience {
			return nil, errors.Join(fmt.Errorf("%s does not answer: %w", cmd.Path, err), s.Process.Kill())
		}
	}
}

// Stop asks the server to end and makes sure that it does.
func (s *Server) Stop() error {
	if s.Process.Signal(os.Interrupt) != nil { // some systems know no signals between processes
		s.Process.Kill() //nolint:errcheck // it has ended, then
	}
	ended, err := s.end()
	if ended && err != nil {
		return fmt.Errorf("a server ended with %w\n%s", err, s.stderr.Bytes())
	}
	return err
}

// Kill ends the server as a power cut would, and returns when it has ended.
func (s *Server) Kill() error {
	s.Process.Kill() //nolint:errcheck // it has ended, then
	if ended, err := s.end(); !ended {
		return err
	}
	return nil
}

// end waits for the end, and makes it where it does not come.
func (s *Server) end() (byItself bool, err error) {
	select {
	case err := <-s.ended:
		return true, err
	case <-time.After(10 * time.Minute): // as above
		return false, errors.Join(errors.New("a server did not stop"), s.Process.Kill())
	}
}

var goroutine = regexp.MustCompile(`(?m)^goroutine \d+.*\[`)

// Goroutines ends the server as a fatal signal does and counts what it was running: nothing tells that of a process
// which goes on.
func (s *Server) Goroutines() (n int, stacks string, err error) {
	if err := s.Process.Signal(syscall.SIGQUIT); err != nil {
		return 0, "", errors.Join(err, s.Stop())
	}
	if ended, err := s.end(); !ended {
		return 0, "", err
	}
	stacks = s.stderr.String()
	if n = len(goroutine.FindAllString(stacks, -1)); n == 0 {
		return 0, "", fmt.Errorf("no goroutines in what the service left:\n%.1000s", stacks)
	}
	return n, stacks, nil
}
