//go:build !race

package credentials

// cost makes a guess take some fifty milliseconds, and the first request after a start no longer.
const cost = 10
