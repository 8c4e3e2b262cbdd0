package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	memoryFolder = "/dev/shm"
	memoryNeeded = 6 << 30 // the tests' programs take two of them
)

// quickTemp makes a folder for temporary files in memory, where there is enough of it and the folder may have it: tests open hundreds of
// stores, and each waits for the disk. A process that is killed loses nothing there either; the power that goes is played by
// store/powerloss. It is empty where there is none.
func quickTemp() string {
	var fs unix.Statfs_t
	if unix.Statfs(memoryFolder, &fs) != nil || min(fs.Bavail*uint64(fs.Bsize), freeMemory()) < memoryNeeded || fs.Flags&unix.ST_NOEXEC != 0 {
		return ""
	}
	dir, err := os.MkdirTemp(memoryFolder, "maquininha-tests-")
	if err != nil || os.Chmod(dir, 0o755) != nil { // some tests run a program as somebody else
		return ""
	}
	return dir
}

// freeMemory is how much programs may take; 0 where it can't be read.
func freeMemory() uint64 {
	text, _ := os.ReadFile("/proc/meminfo") //nolint:errcheck // as said
	for line := range strings.Lines(string(text)) {
		var kilobytes uint64
		if _, err := fmt.Sscanf(line, "MemAvailable: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	return 0
}
