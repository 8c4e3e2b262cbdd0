//go:build (!linux || android) && !windows

package desktop

// present: a phone or a kiosk has no desktop; its page notifies by itself.
func present() bool { return false }

func show(string, string) error { return nil }

func hangUp() {}
