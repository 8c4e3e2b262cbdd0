//go:build race && !everything

package httpapi_test

// describedHere is false with the race detector: it takes most of the time then, and what is computed is the same.
const describedHere = false
