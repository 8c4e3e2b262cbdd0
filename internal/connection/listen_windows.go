package connection

import "golang.org/x/sys/windows"

// How listening fails on an address that somebody else listens on, and on one that is another machine's.
const (
	errPortTaken     = windows.WSAEADDRINUSE
	errNotOurAddress = windows.WSAEADDRNOTAVAIL
)

// MaxOpenFiles: Windows counts no handles that matter here.
func MaxOpenFiles() int { return 1 << 20 }
