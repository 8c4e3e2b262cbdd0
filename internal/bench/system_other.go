//go:build !linux

package main

import "os"

// syncData puts a file on the disk. Go reaches fdatasync on Linux only.
func syncData(f *os.File) error { return f.Sync() }
