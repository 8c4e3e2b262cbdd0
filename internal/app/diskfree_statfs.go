//go:build linux || darwin || freebsd

package app

import (
	"math"
	"syscall"
)

// diskFree is how many bytes this user can still write beside a folder; not a number where nobody can tell.
func diskFree(dir string) float64 {
	var fs syscall.Statfs_t
	if syscall.Statfs(dir, &fs) != nil {
		return math.NaN()
	}
	return float64(fs.Bavail) * float64(fs.Bsize)
}
