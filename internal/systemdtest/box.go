//go:build linux

// Package systemdtest is a machine for tests: a real systemd that has this system's files, in namespaces of its own.
// What is installed or broken in it is gone with it. It needs root and the usual tools, and nothing from the network.
package systemdtest

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

//go:embed box.sh
var script string

// Box is a running machine.
type Box struct {
	t     *testing.T
	init  *exec.Cmd
	Share string // a folder that the machine has as /mnt
}

// Start boots a machine, or skips the test where there can't be one.
func Start(t *testing.T) *Box {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	if os.Getuid() != 0 {
		t.Skip("a systemd of its own needs root")
	}
	for _, tool := range []string{"unshare", "nsenter", "mount", "systemctl", "systemd-analyze"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("a systemd of its own needs %s", tool)
		}
	}
	group := cgroup(t)
	b := &Box{t: t, Share: t.TempDir()}
	if err := os.Chmod(b.Share, 0o755); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	b.init = exec.Command("unshare", "--cgroup", "sh", "-euc", script, "sh", t.TempDir(), b.Share)
	b.init.Stdout, b.init.Stderr = &said, &said
	b.init.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
		Pdeathsig:  syscall.SIGKILL, UseCgroupFD: true, CgroupFD: int(group.Fd()),
	}
	started, ended := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(ended)
		// The machine dies with the thread that has started it: another test may end one that it was lent.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := b.init.Start()
		if started <- err; err == nil {
			b.init.Wait() //nolint:errcheck // it is killed
		}
	}()
	if err := <-started; err != nil {
		t.Skipf("no namespaces here: %v", err)
	}
	t.Cleanup(func() {
		b.init.Process.Kill() //nolint:errcheck // with the first process all others end
		<-ended
	})
	for end := time.Now().Add(waittest.Limit); ; {
		state, _ := b.command("systemctl", "is-system-running").Output() // degraded is an error, too
		switch strings.TrimSpace(string(state)) {
		case "running", "degraded":
			return b
		}
		select {
		case <-ended:
			t.Skipf("no systemd in namespaces here: %s", said.String())
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(end) {
			jobs, _ := b.Try("systemctl", "list-jobs")
			t.Fatalf("systemd is still %s: %s", state, jobs)
		}
	}
}

// cgroup makes a control group for the machine, below those of this system.
func cgroup(t *testing.T) *os.File {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[2] != "cgroup2" {
			continue
		}
		dir, err := os.MkdirTemp(fields[1], "maquininha-test-")
		if err != nil {
			t.Skipf("no control group can be made: %v", err)
		}
		t.Cleanup(func() { removeGroups(dir) })
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	t.Skip("a systemd of its own needs control groups, version 2")
	return nil
}

// removeGroups takes control groups away, the innermost first. The kernel may still be at the end of their processes.
func removeGroups(dir string) {
	for end := time.Now().Add(waittest.Limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var all []string
		filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error { //nolint:errcheck // some are gone already
			if err == nil && e.IsDir() {
				all = append([]string{path}, all...)
			}
			return nil
		})
		for _, path := range all {
			syscall.Rmdir(path) //nolint:errcheck // tried again
		}
		if _, err := os.Stat(dir); err != nil {
			return
		}
	}
}

// Put copies a file into the shared folder, with its mode.
func (b *Box) Put(from, name string) {
	b.t.Helper()
	if out, err := exec.Command("cp", from, filepath.Join(b.Share, name)).CombinedOutput(); err != nil {
		b.t.Fatalf("%v: %s", err, out)
	}
}

func (b *Box) command(args ...string) *exec.Cmd {
	enter := []string{"--target", fmt.Sprint(b.init.Process.Pid), "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "--wd", "env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"}
	return exec.CommandContext(b.t.Context(), "nsenter", append(enter, args...)...)
}

// Try runs a command in the machine; it returns what it said and how it ended.
func (b *Box) Try(args ...string) (said string, code int) {
	b.t.Helper()
	out, err := b.command(args...).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		b.t.Fatalf("%q: %v", args, err)
	}
	return string(out), 0
}

// Run runs a command in the machine that must succeed.
func (b *Box) Run(args ...string) string {
	b.t.Helper()
	said, code := b.Try(args...)
	if code != 0 {
		b.t.Fatalf("%q ended with %d: %s", args, code, said)
	}
	return said
}
