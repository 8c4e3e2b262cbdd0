// Package nginxtest starts a real nginx for a test: a hub may stand behind one.
package nginxtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Find gives the program. Where everything is installed before the tests run, its absence is a failure.
func Find(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx" // not everybody's path has it
	}
	if _, err := os.Stat(program); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("there is no nginx: ", err)
		}
		t.Skip("there is no nginx")
	}
	return program
}

// Start runs it in a folder with these blocks of its http section, until the test ends. Who starts it waits until it answers.
func Start(t *testing.T, program, dir, servers string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "daemon off;\nmaster_process off;\npid %[1]s/nginx.pid;\nerror_log %[1]s/error.log;\nevents {}\nhttp {\naccess_log off;\n", dir)
	for _, folder := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&b, "%s_temp_path %s/%[1]s;\n", folder, dir)
	}
	b.WriteString(servers + "}\n")
	config := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(config, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	nginx := exec.Command(program, "-p", dir, "-c", config, "-e", filepath.Join(dir, "early.log"))
	if err := nginx.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		nginx.Process.Kill() //nolint:errcheck // it may have ended
		nginx.Wait()         //nolint:errcheck // as above
		for _, log := range []string{"early.log", "error.log"} {
			if said, err := os.ReadFile(filepath.Join(dir, log)); err == nil && t.Failed() {
				t.Logf("nginx, %s:\n%s", log, said)
			}
		}
	})
}
