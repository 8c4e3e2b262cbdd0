// Package cupstest starts a print server of a test's own: CUPS with queues that lead where the test wants.
package cupstest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

const program = "/usr/sbin/cupsd" // not everybody's path has it

// Server is a running one.
type Server struct {
	Socket string // where it listens
	dir    string
}

// Start runs a server with these queues, by name the address of the device, until the test ends. Where everything is installed before the tests
// run, its absence is a failure.
func Start(t testing.TB, queues map[string]string) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	if _, err := os.Stat(program); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("there is no CUPS: ", err)
		}
		t.Skip("there is no CUPS")
	}
	// Its helpers run as another user, who can't enter the folders of tests.
	dir, err := os.MkdirTemp("", "cups")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Server{Socket: filepath.Join(dir, "socket"), dir: dir}
	s.configure(t, queues)
	daemon := exec.Command(program, "-f", "-c", filepath.Join(dir, "etc/cupsd.conf"), "-s", filepath.Join(dir, "etc/cups-files.conf"))
	daemon.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, "tmp"))
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		daemon.Process.Kill() //nolint:errcheck // it may have ended
		daemon.Wait()         //nolint:errcheck // as above
		if said, err := os.ReadFile(filepath.Join(dir, "error.log")); err == nil && t.Failed() {
			t.Logf("CUPS:\n%s", said)
		}
	})
	waittest.Until(t, "the print server listens", func() bool {
		conn, err := net.Dial("unix", s.Socket) // the file is there a moment before anybody is let in
		if err != nil {
			return false
		}
		conn.Close()
		return true
	})
	return s
}

func (s *Server) configure(t testing.TB, queues map[string]string) {
	t.Helper()
	if err := os.Chmod(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"etc", "cache", "state", "spool", "tmp"} {
		if err := os.Mkdir(filepath.Join(s.dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	user := ""
	if os.Getuid() == 0 {
		user = "User lp\nGroup lp\n"
	}
	files := fmt.Sprintf("ServerRoot %[1]s/etc\nCacheDir %[1]s/cache\nStateDir %[1]s/state\nRequestRoot %[1]s/spool\nTempDir %[1]s/tmp\n"+
		"AccessLog %[1]s/access.log\nErrorLog %[1]s/error.log\nPageLog %[1]s/page.log\nPrintcap\n", s.dir) + user
	server := "Listen " + s.Socket + "\nLogLevel info\nWebInterface No\nBrowsing No\nDefaultAuthType None\nMaxJobs 0\n" +
		"<Location />\nOrder allow,deny\nAllow all\n</Location>\n<Policy default>\n<Limit All>\nOrder deny,allow\n</Limit>\n</Policy>\n"
	var list strings.Builder
	for name, device := range queues {
		fmt.Fprintf(&list, "<Printer %s>\nDeviceURI %s\nMakeModel Local Raw Printer\nState Idle\nAccepting Yes\nShared No\nErrorPolicy retry-job\n</Printer>\n", name, device)
	}
	for name, text := range map[string]string{"cups-files.conf": files, "cupsd.conf": server, "printers.conf": list.String()} {
		if err := os.WriteFile(filepath.Join(s.dir, "etc", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Run runs one of CUPS's own programs at this server: cupsdisable, lpstat.
func (s *Server) Run(t testing.TB, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		path = filepath.Join("/usr/sbin", name)
	}
	command := exec.Command(path, args...)
	command.Env = append(os.Environ(), "CUPS_SERVER="+s.Socket)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return string(out)
}
