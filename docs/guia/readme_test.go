//go:build unix

package guia_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
)

// What somebody types who has just found the repository: the service is started by the README's own command, and the others
// are given to it. make is only asked what it would do. The Portuguese README has the same: TestTranslationsHaveTheSameShape.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
	bash := need(t, "bash")
	need(t, "curl")
	need(t, "make")
	base, said := "", ""
	for _, b := range read(t, readme.English).blocks {
		switch {
		case b.remark == "output":
			b.compare(t, said)
		case b.lang != "sh":
			t.Errorf("line %d: nobody runs this", b.line)
		case strings.Contains(b.text, "go run "):
			base = startService(t, bash, b.text)
		default:
			script := "set -eu\nmake() { command make -n \"$@\"; }\n" + strings.ReplaceAll(b.text, "http://localhost:9050", base)
			cmd := exec.CommandContext(t.Context(), bash, "-c", script)
			cmd.Dir = "../.."
			var complaints strings.Builder
			cmd.Stderr = &complaints
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("line %d: %v\n%s%s", b.line, err, out, &complaints)
			}
			said = string(out)
		}
	}
}

// startService runs a command that starts the service, on ports that are free, and returns the API's address.
func startService(t *testing.T, bash, command string) string {
	t.Helper()
	cmd := exec.Command(bash, "-c", command)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "MAQUININHA_DATA="+t.TempDir(), "MAQUININHA_LISTEN=127.0.0.1:0", "MAQUININHA_SCREEN=127.0.0.1:0",
		"MAQUININHA_DESKTOP_NOTIFICATIONS=false", "CGO_ENABLED=0") // as the program was built: most is compiled already
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // to end what go run has started, too
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
		cmd.Wait()                                      //nolint:errcheck // it was killed
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == "API" {
			go io.Copy(io.Discard, out) //nolint:errcheck // it must not wait for a reader
			return fields[1]
		}
	}
	cmd.Wait() //nolint:errcheck // what it said tells more
	t.Fatalf("the service said no address\n%s", &complaints)
	return ""
}
