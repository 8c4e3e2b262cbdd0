//go:build linux && !android

package desktop

import (
	"os"
	"path/filepath"

	"github.com/gen2brain/beeep"
	"github.com/godbus/dbus/v5"
)

func init() { beeep.AppName = "maquininha" }

// present looks for a session's bus. Without one the library would start helper programs only to fail.
func present() bool {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	folder := os.Getenv("XDG_RUNTIME_DIR")
	if folder == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(folder, "bus"))
	return err == nil
}

func show(title, text string) error { return beeep.Notify(title, text, "") }

// hangUp closes the connection that the library keeps to the bus, with the goroutine that reads it.
func hangUp() {
	if bus, err := dbus.SessionBus(); err == nil {
		bus.Close() //nolint:errcheck // nothing was left to send
	}
}
