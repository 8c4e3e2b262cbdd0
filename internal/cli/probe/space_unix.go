//go:build unix

package probe

import "golang.org/x/sys/unix"

// FreeSpace is what this user may still write where the folder is.
func FreeSpace(dir string) (uint64, bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}
