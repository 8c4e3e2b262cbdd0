//go:build race && !everything

package store

// share divides what is done often only to meet many values, not many goroutines: the race detector has nothing to find there, and
// takes ten times as long.
const share = 10
