package clients

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
)

func TestMain(m *testing.M) { os.Exit(apptest.WithProgram(m)) }

// TestTypeScript runs the client's own tests.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	version, err := exec.Command("node", "--version").Output()
	major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	if n, _ := strconv.Atoi(major); err != nil || n < 18 {
		if os.Getenv("CI") != "" {
			t.Fatalf("Node 18 or newer is needed (make test installs it): %v %s", err, version)
		}
		t.Skipf("Node 18 or newer is needed (make test installs it): %v %s", err, version)
	}
	cmd := exec.CommandContext(t.Context(), "node", "--test", "test/client.test.js", "test/pay.test.js") // npm may not be there
	cmd.Dir = "typescript"
	cmd.Env = append(os.Environ(), "MAQUININHA_BIN="+apptest.Executable())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
