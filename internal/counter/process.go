package counter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// Process is a program of ours that runs, to be killed.
type Process struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when it has
	lines chan string   // what it says at its start; the rest only goes to the log
}

// StartPatience is how long a program may take to say that it is there, or to end: longer than anything takes, however busy the
// machine is.
const StartPatience = 10 * time.Minute

// ErrDied tells that a program ended before it was expected to.
var ErrDied = errors.New("the process ended")

// Launch starts a program; all that it says is added to the log.
func Launch(ctx context.Context, log string, environment []string, binary string, arguments ...string) (*Process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: exec.CommandContext(ctx, binary, arguments...), ended: make(chan struct{}), lines: make(chan string, 1000)}
	p.cmd.Env = append(os.Environ(), environment...)
	said := &speech{lines: p.lines, log: file}
	p.cmd.Stdout, p.cmd.Stderr = said, said
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	go func() {
		_ = p.cmd.Wait() // killed, as a rule
		file.Close()
		close(p.ended)
	}()
	return p, nil
}

// Hear waits for a line that is wanted. ErrDied: the process ended before.
func (p *Process) Hear(wanted func(line string) bool) error {
	limit := time.After(StartPatience)
	for {
		select {
		case line := <-p.lines:
			if wanted(line) {
				return nil
			}
		case <-p.ended:
			return ErrDied
		case <-limit:
			return errors.Join(fmt.Errorf("%v did not start", p.cmd.Args), p.Kill())
		}
	}
}

// Kill is kill -9; it returns when the process is gone.
func (p *Process) Kill() error {
	err := p.cmd.Process.Kill()
	<-p.ended
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// Stop asks the process to end and waits until it has.
func (p *Process) Stop() error {
	if p.cmd.Process.Signal(os.Interrupt) != nil { // some systems know no signals between processes
		return p.Kill()
	}
	if p.EndsWithin(StartPatience) {
		return nil
	}
	return errors.Join(fmt.Errorf("%v did not stop", p.cmd.Args), p.Kill())
}

// EndsWithin tells whether the process is gone by then.
func (p *Process) EndsWithin(d time.Duration) bool {
	select {
	case <-p.ended:
		return true
	case <-time.After(d):
		return false
	}
}

// Alive tells whether the process runs.
func (p *Process) Alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Killed waits for the end and tells whether it was a violent one: an exit of its own has a code.
func (p *Process) Killed() bool {
	<-p.ended
	const killed = 137 // what a program for Windows, which knows no signals, ends itself with at a named point
	code := p.cmd.ProcessState.ExitCode()
	return code < 0 || code == killed || runtime.GOOS == "windows"
}

// speech cuts what a process says into lines.
type speech struct {
	mu    sync.Mutex
	rest  []byte
	lines chan<- string
	log   io.Writer
}

// Write never waits: lines that nobody takes are in the log.
func (s *speech) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest = append(s.rest, text...)
	for {
		line, rest, whole := bytes.Cut(s.rest, []byte("\n"))
		if !whole {
			return s.log.Write(text)
		}
		select {
		case s.lines <- string(line):
		default:
		}
		s.rest = rest
	}
}

// State is how the process ended.
func (p *Process) State() *os.ProcessState { return p.cmd.ProcessState }

// Ended is closed when the process is gone.
func (p *Process) Ended() <-chan struct{} { return p.ended }
