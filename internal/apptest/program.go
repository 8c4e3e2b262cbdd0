package apptest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
)

// builtProgram names the program where somebody has built it for many packages of tests, as make does.
const builtProgram = "MAQUININHA_TEST_PROGRAM"

var (
	buildFolder string // of what was built here
	buildOnce   = sync.OnceValues(buildProgram)
)

// WithProgram runs the tests; it is the whole TestMain of a package that needs processes.
func WithProgram(m *testing.M) int {
	defer RemoveProgram()
	return m.Run()
}

// RemoveProgram is for the end of a TestMain: it removes what Program has built.
func RemoveProgram() { os.RemoveAll(buildFolder) } // an empty name is nothing

// Program is the path of the program, built once. It is what ships, without the race detector: its tests are the packages' own.
// With -short the test is skipped, for it starts another process.
func Program(t testing.TB) string {
	t.Helper()
	OtherProcess(t)
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// OtherProcess says that a test starts another process: make quick, which has -short, leaves those to make test.
func OtherProcess(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
}

func buildProgram() (string, error) {
	if path := os.Getenv(builtProgram); path != "" {
		return path, nil
	}
	var err error
	if buildFolder, err = os.MkdirTemp("", "maquininha-program-"); err != nil {
		return "", err
	}
	if err := os.Chmod(buildFolder, 0o755); err != nil { // some run it as somebody else
		return "", err
	}
	path := filepath.Join(buildFolder, "maquininha")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, "github.com/maquininha/maquininha/cmd/maquininha")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return path, nil
}

// Process is the program at work.
type Process struct {
	Base   string // of the API
	Secure string // of the API over HTTPS, where it was asked for
	Pin    string // of its key
	Data   string // its folder

	t testing.TB

	args []string
	cmd  *exec.Cmd
}

// StartProcess runs the program as an emulator on free ports, until the test ends.
func StartProcess(t testing.TB, args ...string) *Process {
	t.Helper()
	return StartProcessIn(t, t.TempDir(), args...)
}

// StartProcessIn likewise, with data that are there already.
func StartProcessIn(t testing.TB, data string, args ...string) *Process {
	t.Helper()
	p := &Process{t: t, Data: data, args: args}
	p.start(rig.FreeAddress())
	return p
}

// Kill ends it as a power cut would.
func (p *Process) Kill() {
	if p.cmd != nil {
		p.cmd.Process.Kill()
		p.cmd.Wait() //nolint:errcheck // it was killed
		p.cmd = nil
	}
}

// Stop ends it as its owner would.
func (p *Process) Stop() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatalf("told to end, it ended with %v", err)
	}
	p.cmd = nil
}

// Again starts it where it was, with what it has kept.
func (p *Process) Again() {
	p.t.Helper()
	p.start(strings.TrimPrefix(p.Base, "http://"))
}

func (p *Process) start(listen string) {
	p.t.Helper()
	args := append([]string{
		"serve", "--data", p.Data, "--listen", listen, "--screen", "127.0.0.1:0", "--autopilot-delay", "0s", "--no-setup", "--no-desktop-notifications",
	}, p.args...)
	cmd := exec.Command(Program(p.t), args...)
	cmd.Env = append(os.Environ(), "MAQUININHA_USERNAME="+User, "MAQUININHA_PASSWORD="+Password)
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	// A file, and not a pipe to be read to its end: what the program starts may have it too, and outlive it, as Wine's services do.
	complaints, err := os.Create(filepath.Join(p.t.TempDir(), "complaints"))
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.Stderr = complaints
	p.t.Cleanup(func() {
		complaints.Close() //nolint:errcheck // it is only read
		if said, err := os.ReadFile(complaints.Name()); p.t.Failed() && (err != nil || len(said) > 0) {
			p.t.Logf("the program said:\n%s %v", said, err)
		}
	})
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(p.Kill) // before what it said is read
	p.cmd, p.Base = cmd, ""
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if rest, ok := strings.CutPrefix(line, "API (HTTPS)"); ok {
			p.Secure = strings.Fields(rest)[0]
		} else if rest, ok := strings.CutPrefix(line, "API"); ok {
			p.Base = strings.Fields(rest)[0]
		}
		if at := strings.Index(line, "sha256//"); at >= 0 {
			p.Pin = strings.Fields(line[at:])[0]
		}
		if strings.HasPrefix(line, "Experimente") {
			break
		}
	}
	if p.Base == "" {
		p.t.Fatal("the program said no address")
	}
	go io.Copy(io.Discard, out) //nolint:errcheck // it must not wait for a reader
}

// Call sends a request of the test's own, such as to /emulator, and decodes the answer unless out is nil.
func (p *Process) Call(method, path, body string, out any) int {
	p.t.Helper()
	status, err := call(p.t.Context(), p.Base, method, path, body, out)
	if err != nil {
		p.t.Fatal(err)
	}
	return status
}

func call(ctx context.Context, base, method, path, body string, out any) (int, error) {
	r, err := http.NewRequestWithContext(ctx, method, base+path, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.SetBasicAuth(User, Password)
	r.Close = true
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if out != nil {
		return answer.StatusCode, json.NewDecoder(answer.Body).Decode(out)
	}
	return answer.StatusCode, nil
}

// AwaitBusy returns when an operation is under way, or not any more.
func (p *Process) AwaitBusy(busy bool) {
	p.t.Helper()
	if err := awaitBusy(p.t.Context(), p.Base, busy); err != nil {
		p.t.Fatal(err)
	}
}

func awaitBusy(ctx context.Context, base string, busy bool) error {
	var info struct{ IsBusy bool }
	for {
		if _, err := call(ctx, base, http.MethodGet, "/info", "", &info); err != nil || info.IsBusy == busy {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Approved counts the approved transactions: what moved money.
func (p *Process) Approved() int {
	p.t.Helper()
	var all []struct{}
	p.Call(http.MethodGet, "/transaction?status=approved", "", &all)
	return len(all)
}
