//go:build unix && (!race || everything)

package app_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// tape keeps what a process says.
type tape struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *tape) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *tape) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// process is the program, running.
type process struct {
	caller
	cmd            *exec.Cmd
	stdout, stderr *tape
	ended          chan struct{}
}

// environment is what a process gets to see: nothing of the tester's own settings.
func environment(more ...string) []string {
	return append([]string{"HOME=/nonexistent", "PATH=" + os.Getenv("PATH"), "TZ=America/Sao_Paulo"}, more...)
}

func withSecret() []string {
	return environment("MAQUININHA_USERNAME="+user, "MAQUININHA_PASSWORD="+secret)
}

// command prepares the program without starting it.
func command(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(apptest.Program(t), args...), stdout: &tape{}, stderr: &tape{}, ended: make(chan struct{})}
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = env, p.stdout, p.stderr
	return p
}

func (p *process) start(t *testing.T) {
	t.Helper()
	must(t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait() // how it ended is in its state
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // gone already is as good
		<-p.ended
	})
}

// exit waits for the end and returns the code; -1 means that a signal ended it.
func (p *process) exit(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(waittest.Limit):
		t.Fatalf("still running; it said:\n%s%s", p.stdout, p.stderr)
	}
	return p.cmd.ProcessState.ExitCode()
}

// run is the program from beginning to end.
func run(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	p := command(t, env, args...)
	p.start(t)
	code = p.exit(t)
	return p.stdout.String(), p.stderr.String(), code
}

var bannerAPI = regexp.MustCompile(`(?m)^ +API +(http://\S+)`)

// serve runs the program on free ports and returns once it answers.
func serve(t *testing.T, data string, env []string, args ...string) *process {
	t.Helper()
	p := command(t, env, append(args, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--data", data)...)
	p.start(t)
	waittest.Until(t, "the banner", func() bool {
		select {
		case <-p.ended:
			t.Fatalf("ended at once with %d:\n%s%s", p.cmd.ProcessState.ExitCode(), p.stdout, p.stderr)
		default:
		}
		return strings.Contains(p.stdout.String(), "Experimente:")
	})
	found := bannerAPI.FindStringSubmatch(p.stdout.String())
	if found == nil {
		t.Fatalf("no address in:\n%s", p.stdout)
	}
	p.caller = newCaller(t, found[1])
	return p
}

func (p *process) terminate(t *testing.T) {
	t.Helper()
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	if code := p.exit(t); code != 0 {
		t.Fatalf("ended with %d: %s", code, p.stderr)
	}
}

// refused checks that a start failed the way a person can read: one line, and nothing else.
func refused(t *testing.T, stdout, stderr string, code int, mention ...string) {
	t.Helper()
	if code <= 0 {
		t.Errorf("exit code %d", code)
	}
	if stdout != "" {
		t.Errorf("on stdout: %q", stdout)
	}
	line, rest, ended := strings.Cut(stderr, "\n")
	if !strings.HasPrefix(line, "maquininha: ") || !ended || rest != "" {
		t.Errorf("not one line: %q", stderr)
	}
	for _, m := range mention {
		if !strings.Contains(line, m) {
			t.Errorf("%q does not mention %q", line, m)
		}
	}
}
