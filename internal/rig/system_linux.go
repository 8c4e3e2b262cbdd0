package rig

import (
	"fmt"
	"os"
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
