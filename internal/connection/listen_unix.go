//go:build unix

package connection

import "syscall"

// How listening fails on an address that somebody else listens on, and on one that is another machine's.
const (
	errPortTaken     = syscall.EADDRINUSE
	errNotOurAddress = syscall.EADDRNOTAVAIL
)

// MaxOpenFiles is how many this process may have open; the runtime has raised it to what the system allows.
func MaxOpenFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur > 1<<20 {
		return 1 << 20
	}
	return int(limit.Cur)
}
