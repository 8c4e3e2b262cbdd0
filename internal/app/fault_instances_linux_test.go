//go:build !race || everything

package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

// However a folder is called, it is one folder: the second instance is told so and the first is not disturbed.
func TestFolderInUseByAnotherName(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	must(t, os.Mkdir(data, 0o700))
	names := map[string]func(t *testing.T) string{
		"symlink": func(t *testing.T) string {
			link := filepath.Join(t.TempDir(), "link")
			must(t, os.Symlink(data, link))
			return link
		},
		"bind mount": func(t *testing.T) string {
			dir := t.TempDir()
			if err := syscall.Mount(data, dir, "", syscall.MS_BIND, ""); err != nil {
				t.Skipf("nothing can be mounted here (root may): %v", err)
			}
			t.Cleanup(func() { unmount(t, dir) })
			return dir
		},
		"without its lock file": func(t *testing.T) string {
			must(t, os.Remove(filepath.Join(data, "maquininha.lock"))) // the way people mend things
			return data
		},
	}
	for name, other := range names {
		t.Run(name, func(t *testing.T) {
			first := serve(t, data, withSecret())
			second := other(t)
			inUse(t, second)
			first.ok(t, "GET", "/status", "")
			// The other way round, and after the power went.
			must(t, first.cmd.Process.Kill())
			first.exit(t)
			first = serve(t, second, withSecret())
			inUse(t, data)
			first.terminate(t)
		})
	}
}

// inUse checks that no command works on the folder.
func inUse(t *testing.T, data string) {
	t.Helper()
	for _, command := range [][]string{{"serve", "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0"}, {"repair"}, {"password"}, {"pin"}} {
		stdout, stderr, code := run(t, withSecret(), append(command, "--data", data)...)
		refused(t, stdout, stderr, code, data, "em uso por outra instância")
	}
}

// Of two that start in the same instant one serves and the other says why it does not.
func TestTwoInstancesAtOnce(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	for range 10 {
		var both [2]*process
		for i := range both {
			both[i] = command(t, withSecret(), "--data", data, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
		}
		for _, p := range both {
			p.start(t)
		}
		serving := func(p *process) bool { return strings.Contains(p.stdout.String(), "Experimente:") }
		ended := func(p *process) bool {
			select {
			case <-p.ended:
				return true
			default:
				return false
			}
		}
		waittest.Until(t, "one serves and one has ended", func() bool {
			return serving(both[0]) && ended(both[1]) || serving(both[1]) && ended(both[0])
		})
		winner, loser := both[0], both[1]
		if ended(winner) {
			winner, loser = loser, winner
		}
		refused(t, loser.stdout.String(), loser.stderr.String(), loser.exit(t), data, "em uso por outra instância")
		must(t, winner.cmd.Process.Kill())
		winner.exit(t)
	}
}
