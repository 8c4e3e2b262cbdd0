//go:build !race || everything

package store

// share divides what is done often only to meet many values, not many goroutines.
const share = 1
