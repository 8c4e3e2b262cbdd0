//go:build unix

package tunnel

import (
	"os"
	"syscall"
)

// giveToOwner lets the folder's owner read a file that an administrator made in it: the service runs as that one.
func giveToOwner(dir, file string) error {
	info, err := os.Stat(dir)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return os.Chown(file, int(owner.Uid), int(owner.Gid))
}
