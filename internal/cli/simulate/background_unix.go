//go:build !windows

package simulate

import (
	"os/signal"
	"syscall"
)

// stayInBackground keeps a shell's background job running: reading the terminal would stop it; ignored, it only fails.
func stayInBackground() { signal.Ignore(syscall.SIGTTIN) }
