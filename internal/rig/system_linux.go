package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// inMemory reports whether a folder's files are on no disk at all.
func inMemory(dir string) bool {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return false
	}
	return int64(fs.Type) == unix.TMPFS_MAGIC || int64(fs.Type) == unix.RAMFS_MAGIC
}

// Sockets counts those that a process has open.
func Sockets(pid int) (n int, err error) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	open, err := os.ReadDir(dir)
	for _, f := range open {
		// What was closed meanwhile is none.
		if what, err := os.Readlink(filepath.Join(dir, f.Name())); err == nil && strings.HasPrefix(what, "socket:") {
			n++
		}
	}
	return n, err
}

// Measure looks at a process from outside.
func Measure(pid int) (f Footprint, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return f, err
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		var n float64
		switch name {
		case "VmRSS", "VmHWM", "Threads":
			if n, err = strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64); err != nil {
				return f, err
			}
		}
		switch name {
		case "VmRSS":
			f.MiB = n / 1024
		case "VmHWM":
			f.PeakMiB = n / 1024
		case "Threads":
			f.Threads = int(n)
		}
	}
	if f.MiB == 0 {
		return f, fmt.Errorf("process %d has no resident memory", pid)
	}
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	f.Handles = len(open)
	return f, err
}
