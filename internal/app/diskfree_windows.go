package app

import (
	"math"

	"golang.org/x/sys/windows"
)

// diskFree is how many bytes this user can still write beside a folder; not a number where nobody can tell.
func diskFree(dir string) float64 {
	var free uint64
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil || windows.GetDiskFreeSpaceEx(path, &free, nil, nil) != nil {
		return math.NaN()
	}
	return float64(free)
}
