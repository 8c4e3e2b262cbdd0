package clients

import (
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
)

func TestMain(m *testing.M) { os.Exit(apptest.WithProgram(m)) }

// The package is published with the program, under its number.
func TestTypeScriptVersion(t *testing.T) {
	var pack struct{ Version string }
	text, err := os.ReadFile("typescript/package.json")
	if err == nil {
		err = json.Unmarshal(text, &pack)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(apptest.Program(t), "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "maquininha "+pack.Version+" ") {
		t.Errorf("the package is %s, the program says %q (%v)", pack.Version, out, err)
	}
}

// TestTypeScript runs the client's own tests.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
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
	cmd.Env = append(os.Environ(), "MAQUININHA_BIN="+apptest.Program(t))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
