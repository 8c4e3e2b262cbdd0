// Package device says who and how this terminal is: its identity, since when it runs, and whether it is busy.
package device

import (
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// Identity is what the terminal says of itself; it does not change while it runs.
type Identity struct {
	AppName  string
	Version  string
	Build    string
	Platform string
	Locale   string
	TimeZone string
	Mode     string
}

// Mobile reports whether the platform is one that the caller may restart.
func (i Identity) Mobile() bool { return i.Platform == "android" }

// Status is the terminal's sign of life.
type Status struct {
	Uptime    time.Duration
	StartedAt time.Time
}

// Device is this terminal, from one start to the next.
type Device struct {
	Identity Identity
	Gate     operation.Gate // held by one operation at a time
	started  time.Time
	locale   atomic.Pointer[string]
}

// New returns a device that starts now.
func New(identity Identity) *Device { return &Device{Identity: identity, started: time.Now()} }

// SetLocale changes the locale that the device says it has; "" leaves it.
func (d *Device) SetLocale(locale string) {
	if locale != "" {
		d.locale.Store(&locale)
	}
}

// Locale is the device's of now, which the operator may have changed since the start.
func (d *Device) Locale() string {
	if locale := d.locale.Load(); locale != nil {
		return *locale
	}
	return d.Identity.Locale
}

// Status tells since when the device runs.
func (d *Device) Status() Status {
	return Status{Uptime: time.Since(d.started), StartedAt: d.started}
}
