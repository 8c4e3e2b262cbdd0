//go:build !everything

package thorough

// Everything is true in make test-all.
const Everything = false
