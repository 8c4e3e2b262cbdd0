package main

import (
	"os"
	"syscall"
)

// syncData puts a file's content on the disk, and of its metadata what reading it back needs.
func syncData(f *os.File) error { return syscall.Fdatasync(int(f.Fd())) }
