package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// syncData puts a file's content on the disk, and of its metadata what reading it back needs.
func syncData(f *os.File) error { return syscall.Fdatasync(int(f.Fd())) }

// inMemory reports whether a folder's files are on no disk at all.
func inMemory(dir string) bool {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return false
	}
	return int64(fs.Type) == unix.TMPFS_MAGIC || int64(fs.Type) == unix.RAMFS_MAGIC
}

// residentMiB is the memory a process holds.
func residentMiB(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if size, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(size), " kB"), 64)
			return kib / 1024, err
		}
	}
	return 0, fmt.Errorf("process %d has no resident memory", pid)
}
