package clients

import (
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/apptest/behindhub"
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
	needsNode(t)
	runNode(t, []string{"MAQUININHA_BIN=" + apptest.Program(t)}, "test/client.test.js", "test/pay.test.js")
}

// Through a hub only the address and the credentials are others, for each of the client's two ways to speak HTTP.
func TestTypeScriptThroughAHub(t *testing.T) {
	t.Parallel()
	needsNode(t)
	hub := behindhub.Start(t)
	for _, way := range []string{"node", "fetch"} {
		p := apptest.StartProcess(t, "--platform", "android")
		runNode(t, []string{
			"MAQUININHA_BASE=" + hub.Secure() + hub.Before(t, p.Data), "MAQUININHA_USER=" + hub.User, "MAQUININHA_PASSWORD=" + hub.Password, "NODE_EXTRA_CA_CERTS=" + hub.Certificate(),
		}, "--test-name-pattern", "the whole interface over "+way, "test/client.test.js")
	}
}

func needsNode(t *testing.T) {
	t.Helper()
	apptest.OtherProcess(t)
	version, err := exec.Command("node", "--version").Output()
	major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	if n, _ := strconv.Atoi(major); err != nil || n < 18 {
		if os.Getenv("CI") != "" {
			t.Fatalf("Node 18 or newer is needed (make test installs it): %v %s", err, version)
		}
		t.Skipf("Node 18 or newer is needed (make test installs it): %v %s", err, version)
	}
}

func runNode(t *testing.T, env []string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", append([]string{"--test"}, args...)...) // npm may not be there
	cmd.Dir = "typescript"
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "# pass 0\n") {
		t.Errorf("%v\n%s", err, out)
	}
}
