package main

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	memoryFolder = "/dev/shm"
	memoryNeeded = 6 << 30 // the tests' programs take two of them
)

// quickTemp makes a folder for temporary files in memory, where there is enough: tests open hundreds of stores, and each waits
// for the disk. A process that is killed loses nothing there either; the power that goes is played by store/powerloss. It is
// empty where there is none.
func quickTemp() string {
	var fs unix.Statfs_t
	if unix.Statfs(memoryFolder, &fs) != nil || fs.Bavail*uint64(fs.Bsize) < memoryNeeded || fs.Flags&unix.ST_NOEXEC != 0 {
		return ""
	}
	dir, err := os.MkdirTemp(memoryFolder, "maquininha-tests-")
	if err != nil || os.Chmod(dir, 0o755) != nil { // some tests run a program as somebody else
		return ""
	}
	return dir
}
