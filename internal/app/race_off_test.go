//go:build !race || everything

package app_test

// raced is true where the race detector looks on: it sees nothing of other processes, so their tests are for the run without it.
const raced = false
