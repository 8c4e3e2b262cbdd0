//go:build !linux

package main

import (
	"errors"
	"os"
)

// syncData puts a file on the disk. Go reaches fdatasync on Linux only.
func syncData(f *os.File) error { return f.Sync() }

func inMemory(string) bool { return false }

func residentMiB(int) (float64, error) { return 0, errors.New("known on Linux only") }
