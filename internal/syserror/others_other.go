//go:build !windows

package syserror

// others are none: the numbers are this system's own.
var others map[error][]error
