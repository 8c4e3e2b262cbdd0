// Package clitest is the kit of the commands' tests: it runs the program in a process of its own, and looks at what it says.
package clitest

import (
	"bytes"
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/rig"
)

// Main is the whole TestMain of a package of commands. It has many tests wait side by side: they wait for other processes more than they
// compute. -parallel still has its say.
func Main(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err) // it is a flag of every test
	}
	os.Exit(apptest.WithProgram(m))
}

// zone is that of the processes: three hours behind Greenwich all year.
const zone = "America/Sao_Paulo"

// Zone is where the processes are.
func Zone(t *testing.T) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Program is a run of it.
func Program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), apptest.Program(t), args...)
	cmd.Env = append(os.Environ(), "TZ="+zone, options.PasswordVariable+"=segredo", "MAQUININHA_USERNAME=admin")
	return cmd
}

// Output runs the program and wants it to succeed.
func Output(t *testing.T, args ...string) string {
	t.Helper()
	var out, words bytes.Buffer
	cmd := Program(t, args...)
	cmd.Stdout, cmd.Stderr = &out, &words
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v: %s", args, err, words.String())
	}
	return out.String()
}

// Complaint runs the program and wants it to fail.
func Complaint(t *testing.T, args ...string) string {
	t.Helper()
	var out, words bytes.Buffer
	cmd := Program(t, args...)
	cmd.Stdout, cmd.Stderr = &out, &words
	if err := cmd.Run(); err == nil {
		t.Errorf("%q has not failed", args)
	}
	if out.Len() > 0 {
		t.Errorf("%q failed and wrote %q", args, out.String())
	}
	return words.String()
}

// Serving starts the service on the folder and returns its address.
func Serving(t *testing.T, dir string) (base string, stop func()) {
	t.Helper()
	return ServingAt(t, dir, rig.FreeAddress())
}

// ServingAt is Serving where the callers know it; stop is a kill.
func ServingAt(t *testing.T, dir, listen string, args ...string) (base string, stop func()) {
	t.Helper()
	p := Start(t, append([]string{
		"serve", "--data", dir, "--listen", listen, "--screen", "127.0.0.1:0", "--autopilot-delay", "0s", "--no-setup", "--no-desktop-notifications",
	}, args...)...)
	_, address, _ := strings.Cut(p.Sees("  API "), "API")
	return strings.Fields(address)[0], p.Kill
}

// Written is a configuration file in a folder of its own.
func Written(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, options.FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Wants that all of these were said.
func Wants(t *testing.T, said string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
}

// Parse reads a command line as the program does.
func Parse(line any, args ...string) (*options.Configuration, error) {
	commandline.ForgetEmptyVariables()
	c := options.NewConfiguration()
	ctx, err := commandline.New(line, kong.Resolvers(c), kong.Bind(c), kong.Writers(io.Discard, io.Discard)).Parse(args)
	return c, c.Judge(ctx, err)
}

// Note has the service log a mark, as a warning of http.
func Note(t *testing.T, base, mark string) {
	t.Helper()
	if status := Ask(t, http.MethodGet, base+"/transaction/"+mark, ""); status != http.StatusNotFound {
		t.Fatalf("%s: %d", mark, status)
	}
}

// Ask sends a request on a connection of its own.
func Ask(t *testing.T, method, url, body string) (status int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth("admin", "segredo")
	r.Close = true
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}
