//go:build unix

package report

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// owner is who owns a file, by numbers.
func owner(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", s.Uid, s.Gid)
	}
	return "?"
}

// systemName is the kernel's name and version.
func systemName() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return "?"
	}
	return strings.Join([]string{unix.ByteSliceToString(u.Sysname[:]), unix.ByteSliceToString(u.Release[:]), unix.ByteSliceToString(u.Machine[:])}, " ")
}
