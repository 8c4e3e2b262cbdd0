//go:build !android

package store

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// fileID is by what the system tells this file from every copy of it: when it was made, which nobody can set. Its number would not
// do: some file systems give the number of a deleted file to the next, others number files anew at each mount.
// Empty: this one does not know.
func fileID(path string) string {
	var s unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_BTIME, &s); err != nil || s.Mask&unix.STATX_BTIME == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%09d", s.Btime.Sec, s.Btime.Nsec)
}
